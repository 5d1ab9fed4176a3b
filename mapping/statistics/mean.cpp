#include "mapping/statistics/mean.hpp"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

namespace surveybridge::mapping {

namespace {

// The variance of the mean itself.
double squared_error(const Mean& mean) {
  return mean.variance / static_cast<double>(mean.answers);
}

double freedom_of(const Mean& mean) {
  return static_cast<double>(mean.answers - 1);
}

}  // namespace

double t_quantile(double freedom) {
  return boost::math::quantile(
      boost::math::complement(boost::math::students_t_distribution<double>(freedom), 0.025));
}

Mean mean(const Distribution& answers, const Scale& scale) {
  Mean found;
  double sum = 0;
  const Distribution on = on_scale(answers, scale);
  for (const auto& [value, number] : on) {
    found.answers += number;
    sum += static_cast<double>(value) * static_cast<double>(number);
  }
  if (found.answers == 0) return found;
  found.value = sum / static_cast<double>(found.answers);
  if (on.size() < 2) return found;
  double squares = 0;
  for (const auto& [value, number] : on) {
    const double off = static_cast<double>(value) - found.value;
    squares += off * off * static_cast<double>(number);
  }
  found.variance = squares / freedom_of(found);
  return found;
}

std::optional<Interval> interval(const Mean& mean) {
  if (mean.answers < 2 || mean.variance <= 0) return std::nullopt;
  const double half = t_quantile(freedom_of(mean)) * std::sqrt(squared_error(mean));
  return Interval{mean.value - half, mean.value + half};
}

std::optional<Difference> difference(const Mean& now, const Mean& before) {
  if (now.answers < 1 || before.answers < 1) return std::nullopt;
  Difference found{now.value - before.value};
  if (now.answers < 2 || before.answers < 2) return found;
  const double a = squared_error(now), b = squared_error(before);
  if (a + b <= 0) return found;
  // Welch's and Satterthwaite's degrees of freedom.
  const double freedom = (a + b) * (a + b) / (a * a / freedom_of(now) + b * b / freedom_of(before));
  const double half = t_quantile(freedom) * std::sqrt(a + b);
  found.interval = Interval{found.value - half, found.value + half};
  return found;
}

}  // namespace surveybridge::mapping
