// What `verify` found when it last ran, by push (table survey_verify): for `status` and metrics,
// which cannot walk the service's list themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/database.hpp"

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
void keep_verified(Database& database, const Verified& verified);
// By push.
std::vector<Verified> verified(Database& database);

}  // namespace surveybridge::crm
