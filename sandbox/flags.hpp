// The command line of surveysandbox. The only file that knows CLI11 is flags.cpp.
#pragma once

#include <optional>
#include <vector>

#include "sandbox/faults/fault.hpp"
#include "sandbox/options/options.hpp"

namespace sandbox {

struct Flags {
  unsigned short port = 0;
  Options options;
  std::vector<Fault> faults;
};

// Nothing: the program ends with `exit`, after --help or a message about what is wrong.
std::optional<Flags> read_flags(int argc, const char* const* argv, int& exit);

}  // namespace sandbox
