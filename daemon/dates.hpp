// A date of the configuration as an instant: its own offset, else the CRM's zone. Pure.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "daemon/job.hpp"
#include "mapping/dates.hpp"

namespace surveybridge::daemon {

inline TimePoint instant_of(const config::Date& date, const std::string& zone) {
  if (!date.offset) return mapping::in_zone(date.local, zone);
  return TimePoint{date.local.time_since_epoch() - *date.offset};
}

}  // namespace surveybridge::daemon
