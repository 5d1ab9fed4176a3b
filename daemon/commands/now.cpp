// `now`: the running daemon does not wait any longer.
#include <iostream>

#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/runtime/control_socket.hpp"

namespace surveybridge::daemon {

ExitCode command_now(const Invocation& invocation) {
  const std::string name = invocation.name.empty() ? "all" : invocation.name;
  const auto answer = ask_daemon(invocation.config, "now " + name);
  if (!answer) {
    report_error("no daemon runs here with " + invocation.config);
    return kUnreachable;
  }
  if (answer->starts_with("ok ")) {
    std::cout << answer->substr(3) << "\n";
    return kDone;
  }
  report_error(*answer);
  return kUsage;
}

}  // namespace surveybridge::daemon
