// Authentication (docs/SERVICE.md 5): a fixed bearer, tokens of the OAuth 2.0 client-credentials
// endpoint, a bare token in a named header, Basic. Not thread-safe: Service guards it.
#pragma once

#include <map>
#include <string>

#include "sandbox/options/options.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {

class Tokens {
 public:
  explicit Tokens(const Options& options) : options_(options) {}

  bool admits(const Request& request, TimePoint now) const;
  // POST /oauth2/token: the secret in the form or as Basic.
  Reply grant(const Request& request, TimePoint now);
  // Ends all tokens, as when a deployment changes its keys.
  void revoke() { granted_.clear(); }

 private:
  const Options& options_;
  std::map<std::string, TimePoint> granted_;  // token, end
  std::uint64_t counter_ = 0;

  bool knows(const std::string& token, TimePoint now) const;
};

}  // namespace sandbox
