// Where a secret lives: a systemd credential, a file or an environment variable, never the
// configuration itself. Reading it is I/O and happens in one place, by whoever needs it.
#pragma once

#include <optional>
#include <string>
#include <variant>

namespace surveybridge::config {

struct Secret {
  enum class From { none, credential, file, env, plain } from = From::none;
  // The credential's name, path or variable; with plain (only where a setting "may be a secret",
  // as the connection) the text itself.
  std::string name;
  bool set() const { return from != From::none; }
};

struct Unreadable {
  std::string why;  // names the place and the rule, never the secret
};

// The secret's text without one trailing line end. At most 64 KiB.
std::variant<std::string, Unreadable> read(const Secret& secret);

}  // namespace surveybridge::config
