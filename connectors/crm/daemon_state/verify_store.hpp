// The last result of `verify` for each push (table survey_verify), for `status` and metrics, which
// cannot read the service's list themselves.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Verified {
  std::string push;
  Instant at;
  std::int64_t eligible = 0;
  std::int64_t unaccounted = 0;             // eligible, and without any result
  std::optional<std::int64_t> differences;  // between ledger and service; empty: not compared
  std::string besides = {};  // what else a person is needed for, in words; empty: nothing
  static auto cells(auto& of) {
    return std::tie(of.push, of.at, of.eligible, of.unaccounted, of.differences, of.besides);
  }
  bool operator==(const Verified&) const = default;
};

// Replaces the result before.
void store_verify_result(Database& database, const Verified& result);
// By push.
std::vector<Verified> verify_results(Database& database);

}  // namespace surveybridge::crm
