// What the last readings of the operator's own lists of addresses ([suppress] query and
// [suppress.lists]) came to, for `status`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct ListReading {
  std::int64_t addresses = 0;  // different ones
  std::int64_t unread = 0;     // values of which at least a part is no address
  bool operator==(const ListReading&) const = default;
};

// By the section that describes the list: "suppress", "suppress.lists.NAME".
using ListReadings = std::map<std::string, ListReading>;

// Each push keeps its own: what a person lets go for one is no word about another. What these lists
// had lost counts no longer for it.
void keep_list_readings(Database& database, const std::string& push, const ListReadings& readings);
// Those of these pushes, also by an earlier configuration; empty: of all. Of a list that several
// have read, the reading with the most addresses.
ListReadings last_list_readings(Database& database, const std::vector<std::string>& pushes);

// Notes for the push that the list of this section has lost addresses, unless that is known.
void note_list_loss(Database& database, const std::string& push, const std::string& section);
// When that was noted; empty: it was not.
std::optional<Instant> list_lost_since(Database& database, const std::string& push,
                                       const std::string& section);

}  // namespace surveybridge::crm
