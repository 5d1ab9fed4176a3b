// What the last readings of the operator's own lists of addresses ([suppress] query and
// [suppress.lists]) came to, for `status`.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct ListReading {
  std::int64_t addresses = 0;  // different ones
  std::int64_t unread = 0;     // values of which at least a part is no address
  bool operator==(const ListReading&) const = default;
};

// By the section that describes the list: "suppress", "suppress.lists.NAME".
using ListReadings = std::map<std::string, ListReading>;

// What these lists had lost counts no longer for this push.
void keep_list_readings(Database& database, const std::string& push, const ListReadings& readings);
// Those of lists that were read, whichever push did, also by an earlier configuration.
ListReadings last_list_readings(Database& database);
// How many addresses the list had when this push kept its reading last; a release of another push
// does not change that. Where this push has kept none: the most in those of other pushes, and in
// the last reading.
std::int64_t addresses_before(Database& database, const std::string& push,
                              const std::string& section);

// Notes for the push that the list of this section has lost addresses, unless that is known.
void note_list_loss(Database& database, const std::string& push, const std::string& section);
// When that was noted; empty: it was not.
std::optional<Instant> list_lost_since(Database& database, const std::string& push,
                                       const std::string& section);

}  // namespace surveybridge::crm
