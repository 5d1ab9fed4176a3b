// `surveybridge init`: from nothing to a checked configuration and the preview of the first batch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daemon/runtime/exit_code.hpp"

namespace surveybridge::daemon {

// The command line, as it is written there.
struct InitOptions {
  using Text = std::optional<std::string>;
  std::string file = "/etc/surveybridge/surveybridge.toml";
  Text base_url, auth, header, user, token_url, client_id, scope;
  Text token, password, client_secret;  // where the secret is: "file:/PATH", "env:NAME", …
  Text connection, store, system, time_zone, push, query, key, when, start, email;
  // `store`: "crm", "schema:NAME", a connection, or where a secret is that has one
  // `system`: "woocommerce", or "woocommerce:wp_2_" with the prefix of its tables
  std::vector<std::string> map;  // "DataColumn=column"
  bool yes = false;              // nothing is asked
  bool force = false;            // existing files are replaced
};

// Asks where a person can answer and `yes` is not given. Mails nobody, and makes no table.
ExitCode command_init(const InitOptions& options);

}  // namespace surveybridge::daemon
