#include "mapping/report/column_names.hpp"

#include <algorithm>

#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

constexpr std::size_t kBytes = 60;  // PostgreSQL has 63, MariaDB 64 characters

// MariaDB compares names without regard to accents: "Café" is "Cafe" there.
bool may_be_same(char32_t a, char32_t b) {
  const auto accented = [](char32_t c) { return c >= 0xC0 && c <= 0x24F; };
  const auto letter = [](char32_t c) { return c >= 'a' && c <= 'z'; };
  return a == b || (accented(a) && (accented(b) || letter(b))) || (accented(b) && letter(a));
}

bool may_be_same(const std::string& one, const std::string& other) {
  return std::ranges::equal(config::code_points(in_small_letters(one)),
                            config::code_points(in_small_letters(other)),
                            [](char32_t a, char32_t b) { return may_be_same(a, b); });
}

std::string without_end(std::string text) {
  text.resize(trimmed(text).size());
  return text;
}

}  // namespace

std::string column_name(std::string_view wanted) {
  if (!is_utf8(wanted)) return "";
  std::u32string name = config::code_points(wanted);
  std::ranges::replace_if(
      name, [](char32_t c) { return c < 0x20 || c == 0x7F || c > 0xFFFF; }, U'_');
  return without_end(std::string(config::first_bytes(trimmed(config::utf8_of(name)), kBytes)));
}

std::string free_column_name(const std::vector<std::string>& wanted,
                             const std::vector<std::string>& taken) {
  std::string name;
  for (const auto& each : wanted) {
    name = column_name(each);
    if (!name.empty()) break;
  }
  const auto is_taken = [&](const std::string& one) {
    return std::ranges::any_of(taken,
                               [&](const std::string& other) { return may_be_same(one, other); });
  };
  std::string one = name;
  for (int number = 2; is_taken(one); ++number) {
    const std::string end = " " + std::to_string(number);
    one = without_end(std::string(config::first_bytes(name, kBytes - end.size()))) + end;
  }
  return one;
}

}  // namespace surveybridge::mapping
