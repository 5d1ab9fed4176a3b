#include "mapping/values/person.hpp"

#include <array>
#include <stdexcept>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

// 128 bits of the digest.
constexpr std::size_t kBytes = 16;

using Algorithm = std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)>;

}  // namespace

// The key is set once: to look the algorithm up takes longer than to hash an address.
struct PersonHash::Context {
  std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> keyed{nullptr, EVP_MAC_CTX_free};
};

PersonHash::PersonHash(std::string_view key) : context_(std::make_unique<Context>()) {
  const Algorithm hmac(EVP_MAC_fetch(nullptr, "HMAC", nullptr), EVP_MAC_free);
  context_->keyed.reset(hmac ? EVP_MAC_CTX_new(hmac.get()) : nullptr);
  std::string digest = "SHA256";
  const std::array parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_end()};
  // An empty key would mean the one set before.
  const char none = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(key.empty() ? &none : key.data());
  if (!context_->keyed ||
      EVP_MAC_init(context_->keyed.get(), bytes, key.size(), parameters.data()) != 1)
    throw std::runtime_error("the cryptographic library refuses HMAC-SHA-256");
}

PersonHash::~PersonHash() = default;

std::string PersonHash::of(std::string_view address) const {
  const std::string text = normal_address(address);
  if (text.empty()) return "";
  EVP_MAC_CTX* keyed = context_->keyed.get();
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  std::size_t size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  if (EVP_MAC_init(keyed, nullptr, 0, nullptr) != 1 ||
      EVP_MAC_update(keyed, bytes, text.size()) != 1 ||
      EVP_MAC_final(keyed, hash.data(), &size, hash.size()) != 1)
    throw std::runtime_error("the cryptographic library refuses HMAC-SHA-256");
  std::string hex;
  config::append_hex(hex, {reinterpret_cast<const char*>(hash.data()), kBytes});
  return hex;
}

std::string normal_address(std::string_view address) {
  return folded(trimmed(visible(address)));
}

std::string person_of(std::string_view key, std::string_view address) {
  return PersonHash(key).of(address);
}

}  // namespace surveybridge::mapping
