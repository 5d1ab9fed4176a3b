#include "mapping/statistics/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>

namespace surveybridge::mapping {

std::int64_t count_between(const Distribution& answers, std::int64_t low, std::int64_t high) {
  std::int64_t sum = 0;
  for (auto it = answers.lower_bound(low); it != answers.end() && it->first <= high; ++it)
    if (it->second > 0) sum += it->second;
  return sum;
}

ScaleCounts count(const Distribution& answers, const Scale& scale) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t on = count_between(answers, scale.low, scale.high);
  return {on, count_between(answers, Limits::min(), Limits::max()) - on};
}

Distribution on_scale(const Distribution& answers, const Scale& scale) {
  Distribution on;
  for (auto it = answers.lower_bound(scale.low); it != answers.end() && it->first <= scale.high;
       ++it)
    if (it->second > 0) on.insert(*it);
  return on;
}

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

namespace {

// Three answers more, spread as one half passive and one quarter on each side. Without them the
// interval of equal answers has no width.
constexpr double kMore = 3;

struct Estimate {
  double score, variance;  // as shares, not times 100
};

Estimate adjusted(const NetPromoter& counts) {
  const double answers = static_cast<double>(counts.answers()) + kMore;
  const double up = (static_cast<double>(counts.promoters) + kMore / 4) / answers;
  const double down = (static_cast<double>(counts.detractors) + kMore / 4) / answers;
  const double score = up - down;
  return {score, (up + down - score * score) / answers};
}

}  // namespace

NetPromoter net_promoter(const Distribution& answers) {
  return {count_between(answers, 9, 10), count_between(answers, 7, 8), count_between(answers, 0, 6),
          count(answers, kNetPromoterScale).off};
}

std::optional<double> score(const NetPromoter& counts) {
  if (counts.answers() == 0) return std::nullopt;
  return 100 * static_cast<double>(counts.promoters - counts.detractors) /
         static_cast<double>(counts.answers());
}

Interval interval(const NetPromoter& counts) {
  const auto value = score(counts);
  if (!value) return {-100, 100};
  const Estimate estimate = adjusted(counts);
  const double half = kNormalQuantile * std::sqrt(estimate.variance);
  return {std::min(*value, std::max(-100.0, 100 * (estimate.score - half))),
          std::max(*value, std::min(100.0, 100 * (estimate.score + half)))};
}

std::optional<Difference> difference(const NetPromoter& now, const NetPromoter& before) {
  const auto a = score(now), b = score(before);
  if (!a || !b) return std::nullopt;
  const Estimate p = adjusted(now), q = adjusted(before);
  const double middle = p.score - q.score;
  const double half = kNormalQuantile * std::sqrt(p.variance + q.variance);
  const double moved = *a - *b;
  return Difference{moved, Interval{std::min(moved, 100 * (middle - half)),
                                    std::max(moved, 100 * (middle + half))}};
}

namespace {

constexpr double kZ = kNormalQuantile;

struct Counts {
  double part, whole;
};

Counts counts_of(const Proportion& proportion) {
  const std::int64_t whole = std::max<std::int64_t>(proportion.whole, 0);
  const std::int64_t part = std::clamp<std::int64_t>(proportion.part, 0, whole);
  return {static_cast<double>(part), static_cast<double>(whole)};
}

// From 0; as an unsigned number, so that no scale is too wide.
std::uint64_t steps_of(const Scale& scale) {
  return static_cast<std::uint64_t>(scale.high) - static_cast<std::uint64_t>(scale.low);
}

Scale top_of(const Scale& scale, std::uint64_t positions) {
  return {static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.high) - (positions - 1)),
          scale.high};
}

}  // namespace

std::optional<double> share(const Proportion& proportion) {
  const auto [part, whole] = counts_of(proportion);
  if (whole == 0) return std::nullopt;
  return part / whole;
}

Interval wilson(const Proportion& proportion) {
  const auto [part, whole] = counts_of(proportion);
  if (whole == 0) return {0, 1};
  const double rest = whole - part;
  const double root = kZ * std::sqrt(part * rest / whole + kZ * kZ / 4);
  const double below = whole + kZ * kZ;
  // The upper end of a share of 1 is exact; the formula can miss it by a rounding error.
  return {(part + kZ * kZ / 2 - root) / below, rest == 0 ? 1 : (part + kZ * kZ / 2 + root) / below};
}

std::optional<Difference> difference(const Proportion& now, const Proportion& before) {
  const auto p = share(now), q = share(before);
  if (!p || !q) return std::nullopt;
  const Interval a = wilson(now), b = wilson(before);
  const double moved = *p - *q;
  return Difference{moved, Interval{moved - std::hypot(*p - a.low, b.high - *q),
                                    moved + std::hypot(a.high - *p, *q - b.low)}};
}

Scale satisfied(const Scale& scale) {
  if (scale.high < scale.low) return scale;
  return top_of(scale, steps_of(scale) < 3 ? 1 : 2);
}

Scale at_ease(const Scale& scale) {
  if (scale.high < scale.low) return scale;
  const std::uint64_t steps = steps_of(scale);
  // Three sevenths of the positions, rounded down: (steps + 1) * 3 / 7 without overflow.
  const std::uint64_t positions = steps / 7 * 3 + (steps % 7 + 1) * 3 / 7;
  return top_of(scale, std::max<std::uint64_t>(1, positions));
}

double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

// Both distributions are incomplete functions: of gamma and of beta.
double at_most(std::int64_t count, double mean, double variance) {
  constexpr double kNearlyPoisson = 1.0001;
  const double next = static_cast<double>(count) + 1;
  if (variance <= mean * kNearlyPoisson) return boost::math::gamma_q(next, mean);
  const double size = mean * mean / (variance - mean);
  return boost::math::ibeta(size, next, mean / variance);
}

Proportion top_share(const Distribution& answers, const Scale& scale, const Scale& top) {
  return {count_between(answers, top.low, top.high), count(answers, scale).on};
}

}  // namespace surveybridge::mapping
