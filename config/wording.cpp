#include "config/wording.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/text.hpp"

namespace surveybridge::config {
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
