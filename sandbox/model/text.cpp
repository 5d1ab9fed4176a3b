#include "sandbox/model/text.hpp"

#include <algorithm>
#include <charconv>

#include <openssl/evp.h>
#include <utf8.h>

namespace sandbox {
namespace {

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_utf8(std::string_view text) {
  return utf8::is_valid(text.begin(), text.end());
}

bool fits_xml(std::string_view text) {
  const auto control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  };
  if (std::any_of(text.begin(), text.end(), control)) return false;
  return text.find("\xEF\xBF\xBE") == text.npos && text.find("\xEF\xBF\xBF") == text.npos;
}

std::string write_base64(std::string_view bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');  // OpenSSL ends it with a null
  out.resize(
      static_cast<std::size_t>(EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                                               bytes_of(bytes), static_cast<int>(bytes.size()))));
  return out;
}

bool is_base64(std::string_view text) {
  // OpenSSL ignores white space at both ends.
  if (text.find_first_of(" \t\r\n") != text.npos) return false;
  std::string out(text.size() / 4 * 3 + 3, '\0');
  return EVP_DecodeBlock(reinterpret_cast<unsigned char*>(out.data()), bytes_of(text),
                         static_cast<int>(text.size())) >= 0;
}

std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace sandbox
