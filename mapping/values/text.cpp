#include "mapping/values/text.hpp"

#include <algorithm>
#include <array>

#include "config/text.hpp"

namespace surveybridge::mapping {

namespace {

using namespace std::string_view_literals;

constexpr std::array kBlanks = {" "sv,  "\t"sv,     "\r"sv,     "\n"sv,    "\v"sv,
                                "\f"sv, "\u00A0"sv, "\u200B"sv, "\uFEFF"sv};

}  // namespace

bool is_utf8(std::string_view text) {
  return config::is_utf8(text);
}

std::string_view trimmed(std::string_view text) {
  const auto starts = [&](std::string_view blank) { return text.starts_with(blank); };
  const auto ends = [&](std::string_view blank) { return text.ends_with(blank); };
  for (auto it = std::ranges::find_if(kBlanks, starts); it != kBlanks.end();
       it = std::ranges::find_if(kBlanks, starts)) {
    text.remove_prefix(it->size());
  }
  for (auto it = std::ranges::find_if(kBlanks, ends); it != kBlanks.end();
       it = std::ranges::find_if(kBlanks, ends)) {
    text.remove_suffix(it->size());
  }
  return text;
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  return config::first_characters(text, count);
}

bool same_name(std::string_view a, std::string_view b) {
  return config::same_ignoring_case(a, b);
}

}  // namespace surveybridge::mapping
