// `now`: the running daemon does not wait any longer.
#include <fmt/format.h>

#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/runtime/control_socket.hpp"

namespace surveybridge::daemon {

namespace {

// What the daemon answers, for people.
void print_woken(const Json& woken) {
  const auto jobs = woken.at("jobs").get<std::int64_t>();
  fmt::print("{} {} on now", counted(jobs, "job"), jobs == 1 ? "goes" : "go");
  if (const Json& until = woken.at("waits_until"); !until.is_null())
    fmt::print("; the service has asked to wait, and no request leaves before {}",
               until.get<std::string>());
  fmt::print("\n");
}

}  // namespace

ExitCode command_now(const Invocation& invocation) {
  const std::string name = invocation.name.empty() ? "all" : invocation.name;
  const auto answer = ask_daemon(invocation.config, "now " + name);
  if (!answer) {
    report_error("no daemon runs here with " + invocation.config);
    return kUnreachable;
  }
  const Json woken =
      answer->starts_with("ok ") ? Json::parse(answer->substr(3), nullptr, false) : Json();
  if (!woken.is_object()) {
    report_error(*answer);
    return kUsage;
  }
  if (invocation.json)
    print_json(woken);
  else
    print_woken(woken);
  return kDone;
}

}  // namespace surveybridge::daemon
