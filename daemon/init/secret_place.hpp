// Where the secrets of a new configuration are kept: each in a file of its own, never in the
// configuration. Nothing is written here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/init/new_file.hpp"
#include "daemon/init/new_settings.hpp"

namespace surveybridge::daemon {

struct SecretPlace {
  std::string folder;        // absolute
  std::string prefix;        // of the names: "bridge."
  bool credentials = false;  // the folder "credentials", which the commands and systemd know
};

// Beside the configuration file: in the folder "credentials" where there is one.
SecretPlace place_of_secrets(const std::string& config_file);

// "file:/PATH", "env:NAME" and "credential:NAME"; empty: `text` is none of them.
std::optional<config::Secret> secret_reference(std::string_view text);
std::string reference_text(const config::Secret& secret);

// How the configuration refers to the secret of this name ("token") in the place, and its path.
config::Secret kept_secret(const SecretPlace& place, std::string_view name);
std::string path_of(const SecretPlace& place, std::string_view name);

// Replaces each secret that was typed by a reference, and returns the files that hold them. The
// text of the connection stays where no password is in it.
std::vector<NewFile> move_secrets_out(NewSettings& settings, const SecretPlace& place);

}  // namespace surveybridge::daemon
