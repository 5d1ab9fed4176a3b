// One line of the reference: a setting as people are told about it. The readers are made from the
// same lines, so what is read and what is described cannot drift apart.
#pragma once

#include <string>

namespace surveybridge::config {

struct Setting {
  std::string section;   // "service.pace", "push.NAME"
  std::string key;       // "max_in_flight"
  std::string type;      // "an integer from 1 to 64"
  std::string standard;  // the default as TOML; empty: none
  bool required = false;
  std::string meaning;
};

}  // namespace surveybridge::config
