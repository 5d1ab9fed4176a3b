// Adds that are answered 403. Where others are accepted in between, it is what a row holds that a
// gateway forbids: the row waits longer each time, and is held after three times alone. Where
// nothing is accepted any more, it is a right that is missing, and the push stands still.
#pragma once

#include <string>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/push/push_plan.hpp"

namespace surveybridge::daemon {

class Forbidden {
 public:
  // A decision on a 403, with what this makes of it.
  PushDecision judge(PushDecision decision, const std::string& push, crm::Ledger& ledger);
  void accepted() { in_a_row_ = 0; }

 private:
  int in_a_row_ = 0;
};

}  // namespace surveybridge::daemon
