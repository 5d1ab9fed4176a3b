// The last sweep of each push's whole window (table survey_sweep), for `status`.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct Swept {
  std::string push;
  Instant began, ended;
  std::int64_t rows = 0;
  // Seconds from the beginning of the sweep before to the end of this one: the longest time after
  // which a row that was committed late was found. Empty: it was the first of its process.
  std::optional<std::int64_t> within;
  bool only_met() const { return rows < 0; }
  static auto cells(auto& of) { return std::tie(of.push, of.began, of.ended, of.rows, of.within); }
  bool operator==(const Swept&) const = default;
};

// Replaces the one before.
void store_sweep(Database& database, const Swept& swept);
// A bridge runs this push since now, by the CRM's clock. Does nothing if one did before.
void note_first_run(Database& database, const std::string& push, Instant now);
// By push. One that is `only_met` has had no whole sweep yet.
std::vector<Swept> sweeps(Database& database);
// When the last one of a push began, by the CRM's clock; empty: there was none.
std::optional<Instant> last_sweep(Database& database, const std::string& push);
// The same, or since when a bridge has run the push.
std::optional<Instant> swept_or_met(Database& database, const std::string& push);

}  // namespace surveybridge::crm
