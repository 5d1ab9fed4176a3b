// What `surveybridge init` takes on its command line, as it is written there.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace surveybridge::daemon {

struct InitOptions {
  using Text = std::optional<std::string>;
  std::string file = "/etc/surveybridge/surveybridge.toml";
  Text base_url, auth, header, user, token_url, client_id, scope;
  Text token, password, client_secret;  // where the secret is: "file:/PATH", "env:NAME", …
  Text connection, time_zone, push, query, key, when, start, email;
  std::vector<std::string> map;  // "DataColumn=column"
  bool yes = false;              // nothing is asked
  bool force = false;            // existing files are replaced
};

}  // namespace surveybridge::daemon
