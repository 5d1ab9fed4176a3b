// The measures of a report: samples of answers, and what is estimated of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "daemon/report/figures.hpp"

namespace surveybridge::daemon {

namespace {

using mapping::Difference;
using mapping::Interval;
using mapping::Mean;
using mapping::NetPromoter;
using mapping::Proportion;
using mapping::Scale;

constexpr std::uint64_t kMostBars = 20;

// What an estimate is worked out of.
using Sample = std::variant<Proportion, NetPromoter, Mean>;

// How many there must be, and what they are called: "answers", "due".
struct Least {
  std::int64_t number;
  std::string_view of;
};

std::int64_t size_of(const Sample& sample) {
  if (const auto* share = std::get_if<Proportion>(&sample)) return share->whole;
  const auto* counts = std::get_if<NetPromoter>(&sample);
  return counts ? counts->answers() : std::get<Mean>(sample).answers;
}

bool enough(const Sample& sample, const Least& least) {
  return size_of(sample) >= std::max<std::int64_t>(1, least.number);
}

Interval in_percent(const Interval& interval) {
  return {100 * interval.low, 100 * interval.high};
}

Estimate estimate(const Sample& sample, const Least& least, Unit unit) {
  Estimate found{size_of(sample)};
  const auto* part = std::get_if<Proportion>(&sample);
  if (part) found.part = part->part;
  if (!enough(sample, least)) {
    found.text = found.n == 0 ? fmt::format("no{} {}", least.of == "due" ? "ne" : "", least.of)
                              : fmt::format("fewer than {} {}", count_text(least.number), least.of);
    return found;
  }
  if (part) {
    found.value = 100 * share(*part).value_or(0);
    found.interval = in_percent(wilson(*part));
  } else if (const auto* counts = std::get_if<NetPromoter>(&sample)) {
    found.value = score(*counts);
    found.interval = interval(*counts);
  } else {
    found.value = std::get<Mean>(sample).value;
    found.interval = interval(std::get<Mean>(sample));
  }
  const int decimals = decimals_of(*found.value, found.interval, unit);
  found.text = number_text(*found.value, unit, decimals);
  found.interval_text = found.interval ? range_text(*found.interval, unit, decimals)
                                       : (found.n == 1 ? "of one answer" : "all equal");
  return found;
}

// In the unit that is shown. Both samples are of one kind.
std::optional<Difference> difference_of(const Sample& now, const Sample& before) {
  auto found = std::visit(
      [&](const auto& of) { return difference(of, std::get<std::decay_t<decltype(of)>>(before)); },
      now);
  if (found && std::holds_alternative<Proportion>(now))
    return Difference{100 * found->value, in_percent(*found->interval)};
  return found;
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

Move move_of(const Sample& now, const Sample& before, const Least& least, Unit unit) {
  if (!enough(now, least) || !enough(before, least))
    return {.text =
                std::string("not comparable, too few ") + (enough(now, least) ? "before" : "now")};
  const auto moved = difference_of(now, before);
  if (!moved) return {};
  Move found{true, moved->is_change(), moved->value, moved->interval};
  // A difference of percentages or of scores is in points.
  const Unit shown = unit == Unit::mean ? unit : Unit::points;
  const int decimals = decimals_of(moved->value, moved->interval, shown);
  if (found.is_change) {
    found.text = change_text(*moved, shown, decimals_of_change(*moved->interval, decimals));
  } else {
    found.text =
        fmt::format("no clear change ({})",
                    moved->interval ? range_text(*moved->interval, shown, decimals) : "all equal");
  }
  return found;
}

Scale scale_of(const ReportQuestion& question) {
  if (question.kind == QuestionKind::nps) return mapping::kNetPromoterScale;
  return {question.low, question.high};
}

// The answers on the question's scale.
Sample answer_sample(const ReportQuestion& question, const mapping::Distribution& answers) {
  if (question.kind == QuestionKind::nps) return mapping::net_promoter(answers);
  if (question.kind == QuestionKind::mean) return mean(answers, scale_of(question));
  return top_share(answers, scale_of(question), question.best());
}

// By the kind of a question.
constexpr std::array kKinds = {"NPS", "CSAT", "CES", "mean"};
constexpr std::array kUnits = {Unit::score, Unit::percent, Unit::percent, Unit::mean};

// What the score says, and its smallest and largest value.
std::pair<std::string, Interval> meaning_of(const ReportQuestion& question) {
  const Scale scale = scale_of(question), best = question.best();
  if (question.kind == QuestionKind::nps)
    return {
        "Share of promoters (9 and 10) less share of detractors (0 to 6), in points from -100 to "
        "100.",
        {-100, 100}};
  if (question.kind == QuestionKind::mean)
    return {fmt::format("Mean of the answers, shown from {} to {}.", scale.low, scale.high),
            {static_cast<double>(scale.low), static_cast<double>(scale.high)}};
  return {fmt::format("Share of the answers {} to {} on the scale from {} to {}.", best.low,
                      best.high, scale.low, scale.high),
          {0, 100}};
}

// What the positions of a scale count as, from the lowest; empty: they are all alike.
std::vector<std::string> groups_of(const ReportQuestion& question) {
  if (question.kind == QuestionKind::nps) return {"detractors", "passives", "promoters"};
  if (question.kind == QuestionKind::mean) return {};
  return {"others", question.kind == QuestionKind::csat ? "satisfied" : "found it easy"};
}

std::size_t group_of(const ReportQuestion& question, std::int64_t position) {
  const bool passive = question.kind == QuestionKind::nps && position >= 7;
  return (passive ? 1 : 0) + (position >= question.best().low ? 1 : 0);
}

// Fills the figures of a measure, given what makes a line's sample.
template <typename SampleOf>
void fill(Measure& measure, const Figures& figures, SampleOf sample_of, const Least& least) {
  const auto estimate_of = [&](const ReportLine& line) {
    return estimate(sample_of(line), least, measure.unit);
  };
  measure.total = estimate_of(figures.total);
  measure.before = estimate_of(figures.before);
  measure.move = move_of(sample_of(figures.total), sample_of(figures.before), least, measure.unit);
  std::ranges::transform(figures.periods, std::back_inserter(measure.periods), estimate_of);
  std::ranges::transform(figures.segments, std::back_inserter(measure.segments), estimate_of);
}

Measure response_measure(const Figures& figures, std::int64_t least) {
  Measure measure{"response_rate",
                  "Response rate",
                  "",
                  "",
                  "Finished surveys of the delivered invitations that could have been answered.",
                  Unit::percent,
                  {0, 100}};
  const auto sample = [](const ReportLine& line) {
    const std::int64_t due = std::max<std::int64_t>(line.funnel.due, 0);
    return Proportion{std::clamp<std::int64_t>(line.funnel.due_finished, 0, due), due};
  };
  fill(measure, figures, sample, {least, "due"});
  for (std::size_t i = 0; i < measure.periods.size(); ++i) {
    const auto& funnel = figures.periods[i].funnel;
    Estimate& of = measure.periods[i];
    of.so_far = of.value && 2 * funnel.due < funnel.invited - funnel.bounced;
    if (of.so_far) of.text += " so far";
  }
  return measure;
}

// `index`: of the question, which is its place among the scores of a line.
Measure question_measure(const ReportQuestion& question, std::size_t index, const Figures& figures,
                         std::int64_t least) {
  const auto answers_of = [index](const ReportLine& line) {
    return index < line.scores.size() ? line.scores[index] : mapping::Distribution{};
  };
  const auto kind = static_cast<std::size_t>(question.kind);
  const auto [meaning, range] = meaning_of(question);
  Measure measure{fmt::format("question_{}", index + 1),
                  question.label,
                  kKinds.at(kind),
                  question.text,
                  meaning,
                  kUnits.at(kind),
                  range};
  const auto sample = [&](const ReportLine& line) {
    return answer_sample(question, answers_of(line));
  };
  fill(measure, figures, sample, {least, "answers"});
  measure.outside = count(answers_of(figures.total), scale_of(question)).off;
  if (measure.total.value) measure.spread = bars_of(question, answers_of(figures.total));
  return measure;
}

}  // namespace

Bars bars_of(const ReportQuestion& question, const mapping::Distribution& answers) {
  const Scale scale = scale_of(question);
  if (scale.high < scale.low) return {};
  const std::uint64_t last = static_cast<std::uint64_t>(scale.high) -
                             static_cast<std::uint64_t>(scale.low);  // the lowest position is 0
  const std::uint64_t positions = last / kMostBars + 1;              // of each bar
  Bars found;
  if (positions == 1) found.groups = groups_of(question);
  for (std::uint64_t first = 0;; first += positions) {
    const std::uint64_t end = std::min(last - first, positions - 1) + first;
    const auto low = static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.low) + first);
    const auto high = static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.low) + end);
    found.bars.push_back({first == end ? std::to_string(low) : fmt::format("{} to {}", low, high),
                          mapping::count_between(answers, low, high),
                          found.groups.empty() ? 0 : group_of(question, low)});
    if (end == last) return found;
  }
}

std::vector<Measure> measures_of(const SurveyReport& report, const Figures& figures) {
  std::vector<Measure> measures{response_measure(figures, report.least)};
  for (std::size_t i = 0; i < report.questions.size(); ++i) {
    ReportQuestion question = report.questions[i];
    question.label = shown_name(question.label, fmt::format("Question {}", i + 1));
    question.text = shown_name(question.text, "");
    measures.push_back(question_measure(question, i, figures, report.least));
  }
  return measures;
}

}  // namespace surveybridge::daemon
