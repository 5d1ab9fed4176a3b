// Before rows go out again on a person's word: which of them the service lists after all. A row
// that has arrived would be mailed twice.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/reconcile/look_up_job.hpp"

namespace surveybridge::daemon {

class ResendCheck {
 public:
  // `command`, `signals` and `stop` outlive it.
  ResendCheck(const CommandContext& command, Signals& signals, std::atomic<bool>& stop)
      : command_(command), interruption_(signals, stop) {}

  // Those of the keys that are held and that the service lists, a request each; none of a push
  // without `correlate`. Empty: the service could not be asked, and people have been told.
  std::optional<LookUpJob::Found> listed(crm::Ledger& ledger, const std::string& push,
                                         const std::vector<std::string>& keys);
  // Why it could not be asked.
  ExitCode code() const { return code_; }

 private:
  const CommandContext& command_;
  Interruption interruption_;
  ExitCode code_ = kDone;
};

// Why such a row stays held, and what decides about it.
std::string listed_text(const std::vector<std::int64_t>& customers, const Invocation& invocation,
                        const std::string& key);

}  // namespace surveybridge::daemon
