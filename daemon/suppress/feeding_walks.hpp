// Which walks of the pulls must be fresh for [suppress] to know whom not to mail. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

struct FeedingWalk {
  std::string list, name, by;  // `name`: as in survey_cursor
  Duration stale_after{0};     // it must have ended within that time
  Duration every{0};           // from its end to its next beginning
};

// The walks of the pulls themselves, and of their [[walk]]s those by a date that a rule of
// [suppress] rests on: an OptedOutDate walk brings who opted out. A [[walk]] that is made less
// often than `stale_after` may take its own interval longer. Empty without [suppress].
std::vector<FeedingWalk> feeding_walks(const config::Settings& settings);

}  // namespace surveybridge::daemon
