#include <algorithm>

#include <fmt/format.h>

#include "daemon/report/estimate.hpp"
#include "daemon/report/figures.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::uint64_t kMostBars = 20;

// What a kind of question is shown as.
struct Score {
  const char* name;
  Unit unit;
  std::string meaning;
  mapping::Interval range;
  std::vector<std::string> groups = {};   // from the lowest; empty: the positions are all alike
  std::vector<std::int64_t> begins = {};  // the first position of each group but the first
};

Score share_of(const char* name, const mapping::Scale& top, const mapping::Scale& scale,
               const char* group) {
  return {name,
          Unit::percent,
          fmt::format("Share of the answers {} to {} on the scale from {} to {}.", top.low,
                      top.high, scale.low, scale.high),
          {0, 100},
          {"others", group},
          {top.low}};
}

Score score_of(const ReportQuestion& question) {
  const mapping::Scale scale = scale_of(question);
  switch (question.kind) {
    case QuestionKind::nps:
      return {
          "NPS",
          Unit::score,
          "Share of promoters (9 and 10) less share of detractors (0 to 6), in points from -100 "
          "to 100.",
          {-100, 100},
          {"detractors", "passives", "promoters"},
          {7, 9}};
    case QuestionKind::csat:
      return share_of("CSAT", mapping::satisfied(scale), scale, "satisfied");
    case QuestionKind::ces:
      return share_of("CES", mapping::at_ease(scale), scale, "found it easy");
    case QuestionKind::mean:
      break;
  }
  return {"mean",
          Unit::mean,
          fmt::format("Mean of the answers, shown from {} to {}.", scale.low, scale.high),
          {static_cast<double>(scale.low), static_cast<double>(scale.high)}};
}

std::size_t group_of(const Score& score, std::int64_t position) {
  return static_cast<std::size_t>(
      std::ranges::count_if(score.begins, [&](std::int64_t first) { return first <= position; }));
}

// Fills the figures of a measure, given what makes a line's sample.
template <typename SampleOf>
void fill(Measure& measure, const MeasuredLines& lines, SampleOf sample_of, const Least& least) {
  const Sample total = sample_of(lines.total), before = sample_of(lines.before);
  measure.total = estimate(total, least, measure.unit);
  measure.before = estimate(before, least, measure.unit);
  measure.move = move_of(total, before, least, measure.unit);
  for (const auto& line : lines.periods)
    measure.periods.push_back(estimate(sample_of(line), least, measure.unit));
  for (const auto& line : lines.segments)
    measure.segments.push_back(estimate(sample_of(line), least, measure.unit));
}

}  // namespace

Bars bars_of(const ReportQuestion& question, const mapping::Distribution& answers) {
  const mapping::Scale scale = scale_of(question);
  if (scale.high < scale.low) return {};
  const std::uint64_t last = static_cast<std::uint64_t>(scale.high) -
                             static_cast<std::uint64_t>(scale.low);  // the lowest position is 0
  const std::uint64_t positions = last / kMostBars + 1;              // of each bar
  const Score score = score_of(question);
  Bars found{{}, positions == 1 ? score.groups : std::vector<std::string>{}};
  for (std::uint64_t first = 0;; first += positions) {
    const std::uint64_t end = std::min(last - first, positions - 1) + first;
    const auto at = [&](std::uint64_t step) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.low) + step);
    };
    found.bars.push_back(
        {first == end ? std::to_string(at(first)) : fmt::format("{} to {}", at(first), at(end)),
         mapping::count_between(answers, at(first), at(end)),
         found.groups.empty() ? 0 : group_of(score, at(first))});
    if (end == last) return found;
  }
}

Measure response_measure(const MeasuredLines& lines, std::int64_t least) {
  Measure measure;
  measure.id = "response_rate";
  measure.name = "Response rate";
  measure.meaning = "Finished surveys of the delivered invitations that could have been answered.";
  measure.unit = Unit::percent;
  measure.range = {0, 100};
  fill(measure, lines, [](const ReportLine& line) { return response_sample(line.funnel); },
       {least, "due"});
  return measure;
}

Measure question_measure(const ReportQuestion& question, std::size_t index,
                         const MeasuredLines& lines, std::int64_t least) {
  const auto answers_of = [index](const ReportLine& line) {
    return index < line.scores.size() ? line.scores[index] : mapping::Distribution{};
  };
  Measure measure;
  measure.id = fmt::format("question_{}", index + 1);
  measure.name = question.label;
  const Score score = score_of(question);
  measure.kind = score.name;
  measure.question = question.text;
  measure.meaning = score.meaning;
  measure.unit = score.unit;
  measure.range = score.range;
  fill(measure, lines,
       [&](const ReportLine& line) { return answer_sample(question, answers_of(line)); },
       {least, "answers"});
  measure.outside = count(answers_of(lines.total), scale_of(question)).off;
  if (measure.total.value) measure.spread = bars_of(question, answers_of(lines.total));
  return measure;
}

}  // namespace surveybridge::daemon
