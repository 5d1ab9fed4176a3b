#include "daemon/report/estimate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace surveybridge::daemon {

namespace {

using mapping::Difference;
using mapping::Interval;
using mapping::Mean;
using mapping::NetPromoter;
using mapping::Proportion;

Interval times_hundred(const Interval& interval) {
  return {100 * interval.low, 100 * interval.high};
}

// In the unit that is shown. Each sample has an answer.
struct Value {
  double operator()(const Proportion& of) const { return 100 * share(of).value_or(0); }
  double operator()(const NetPromoter& of) const { return score(of).value_or(0); }
  double operator()(const Mean& of) const { return of.value; }
};

struct IntervalOf {
  std::optional<Interval> operator()(const Proportion& of) const {
    return times_hundred(wilson(of));
  }
  std::optional<Interval> operator()(const NetPromoter& of) const { return interval(of); }
  std::optional<Interval> operator()(const Mean& of) const { return interval(of); }
};

struct DifferenceOf {
  std::optional<Difference> operator()(const Proportion& now, const Proportion& before) const {
    auto found = difference(now, before);
    if (!found) return found;
    return Difference{100 * found->value, times_hundred(*found->interval)};
  }
  std::optional<Difference> operator()(const NetPromoter& now, const NetPromoter& before) const {
    return difference(now, before);
  }
  std::optional<Difference> operator()(const Mean& now, const Mean& before) const {
    return difference(now, before);
  }
  template <typename A, typename B>
  std::optional<Difference> operator()(const A& /*now*/, const B& /*before*/) const {
    return std::nullopt;
  }
};

bool enough(const Sample& sample, const Least& least) {
  return size_of(sample) >= std::max<std::int64_t>(1, least.number);
}

std::string too_few(std::int64_t n, const Least& least) {
  return n == 0 ? fmt::format("no{} {}", least.of == "due" ? "ne" : "", least.of)
                : fmt::format("fewer than {} {}", count_text(least.number), least.of);
}

// A difference of percentages or of scores is in points.
Unit unit_of_move(Unit unit) {
  return unit == Unit::mean ? unit : Unit::points;
}

// "up 6 points (2–10 points)". Without the sign, as the word says it.
std::string change_text(const Difference& moved, Unit unit, int decimals) {
  const bool up = moved.value > 0;
  const Interval size =
      up ? *moved.interval : Interval{-moved.interval->high, -moved.interval->low};
  return fmt::format("{} {} ({})", up ? "up" : "down",
                     number_text(std::abs(moved.value), unit, decimals),
                     range_text(size, unit == Unit::mean ? unit : Unit::score, decimals));
}

}  // namespace

mapping::Scale scale_of(const ReportQuestion& question) {
  if (question.kind == QuestionKind::nps) return mapping::kNetPromoterScale;
  return {question.low, question.high};
}

Sample response_sample(const Funnel& funnel) {
  const std::int64_t due = std::max<std::int64_t>(funnel.due, 0);
  return Proportion{std::clamp<std::int64_t>(funnel.due_finished, 0, due), due};
}

Sample answer_sample(const ReportQuestion& question, const mapping::Distribution& answers) {
  const mapping::Scale scale = scale_of(question);
  switch (question.kind) {
    case QuestionKind::nps:
      return mapping::net_promoter(answers);
    case QuestionKind::csat:
      return top_share(answers, scale, mapping::satisfied(scale));
    case QuestionKind::ces:
      return top_share(answers, scale, mapping::at_ease(scale));
    case QuestionKind::mean:
      break;
  }
  return mean(answers, scale);
}

std::int64_t size_of(const Sample& sample) {
  struct Size {
    std::int64_t operator()(const Proportion& of) const { return of.whole; }
    std::int64_t operator()(const NetPromoter& of) const { return of.answers(); }
    std::int64_t operator()(const Mean& of) const { return of.answers; }
  };
  return std::visit(Size{}, sample);
}

Estimate estimate(const Sample& sample, const Least& least, Unit unit) {
  Estimate found;
  found.n = size_of(sample);
  if (const auto* share = std::get_if<Proportion>(&sample)) found.part = share->part;
  if (!enough(sample, least)) {
    found.text = too_few(found.n, least);
    return found;
  }
  const double value = std::visit(Value{}, sample);
  found.value = value;
  found.interval = std::visit(IntervalOf{}, sample);
  const int decimals = decimals_of(value, found.interval, unit);
  found.text = number_text(value, unit, decimals);
  found.interval_text = found.interval ? range_text(*found.interval, unit, decimals)
                                       : (found.n == 1 ? "of one answer" : "all equal");
  return found;
}

Move move_of(const Sample& now, const Sample& before, const Least& least, Unit unit) {
  if (!enough(now, least) || !enough(before, least))
    return {
        false,
        false,
        {},
        {},
        "not comparable, " + std::string(enough(now, least) ? "too few before" : "too few now")};
  const auto moved = std::visit(DifferenceOf{}, now, before);
  if (!moved) return {};
  Move found{true, moved->is_change(), moved->value, moved->interval, ""};
  const Unit shown = unit_of_move(unit);
  const int decimals = decimals_of(moved->value, moved->interval, shown);
  if (found.is_change) {
    found.text = change_text(*moved, shown, decimals_of_change(*moved->interval, decimals));
  } else if (moved->interval) {
    found.text = fmt::format("none shown ({})", range_text(*moved->interval, shown, decimals));
  } else {
    found.text = "none shown (all equal)";
  }
  return found;
}

}  // namespace surveybridge::daemon
