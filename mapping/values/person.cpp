#include "mapping/values/person.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
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

// RFC 3492: the letters of a label behind its "xn--". Empty: it is not well-formed.
std::u32string letters_of(std::string_view code) {
  constexpr std::uint32_t kBase = 36, kFirst = 1, kLast = 26, kSkew = 38, kDamp = 700;
  constexpr std::uint32_t kLargest = 0x10FFFF;
  std::u32string letters;
  if (const auto mark = code.rfind('-'); mark != std::string_view::npos) {
    letters = config::code_points(code.substr(0, mark));
    code.remove_prefix(mark + 1);
  }
  std::uint32_t point = 0x80, at = 0, bias = 72;
  for (bool is_first = true; !code.empty(); is_first = false) {
    const std::uint32_t before = at;
    for (std::uint32_t weight = 1, k = kBase;; k += kBase) {
      if (code.empty()) return {};
      const char c = code.front();
      code.remove_prefix(1);
      const std::uint32_t digit = c >= 'a' && c <= 'z'   ? static_cast<std::uint32_t>(c - 'a')
                                  : c >= '0' && c <= '9' ? static_cast<std::uint32_t>(c - '0') + 26
                                                         : kBase;
      if (digit == kBase || weight > kLargest || at > kLargest * kBase) return {};
      at += digit * weight;
      const std::uint32_t most = std::clamp(k > bias ? k - bias : 0, kFirst, kLast);
      if (digit < most) break;
      weight *= kBase - most;
    }
    const auto places = static_cast<std::uint32_t>(letters.size()) + 1;
    std::uint32_t delta = (at - before) / (is_first ? kDamp : 2);
    delta += delta / places;
    std::uint32_t steps = 0;
    for (; delta > (kBase - kFirst) * kLast / 2; delta /= kBase - kFirst)
      steps += kBase;
    bias = steps + (kBase - kFirst + 1) * delta / (delta + kSkew);
    point += at / places;
    at %= places;
    if (point > kLargest || (point >= 0xD800 && point <= 0xDFFF)) return {};
    letters.insert(at++, 1, static_cast<char32_t>(point));
  }
  return letters;
}

// A domain's labels in the letters that they stand for.
std::string in_letters(const std::string& address) {
  constexpr std::string_view kCoded = "xn--";
  constexpr std::size_t kCodedBytes = 63;  // a longer one is none, and costs the square of it
  std::string read;
  std::string_view rest = address;
  const auto sign = rest.rfind('@');
  if (sign == std::string_view::npos || rest.find(kCoded, sign) == rest.npos || !is_utf8(address))
    return address;
  read = rest.substr(0, sign + 1);
  rest.remove_prefix(sign + 1);
  while (true) {
    const auto label = rest.substr(0, rest.find('.'));
    const bool is_coded = label.starts_with(kCoded) && label.size() <= kCodedBytes;
    const auto letters = is_coded ? letters_of(label.substr(kCoded.size())) : std::u32string();
    read += letters.empty() ? std::string(label) : config::utf8_of(letters);
    rest.remove_prefix(label.size());
    if (rest.empty()) return read;
    read += '.';
    rest.remove_prefix(1);
  }
}

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
  const std::string one = folded(trimmed(visible(address)));
  return folded(composed(in_letters(one)));
}

std::string person_of(std::string_view key, std::string_view address) {
  return PersonHash(key).of(address);
}

}  // namespace surveybridge::mapping
