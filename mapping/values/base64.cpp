#include "mapping/values/base64.hpp"

#include <openssl/evp.h>

namespace surveybridge::mapping {

namespace {

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

unsigned char* place_in(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

std::string without_blanks(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') kept += c;
  }
  return kept;
}

}  // namespace

std::string write_base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '\0');
  EVP_EncodeBlock(place_in(text), bytes_of(bytes), static_cast<int>(bytes.size()));
  return text;
}

std::optional<std::string> read_base64(std::string_view written) {
  const std::string text = without_blanks(written);
  const int padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  std::string bytes(text.size() / 4 * 3, '\0');
  const int read = EVP_DecodeBlock(place_in(bytes), bytes_of(text), static_cast<int>(text.size()));
  if (read < padding) return {};
  bytes.resize(static_cast<std::size_t>(read - padding));
  if (write_base64(bytes) != text) return {};  // other signs, or bits set under the padding
  return bytes;
}

}  // namespace surveybridge::mapping
