// The Authorization (or named) header of every request. OAuth 2.0 client credentials are fetched,
// kept until shortly before they end, and refreshed after a 401. One object for all jobs;
// thread-safe. See docs/SERVICE.md 5.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "config/settings.hpp"
#include "connectors/service/outcome.hpp"
#include "connectors/service/transport.hpp"

namespace surveybridge::service {

using Header = std::pair<std::string, std::string>;

class Credentials {
 public:
  // Reads the secrets named in `auth`; if one cannot be read, a sentence says why.
  static std::variant<std::unique_ptr<Credentials>, std::string> make(const config::Auth& auth);

  // The header to send; fetches a token through `transport` if necessary. No header with kind none.
  // A failure of the token endpoint is Trouble of the status 0: unauthorized, whatever it answers,
  // unless it asks to wait (too_many), is away (unavailable) or the process stops.
  std::variant<std::optional<Header>, Trouble> header(Transport& transport, mapping::Instant now);

  // The service answered 401 to this header: reads the secret again, which may have been replaced,
  // and drops the token, unless it was refreshed since. Returns whether a new attempt makes sense.
  bool refused(const std::optional<Header>& used);

  // Takes the secret and what `used` carried out of the body and the headers of an answer. Those of
  // less than eight characters stay: they may be a part of any word.
  void hide(const std::optional<Header>& used, Response& answer);

 private:
  explicit Credentials(config::Auth auth) : auth_(std::move(auth)) {}
  std::variant<std::optional<Header>, Trouble> fetch(Transport& transport, mapping::Instant now);

  bool read_again();  // the secret; true: it is another one

  config::Auth auth_;
  std::string secret_;
  std::mutex mutex_;
  std::optional<Header> current_;
  mapping::Instant ends_{};
};

}  // namespace surveybridge::service
