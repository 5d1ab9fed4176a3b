#include "mapping/values/text.hpp"

#include <algorithm>
#include <array>

namespace surveybridge::mapping {

namespace {

using namespace std::string_view_literals;

constexpr std::array kBlanks = {" "sv,  "\t"sv,     "\r"sv,     "\n"sv,    "\v"sv,
                                "\f"sv, "\u00A0"sv, "\u200B"sv, "\uFEFF"sv};

// What a first byte promises: how many bytes follow, and the range of the next one. The narrowed
// ranges are what keeps out overlong forms, surrogates and code points that do not exist.
struct Lead {
  std::size_t following = 0;
  unsigned char low = 0x80, high = 0xBF;
  bool legal = true;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {};
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {0, 0, 0, false};
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Lead lead = lead_of(static_cast<unsigned char>(text[at]));
    if (!lead.legal || text.size() - at <= lead.following) return false;
    if (lead.following > 0) {
      const auto second = static_cast<unsigned char>(text[at + 1]);
      if (second < lead.low || second > lead.high) return false;
    }
    for (std::size_t i = 2; i <= lead.following; ++i) {
      if (!is_continuation(text[at + i])) return false;
    }
    at += lead.following + 1;
  }
  return true;
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
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (is_continuation(text[at])) continue;
    if (count == 0) break;
    --count;
  }
  return text.substr(0, at);
}

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace surveybridge::mapping
