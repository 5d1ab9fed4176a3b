#include "mapping/values/same_secret.hpp"

#include <openssl/crypto.h>

namespace surveybridge::mapping {

bool same_secret(std::string_view secret, std::string_view offered) {
  return secret.size() == offered.size() &&
         CRYPTO_memcmp(secret.data(), offered.data(), secret.size()) == 0;
}

}  // namespace surveybridge::mapping
