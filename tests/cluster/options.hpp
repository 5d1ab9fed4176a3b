// What the command line of the tests says.
#pragma once

#include <cstdint>

namespace cluster {

struct Options {
  std::uint64_t seed = 1;  // of the first round; each next one has the next seed
  int rounds = 1;
  bool is_protected = true;  // false: the controls, each of which must be caught
};

Options& options();

}  // namespace cluster
