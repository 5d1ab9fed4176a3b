#include "mapping/codec/xml_names.hpp"

#include <charconv>

namespace surveybridge::mapping {
namespace {

// The character for a leading "_x005B_"; 0 if there is none. ASCII is enough for an
// index.
char escaped_sign(std::string_view text) {
  constexpr std::size_t kLength = 7;
  if (text.size() < kLength || !text.starts_with("_x") || text[kLength - 1] != '_') return 0;
  int code = 0;
  const char* end = text.data() + kLength - 1;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, code, 16);
  return error == std::errc{} && stop == end && code >= 0x20 && code < 0x7F
             ? static_cast<char>(code)
             : '\0';
}

}  // namespace

std::string_view local_name(std::string_view name) {
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

std::string decoded_name(std::string_view name) {
  std::string decoded;
  while (!name.empty()) {
    const char sign = escaped_sign(name);
    decoded += sign == 0 ? name.front() : sign;
    name.remove_prefix(sign == 0 ? 1 : 7);
  }
  return decoded;
}

}  // namespace surveybridge::mapping
