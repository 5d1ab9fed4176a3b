// Removes old steps of transactions (table survey_push_event), by which `explain` tells what
// happened to one. The transaction itself stays for ever.
#pragma once

#include <cstdint>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct PrunedEvents {
  std::int64_t removed = 0;
  std::int64_t reached = 0;  // the number of the last step that was looked at
  bool at_end = false;       // no later step is as old
};

// Looks at the next steps behind the number `after` (0: the first ones), at most `most`, and
// removes those that happened before `before` and whose transaction is sent or suppressed and has
// not changed since. One transaction.
PrunedEvents prune_events(Database& database, Instant before, std::int64_t after, int most = 1000);

}  // namespace surveybridge::crm
