// Is the zone in which dates are read the one to which their database is set? Pure.
#pragma once

#include <cstdint>
#include <string>

#include "connectors/crm/source/own_zone.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

struct ZoneFacts {
  std::string when;        // a column of dates without a zone
  std::string zone;        // in which they are read
  crm::OwnZone own;        // of the database
  TimePoint now;           // by the database's clock
  std::int64_t later = 0;  // rows that lie up to a day in the future, as they are read
};

// Both zones with the time that each has; empty: they have the same.
std::string zone_note(const ZoneFacts& facts);

}  // namespace surveybridge::daemon
