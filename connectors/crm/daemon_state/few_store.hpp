// The columns of a push's query, and where to look while too few of its rows come (table
// survey_few).
#pragma once

#include <optional>
#include <string>
#include <tuple>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct FewRows {
  std::string push;
  std::string columns;         // of the query, one in a line; empty: not known
  std::string columns_before;  // they were others; empty: none are known
  std::optional<Instant> changed_at;
  std::string look;  // where to look, in words; empty: enough rows come
  std::optional<Instant> looked_at;
  static auto cells(auto& of) {
    return std::tie(of.push, of.columns, of.columns_before, of.changed_at, of.look, of.looked_at);
  }
  bool operator==(const FewRows&) const = default;
};

// Replaces what was there.
void store_few(Database& database, const FewRows& seen);
// Nothing but its name: nothing is known of the push.
FewRows few_of(Database& database, const std::string& push);

}  // namespace surveybridge::crm
