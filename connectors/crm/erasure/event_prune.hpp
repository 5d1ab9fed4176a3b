// Removes old events of transactions (table survey_push_event), which `explain` shows. The
// transactions themselves stay for ever.
#pragma once

#include <cstdint>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct PrunedEvents {
  std::int64_t removed = 0;
  std::int64_t reached = 0;  // the id of the last event that was read
  bool at_end = false;       // the events behind it are younger
};

// Reads the next events behind the id `after` (0: the first ones), at most `most`, and removes
// those that happened before `before` and whose transaction is sent or suppressed and has not
// changed since. One transaction.
PrunedEvents prune_events(Database& database, Instant before, std::int64_t after, int most = 1000);

}  // namespace surveybridge::crm
