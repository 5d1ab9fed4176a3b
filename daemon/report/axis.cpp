#include "daemon/report/axis.hpp"

#include <algorithm>
#include <cmath>

namespace surveybridge::daemon {

namespace {

constexpr double kMostSteps = 5;

// 1, 2 or 5 times a power of ten, so that at most five steps make the span.
double step_of(double span) {
  const double power = std::pow(10, std::floor(std::log10(span / kMostSteps)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power * kMostSteps >= span * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace

double Axis::place(double value) const {
  return high > low ? std::clamp((value - low) / (high - low), 0.0, 1.0) : 0.5;
}

Axis axis_of(const mapping::Interval& values, const mapping::Interval& range, double span) {
  const double widest = range.high - range.low;
  if (widest <= 0) return {range.low - 0.5, range.low + 0.5, {range.low}};
  const double wide = std::min(widest, std::max(span, values.high - values.low));
  const double middle = (values.low + values.high) / 2;
  double low = std::clamp(middle - wide / 2, range.low, std::max(range.low, range.high - wide));
  double high = low + wide;
  const double step = step_of(wide);
  low = std::max(range.low, std::floor(low / step + 1e-9) * step);
  high = std::min(range.high, std::ceil(high / step - 1e-9) * step);
  Axis axis{low, high, {}};
  for (double tick = std::ceil(low / step - 1e-9) * step; tick <= high + step * 1e-6; tick += step)
    axis.ticks.push_back(std::abs(tick) < step * 1e-6 ? 0 : tick);
  return axis;
}

std::string tick_text(double tick, Unit unit) {
  if (unit != Unit::mean) return number_text(tick, unit, tick == std::round(tick) ? 0 : 1);
  return plain_number(std::round(tick * 100) / 100);
}

}  // namespace surveybridge::daemon
