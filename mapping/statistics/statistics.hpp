// Shares, means and net promoter scores of answers, each with an interval of 95 % confidence, and
// differences of them (docs/REPORTS.md, "Statistics"); how likely so few of something are. Pure;
// only the source uses Boost.Math.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace surveybridge::mapping {

// The 0.975 quantile of the standard normal distribution.
inline constexpr double kNormalQuantile = 1.959963984540054;

struct Interval {
  double low = 0, high = 0;
};

// A figure now less the same figure before.
struct Difference {
  double value = 0;
  std::optional<Interval> interval = {};  // empty: the answers cannot tell one

  // The interval excludes zero: the answers show that the figure has changed.
  bool is_change() const { return interval && (interval->low > 0 || interval->high < 0); }
};

// Value -> number of answers with it. A number below 1 counts as 0.
using Distribution = std::map<std::int64_t, std::int64_t>;

// Both ends belong to it. Without a value if high < low.
struct Scale {
  std::int64_t low = 0, high = 10;
};

struct ScaleCounts {
  std::int64_t on = 0, off = 0;  // answers on the scale, and beside it
};

ScaleCounts count(const Distribution& answers, const Scale& scale);
// The number of answers from `low` to `high`.
std::int64_t count_between(const Distribution& answers, std::int64_t low, std::int64_t high);
// Only what is on the scale, without values that nobody has answered.
Distribution on_scale(const Distribution& answers, const Scale& scale);

struct Mean {
  std::int64_t answers = 0;
  double value = 0;     // 0 without answers
  double variance = 0;  // of the sample, divided by answers - 1; 0 with fewer than two answers
};

// Of the answers on the scale.
Mean mean(const Distribution& answers, const Scale& scale);
// Student's t interval. Empty: fewer than two answers, or all are equal; then the answers do not
// tell how much they scatter.
std::optional<Interval> interval(const Mean& mean);
// With Welch's t interval. Empty: no answers on a side. Its interval is empty if a side has fewer
// than two answers, or neither side scatters.
std::optional<Difference> difference(const Mean& now, const Mean& before);

// The 0.975 quantile of Student's t distribution. `freedom` > 0.
double t_quantile(double freedom);

inline constexpr Scale kNetPromoterScale{0, 10};

struct NetPromoter {
  std::int64_t promoters = 0, passives = 0, detractors = 0;
  std::int64_t outside = 0;  // answers beside the scale, which are not counted

  std::int64_t answers() const { return promoters + passives + detractors; }
};

NetPromoter net_promoter(const Distribution& answers);
// -100 to 100. Empty: no answers.
std::optional<double> score(const NetPromoter& counts);
// The adjusted Wald interval of the difference of two shares of a multinomial sample, in points,
// within -100 to 100. It always contains the score. Without answers: -100 to 100.
Interval interval(const NetPromoter& counts);
// In points, with the Wald interval of the difference of two independent scores, each adjusted in
// the same way; it always contains the difference. Empty: no answers on a side.
std::optional<Difference> difference(const NetPromoter& now, const NetPromoter& before);

// 0 <= part <= whole; other numbers count as the nearest of these.
struct Proportion {
  std::int64_t part = 0, whole = 0;
};

// 0 to 1. Empty: the whole is 0.
std::optional<double> share(const Proportion& proportion);
// Wilson's score interval without continuity correction. Of an empty whole: 0 to 1.
Interval wilson(const Proportion& proportion);
// With Newcombe's hybrid score interval (his method 10). Empty: a whole is 0.
std::optional<Difference> difference(const Proportion& now, const Proportion& before);

// The best positions of a satisfaction scale (CSAT): the top two, as 4 and 5 of 1 to 5; of a scale
// with fewer than four positions the top one.
Scale satisfied(const Scale& scale);
// The best positions of an effort scale (CES 2.0): 5 to 7 of 1 to 7; of another scale what lies in
// its upper three sevenths, at least one position.
Scale at_ease(const Scale& scale);

// The middle one, or the mean of the two in the middle. 0 without numbers.
double median(std::vector<double> numbers);

// The probability of at most `count` where `mean` come on average: Poisson's distribution, or the
// negative binomial one where the variance is larger than the mean. `mean` > 0, `count` >= 0.
double at_most(std::int64_t count, double mean, double variance);

// The answers on `top` of those on `scale`.
Proportion top_share(const Distribution& answers, const Scale& scale, const Scale& top);

}  // namespace surveybridge::mapping
