#include "config/text.hpp"

#include <algorithm>
#include <iterator>

#include <utf8.h>

namespace surveybridge::config {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string each(std::string_view text, char (*change)(char)) {
  std::string changed(text);
  std::ranges::transform(changed, changed.begin(), change);
  return changed;
}

}  // namespace

bool is_utf8(std::string_view text) {
  return utf8::is_valid(text.begin(), text.end());
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && continues_character(text[most]))
    --most;
  return text.substr(0, most);
}

std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (continues_character(text[at])) continue;
    if (count == 0) break;
    --count;
  }
  return text.substr(0, at);
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  utf8::utf8to32(text.begin(), text.end(), std::back_inserter(points));
  return points;
}

std::string utf8_of(std::u32string_view code_points) {
  std::string text;
  utf8::utf32to8(code_points.begin(), code_points.end(), std::back_inserter(text));
  return text;
}

void append_hex(std::string& out, std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

std::string lower_case(std::string_view text) {
  return each(text, lower);
}

std::string upper_case(std::string_view text) {
  return each(text, upper);
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace surveybridge::config
