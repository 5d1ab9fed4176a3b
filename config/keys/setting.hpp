// One row of the reference page. The readers use the same rows, so the page agrees with what is
// read.
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
  std::string schema = "true";  // JSON Schema of the value
};

}  // namespace surveybridge::config
