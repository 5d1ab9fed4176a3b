// Times, lengths of time, and numbers of things as text for people. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// "1 s" at least, "3 min", "5 h", "2 days": in the largest unit of which there are two.
std::string length_text(Duration length);

// "2026-01-31T08:00:00Z", rounded down.
std::string second_text(TimePoint at);

// "1 row", "2 rows". `thing`: in the singular.
std::string counted(std::int64_t number, std::string_view thing);

}  // namespace surveybridge::daemon
