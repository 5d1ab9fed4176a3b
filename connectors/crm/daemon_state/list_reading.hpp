// What the last reading of the operator's own list of addresses ([suppress] query) came to, for
// `status`.
#pragma once

#include <optional>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct ListReading {
  std::int64_t addresses = 0;  // different ones
  std::int64_t unread = 0;     // values of which at least a part is no address
  bool operator==(const ListReading&) const = default;
};

void keep_list_reading(Database& database, const ListReading& reading);
// Empty: no list was read yet.
std::optional<ListReading> last_list_reading(Database& database);

}  // namespace surveybridge::crm
