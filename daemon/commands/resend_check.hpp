// Before rows go out again on a person's word: which of them must stay held. A row that has arrived
// would be mailed twice.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/interruption.hpp"
#include "daemon/reconcile/look_up_job.hpp"

namespace surveybridge::daemon {

class ResendCheck {
 public:
  // All of these outlive it. `database`: the ledger's.
  ResendCheck(const CommandContext& command, crm::Database& database, Interruption& interruption)
      : command_(command), database_(database), interruption_(interruption) {}

  struct Stays {
    enum class Why {  // their texts are in this order
      listed,         // the service lists its key: the customers
      alike,          // the service lists its address and date under a key that no transaction has
      unproven,       // it is not listed, and no key of its form is known to be listed
      erased,         // its key is: the service cannot be asked for it
      elsewhere,      // it was sent to another service, or by another account
      young,          // `settle` is not over: the service may still list it
    } why;
    std::vector<std::int64_t> customers = {};
  };
  // Of the keys of a configured push those that are held: which may go, and which stay. They are
  // looked up as they were sent, a request or two for each; of a push without `correlate` none is.
  // Empty: the service could not be asked, and people have been told.
  struct Verdict {
    std::set<std::string> go;
    std::map<std::string, Stays> stay;
  };
  std::optional<Verdict> judge(const std::string& push, const std::vector<std::string>& keys);
  // Why it could not be asked.
  ExitCode code() const { return code_; }

 private:
  std::optional<LookUpJob::Found> look_up(const std::string& push, const DoubtGroup& group);

  const CommandContext& command_;
  crm::Database& database_;
  Interruption& interruption_;
  ExitCode code_ = kDone;
};

// "the service lists them": why some rows stay held.
std::string why_they_stay(ResendCheck::Stays::Why why);
// Why such a row stays held, and what decides about it.
std::string stays_text(const ResendCheck::Stays& stays, const Invocation& invocation,
                       const std::string& key);

}  // namespace surveybridge::daemon
