// The axis of a picture: a range that contains all values, and round numbers to label it. Pure.
#pragma once

#include <string>
#include <vector>

#include "daemon/report/shown_number.hpp"
#include "mapping/statistics/interval.hpp"

namespace surveybridge::daemon {

struct Axis {
  double low = 0, high = 1;
  std::vector<double> ticks;  // from low to high, at most seven

  // 0 at `low`, 1 at `high`; what lies beyond is drawn at the end.
  double place(double value) const;
};

// Contains `values`, which must lie within `range`, and does not leave the range. `span`: at least
// so wide, so that noise does not look large.
Axis axis_of(const mapping::Interval& values, const mapping::Interval& range, double span);
// "30 %", "-20", "4.5".
std::string tick_text(double tick, Unit unit);

}  // namespace surveybridge::daemon
