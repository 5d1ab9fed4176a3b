#include "mapping/values/person.hpp"

#include <array>
#include <stdexcept>

#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace surveybridge::mapping {
namespace {

std::string normal(std::string_view address) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const auto first = address.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  std::string text(address.substr(first, address.find_last_not_of(kBlanks) - first + 1));
  for (auto& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

std::string person_of(std::string_view key, std::string_view address) {
  const std::string text = normal(address);
  if (text.empty()) return "";
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), hash.data(),
           &size) == nullptr) {
    throw std::runtime_error("the cryptographic library refuses HMAC-SHA-256");
  }
  constexpr char kHex[] = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += kHex[hash[i] >> 4];
    hex += kHex[hash[i] & 15];
  }
  return hex;
}

}  // namespace surveybridge::mapping
