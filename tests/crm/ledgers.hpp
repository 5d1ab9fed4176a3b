// What the ledger's tests stand on: a ledger on each database, and a clock that is turned.
#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/crm/turned_clock.hpp"

namespace surveybridge::crm {

class Ledgers : public OnOurTables {
 protected:
  std::vector<std::string> claim(const std::string& batch, const std::vector<std::string>& keys,
                                 const std::string& push = "orders") {
    std::vector<Claim> rows;
    for (const auto& key : keys)
      rows.push_back({key, key + "@example.test", kDate});
    return ledger.claim({batch, push, "one"}, rows);
  }
  std::int64_t settle(const std::string& batch, const std::string& key, State state,
                      const std::string& reason = "") {
    const bool sent = state == State::sent;
    return ledger.settle("orders", batch,
                         {sent ? Outcome::accepted : Outcome::unknown, sent ? 200 : 500, ""},
                         {{key, state, reason}});
  }
  State state_of(const std::string& key) { return ledger.find("orders", key).value().state; }
  std::string story(const std::string& key) {
    std::string all;
    for (const auto& event : ledger.history("orders", key)) {
      all += (all.empty() ? "" : " ") + std::string(to_string(event.state));
    }
    return all;
  }
  std::int64_t cells_with_mail() {
    return number_in(database,
                     "SELECT COUNT(*) FROM survey_push WHERE email IS NOT NULL"
                     " OR transaction_date IS NOT NULL");
  }

  static constexpr Instant kDate{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  TurnedClock database{open()};
  Ledger ledger{database};
};

}  // namespace surveybridge::crm
