#include "config/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
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

std::string well_formed(std::string_view text) {
  std::string out;
  for (;;) {
    const auto* broken = utf8::find_invalid(text.begin(), text.end());
    out.append(text.begin(), broken);
    if (broken == text.end()) return out;
    out += "\uFFFD";
    text.remove_prefix(static_cast<std::size_t>(broken - text.begin()) + 1);
  }
}

std::optional<double> to_real(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  return error == std::errc{} && stop == end && std::isfinite(number) ? std::optional(number)
                                                                      : std::nullopt;
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

namespace {

// Commands to a terminal beyond ASCII, and what turns or hides the letters beside it.
bool is_hidden(char32_t c) {
  return (c >= 0x80 && c < 0xA0) || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

}  // namespace

std::size_t hidden_at(std::string_view text) {
  const auto byte = static_cast<unsigned char>(text.front());
  if (byte < 0xC2) return byte == 0x7F ? 1 : 0;
  const auto first = first_characters(text, 1);
  return is_hidden(code_points(first).front()) ? first.size() : 0;
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

namespace {

constexpr std::size_t kLongestShown = 60;
constexpr std::size_t kLongestName = 128;

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_bare(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

std::string escaped(char c) {
  if (c == '"' || c == '\\') return {'\\', c};
  if (is_control(c)) return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return {c};
}

}  // namespace

std::string quoted(std::string_view text) {
  const std::string_view shown = first_bytes(text, kLongestShown);
  std::string out = "\"";
  for (const char c : shown)
    out += escaped(c);
  return out + (shown.size() < text.size() ? "…\"" : "\"");
}

std::string dotted(const std::string& path, std::string_view key) {
  const bool bare =
      !key.empty() && key.size() <= kLongestShown && std::all_of(key.begin(), key.end(), is_bare);
  const std::string step = bare ? std::string(key) : quoted(key);
  return path.empty() ? step : path + "." + step;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += quoted(words[i]);
  }
  return out;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_control);
}

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kLongestName && !has_control(text);
}

}  // namespace surveybridge::config
