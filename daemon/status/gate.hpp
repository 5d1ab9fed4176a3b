// Who may ask the status page. A request must be a GET (or HEAD) and name this machine: a page of
// another site whose name leads to this address is refused (DNS rebinding). Where a token is set, a
// request must show it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "http/message.hpp"

namespace surveybridge::daemon {

class Gate {
 public:
  // `own_name`: this machine's. `token` empty: none is asked for.
  Gate(std::vector<std::string> hosts, const std::string& own_name, std::string token = "");
  // Reads the token. A text: why it cannot be used; never the token itself.
  static std::variant<Gate, std::string> make(const config::StatusPage& page,
                                              const std::string& own_name);

  // Empty: the request may be answered.
  std::optional<http::Reply> refusal(const http::Request& request) const;

 private:
  bool knows(const std::string& host) const;
  bool admits(const std::string& authorization) const;

  std::vector<std::string> names_;  // in lower case
  std::string token_;
};

}  // namespace surveybridge::daemon
