// Numbers as a report shows them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapping/statistics/statistics.hpp"

namespace surveybridge::daemon {

// A mean is a position of a scale, a score is one from -100 to 100, points are a difference of
// scores or of percentages.
enum class Unit { mean, percent, score, points };

// "1,040".
std::string count_text(std::int64_t count);
// "30 %", "41 points", "4.25"; never "-0".
std::string number_text(double value, Unit unit, int decimals);
// "27–33 %"; "-5 to 12 points" if an end is negative.
std::string range_text(const mapping::Interval& interval, Unit unit, int decimals);
// A part of a whole in percent, with a decimal where whole numbers would say none or all; "–"
// without a whole.
std::string part_text(std::int64_t part, std::int64_t whole);
std::optional<double> part_percent(std::int64_t part, std::int64_t whole);

// For programs: at most six decimals, without zeros at the end.
std::string plain_number(double value);

// As many decimals, up to four, as it takes that no end of the interval looks like zero that is
// not; at least `decimals`.
int decimals_of_change(const mapping::Interval& interval, int decimals);

// The decimals with which an estimate is shown: more for a narrow interval, and where a share that
// is neither 0 nor 100 would look so.
int decimals_of(double value, const std::optional<mapping::Interval>& interval, Unit unit);

}  // namespace surveybridge::daemon
