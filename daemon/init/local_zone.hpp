// The time zone of this machine.
#pragma once

#include <string>

namespace surveybridge::daemon {

// By its name in the zone database; UTC where it has none that the configuration takes.
std::string local_zone();

}  // namespace surveybridge::daemon
