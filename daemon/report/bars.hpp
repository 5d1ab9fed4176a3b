// How the answers to a question spread over its scale. Pure.
#pragma once

#include <string>
#include <vector>

#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// The answers at a position of the scale, or at some beside each other.
struct Bar {
  std::string name;  // "4", "40–44"
  std::int64_t number = 0;
  std::size_t group = 0;  // of Bars::groups
};

struct Bars {
  std::vector<Bar> bars;            // from the lowest position; empty: the scale is none
  std::vector<std::string> groups;  // "detractors", …; empty: the positions are all alike
};

// At most 20 bars: on a wider scale each stands for as many positions as necessary.
Bars bars_of(const ReportQuestion& question, const mapping::Distribution& answers);

}  // namespace surveybridge::daemon
