#include "sandbox/values/utf8.hpp"

#include <cstdint>

namespace sandbox {
namespace {

// Length of the character that `lead` begins; 0: none does.
std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

bool is_character(std::string_view bytes) {
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  std::uint32_t value = static_cast<unsigned char>(bytes[0]) & (0xFFu >> (bytes.size() + 1));
  for (const char c : bytes.substr(1)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) return false;
    value = value << 6 | (byte & 0x3F);
  }
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  return value >= kSmallest[bytes.size()] && value <= 0x10FFFF && !surrogate;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = length_of(static_cast<unsigned char>(text.front()));
    if (length == 0 || length > text.size()) return false;
    if (length > 1 && !is_character(text.substr(0, length))) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool fits_xml(std::string_view text) {
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20;
    if (control && c != '\t' && c != '\n' && c != '\r') return false;
  }
  return text.find("\xEF\xBF\xBE") == text.npos && text.find("\xEF\xBF\xBF") == text.npos;
}

}  // namespace sandbox
