// The command line of surveysandbox. Only flags.cpp includes CLI11.
#pragma once

#include <optional>

#include "sandbox/model/options.hpp"

namespace sandbox {

struct Flags {
  unsigned short port = 0;
  std::chrono::microseconds behind{0};  // of its clock, when it starts
  Options options;
};

// Nothing: the program ends with `exit`, after --help or an error message.
std::optional<Flags> read_flags(int argc, const char* const* argv, int& exit);

}  // namespace sandbox
