// The variants of a deployment, each with a name: flag, values, and what each value sets. The
// command line, its help and a test that tries all of them use this table.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/options/options.hpp"

namespace sandbox {

struct Choice {
  std::string_view value;
  void (*set)(Options&);
};

struct Variant {
  std::string_view flag, help;
  std::vector<Choice> choices;  // the first is the default
};
std::span<const Variant> variants();

// A variant that is on or off; off by default.
struct Switch {
  std::string_view flag, help;
  void (*set)(Options&);
};
std::span<const Switch> switches();

// "members=bracket", "lists=comma", "from=Since", …; false: no such key or value.
bool set_dialect(Options& options, std::string_view text);

}  // namespace sandbox
