// What `verify` found when it last ran, by push (table survey_verify): for `status` and metrics,
// which cannot walk the service's list themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Verified {
  std::string push;
  Instant at;
  std::int64_t eligible = 0;
  std::int64_t unaccounted = 0;             // eligible, and nothing became of them
  std::optional<std::int64_t> differences;  // ledger and service; empty: not compared
  bool operator==(const Verified&) const = default;
};

// Instead of what it found before.
void store_verify_result(Database& database, const Verified& verify_results);
// By push.
std::vector<Verified> verify_results(Database& database);

}  // namespace surveybridge::crm
