// What the ledger knows for certain to be at the service: what a look at the service's list is
// tried with. Changes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct SentKey {
  std::string key;
  Instant at;  // when the ledger came to know that it was sent
};

// Up to `limit` keys of a push that were sent to `service` (brake_rule.hpp) and before `before`,
// as test customers or not; the last one first. Of the last 200 that were sent anywhere. A person's
// word that a row was sent does not count. Batches of earlier versions do not say where they went;
// they count.
std::vector<SentKey> last_sent(Database& database, const std::string& push,
                               const std::string& service, bool test, Instant before,
                               std::size_t limit);

// The id of the last batch of a push, whoever claimed it; empty: there is none.
std::string last_batch(Database& database, const std::string& push);

}  // namespace surveybridge::crm
