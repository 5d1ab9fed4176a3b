// What the ledger knows for certain to be at the service: what a look at the service's list is
// tried with. Also who sent it under another name. Changes nothing.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct SentKey {
  std::string key;
  Instant at;  // when the ledger came to know that it was sent
};

// Where keys were sent: one of these services (brake_rule.hpp), with the data column that carried
// the keys, and whether test customers count. Batches of earlier versions do not say where they
// went; they count.
struct SentTo {
  std::vector<std::string> services;
  std::string correlate;
  bool test = false;
};

// Up to `limit` keys of a push that were sent there and before `before`, of the last 200 that were
// sent anywhere; the last one first. A person's word that a row was sent does not count.
std::vector<SentKey> last_sent(Database& database, const std::string& push, const SentTo& to,
                               Instant before, std::size_t limit = 200);

// Pushes that have sent something, or were held, and are not among those configured. By name.
std::vector<std::string> former_pushes(Database& database,
                                       const std::vector<std::string>& configured);

// Pushes that are not among those configured, and batches of which carried their keys in this data
// column: one that is configured under another name now, say. Only those with such a batch to one
// of these services; empty: to any.
std::vector<std::string> former_names(Database& database, const std::string& correlate,
                                      const std::vector<std::string>& configured,
                                      const std::vector<std::string>& services = {});

// Pushes, whether they are configured or not, each with a data column that carried the keys of its
// batches. Those of earlier versions do not say which.
std::set<std::pair<std::string, std::string>> key_carriers(Database& database);

// The id of the last batch of these pushes, whoever claimed it; empty: there is none.
std::string last_batch(Database& database, const std::vector<std::string>& pushes);
// Is every row of this batch still claimed? Not where somebody has taken its owner for dead.
bool is_claimed(Database& database, const std::string& batch);

// Was a batch of this push answered with the same status and detail (Ledger::Answer), and has the
// service listed one of its customers since?
bool is_proved_answer(Database& database, const std::string& push, int http_status,
                      const std::string& detail);

}  // namespace surveybridge::crm
