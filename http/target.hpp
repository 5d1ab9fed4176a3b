// The request target: path and query, percent-decoded. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace http {

struct Parameter {
  std::string name, value;
};

struct Target {
  std::string path;
  std::vector<Parameter> query;
};

// nullopt: a % without two hex digits. In a query + means a space, as in forms, so a date's offset
// needs %2B.
std::optional<Target> read_target(std::string_view target);

// The body of a form (the token endpoint's), or a query without its question mark.
std::optional<std::vector<Parameter>> read_form(std::string_view form);

}  // namespace http
