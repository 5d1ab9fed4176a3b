#include "sandbox/values/utf8.hpp"

#include <utf8.h>

namespace sandbox {

bool is_utf8(std::string_view text) {
  return utf8::is_valid(text.begin(), text.end());
}

bool fits_xml(std::string_view text) {
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 0x20;
    if (control && c != '\t' && c != '\n' && c != '\r') return false;
  }
  return text.find("\xEF\xBF\xBE") == text.npos && text.find("\xEF\xBF\xBF") == text.npos;
}

}  // namespace sandbox
