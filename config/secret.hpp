// Where a secret is: a systemd credential, a file or an environment variable, never in the
// configuration. It is read where it is used.
#pragma once

#include <optional>
#include <string>
#include <variant>

namespace surveybridge::config {

struct Secret {
  enum class From { none, credential, file, env, plain } from = From::none;
  // The credential's name, the path or the variable. For a setting that "may be a secret" (the
  // connection) also the text itself.
  std::string name;
  bool set() const { return from != From::none; }
};

struct Unreadable {
  std::string why;  // names the place and the rule, never the secret
};

// file "/path", credential "name" or environment variable "NAME".
std::string place_of(const Secret& secret);

// The secret's text without one trailing line end. At most 64 KiB.
std::variant<std::string, Unreadable> read(const Secret& secret);
// The same of a secret that may have several lines, such as a key in PEM.
std::variant<std::string, Unreadable> read_lines(const Secret& secret);
// The same of a text that is no secret: it may have several lines, and everybody may read the file.
std::variant<std::string, Unreadable> read_open(const Secret& place);

}  // namespace surveybridge::config
