#include "daemon/commands/standard_output.hpp"

#include <cstdio>
#include <iostream>

#include <poll.h>
#include <unistd.h>

#include "daemon/commands/command_context.hpp"
#include "daemon/runtime/exit_code.hpp"

namespace surveybridge::daemon {

bool reader_has_gone() {
  pollfd out{STDOUT_FILENO, 0, 0};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

int handed_over(int code) {
  const bool whole = std::cout.flush().good() && std::fflush(stdout) == 0;
  if (whole && std::ferror(stdout) == 0) return code;
  if (!reader_has_gone()) report_error("the result could not be written to standard output");
  return code == kDone ? kNeedsPerson : code;
}

}  // namespace surveybridge::daemon
