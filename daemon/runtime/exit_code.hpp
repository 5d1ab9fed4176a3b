// The exit codes of every command (docs/RUNBOOK.md, "First look").
#pragma once

namespace surveybridge::daemon {

enum ExitCode : int {
  kDone = 0,
  kNeedsPerson = 1,  // done, but something needs a person
  kUsage = 2,
  kUnreachable = 69,    // service or database not reachable
  kConfiguration = 78,  // configuration wrong
};

}  // namespace surveybridge::daemon
