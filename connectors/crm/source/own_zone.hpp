// The time zone that the CRM's database itself is set to, which says in which clock its programs
// probably write.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

struct OwnZone {
  std::string name;           // as the database writes it: "Europe/Berlin", "CEST", "+02:00"
  std::chrono::minutes east;  // of UTC, now
};
// Whatever the zone of this session is. Empty: it has none, or does not tell. Throws DatabaseError.
std::optional<OwnZone> own_zone(Database& database);

}  // namespace surveybridge::crm
