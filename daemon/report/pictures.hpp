// The pictures of a survey report, each the figures of one table, as inline SVG. Pure. Each also
// reads in black and white: meanings have a pattern, a dash or a word.
#pragma once

#include <string>
#include <vector>

#include "daemon/report/figures.hpp"

namespace surveybridge::daemon {

inline constexpr std::size_t kPictureBars = 30;

// The picture that the table asks for: bars, one for each of its first kPictureBars rows, with the
// intervals of figures that have some; or a line over the time with the band of its intervals, and
// a gap where a figure is not shown, which takes two figures. Empty: there is nothing to draw, or
// no picture.
std::string picture_of(const ReportTable& table);

// "2026-09-07" as the label of an axis: "7 Sep", or with its year. Another text: cut.
std::string day_label(const std::string& day, bool year);
// "2026-02-01" as the name of its month: "Feb 2026". Another text stays.
std::string month_text(const std::string& day);

// The axis of a picture: a range that contains all values, and round numbers to label it.
struct Axis {
  double low = 0, high = 1;
  std::vector<double> ticks;  // from low to high, at most seven

  // 0 at `low`, 1 at `high`; what lies beyond is drawn at the end.
  double place(double value) const;
};

// Contains `values`, which must lie within `range`, and does not leave the range. `span`: at least
// so wide, so that noise does not look large.
Axis axis_of(const mapping::Interval& values, const mapping::Interval& range, double span);

}  // namespace surveybridge::daemon
