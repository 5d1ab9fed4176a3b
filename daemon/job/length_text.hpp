// A length of time in words, for people. Pure.
#pragma once

#include <string>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// "1 s" at least, "3 min", "5 h", "2 days": in the largest unit of which there are two.
std::string length_text(Duration length);

}  // namespace surveybridge::daemon
