#include "daemon/report/measure.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "daemon/report/data_text.hpp"
#include "daemon/report/estimate.hpp"
#include "mapping/statistics/top_share.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::uint64_t kMostBars = 20;

std::size_t group_of(const ReportQuestion& question, std::int64_t position) {
  const mapping::Scale scale = scale_of(question);
  switch (question.kind) {
    case QuestionKind::nps:
      return position >= 9 ? 2 : (position >= 7 ? 1 : 0);
    case QuestionKind::csat:
      return position >= mapping::satisfied(scale).low ? 1 : 0;
    case QuestionKind::ces:
      return position >= mapping::at_ease(scale).low ? 1 : 0;
    case QuestionKind::mean:
      break;
  }
  return 0;
}

std::vector<std::string> groups_of(const ReportQuestion& question) {
  switch (question.kind) {
    case QuestionKind::nps:
      return {"detractors", "passives", "promoters"};
    case QuestionKind::csat:
      return {"others", "satisfied"};
    case QuestionKind::ces:
      return {"others", "found it easy"};
    case QuestionKind::mean:
      break;
  }
  return {};
}

const char* name_of(QuestionKind kind) {
  switch (kind) {
    case QuestionKind::nps:
      return "NPS";
    case QuestionKind::csat:
      return "CSAT";
    case QuestionKind::ces:
      return "CES";
    case QuestionKind::mean:
      break;
  }
  return "mean";
}

Unit unit_of(QuestionKind kind) {
  if (kind == QuestionKind::nps) return Unit::score;
  return kind == QuestionKind::mean ? Unit::mean : Unit::percent;
}

std::string share_meaning(const mapping::Scale& top, const mapping::Scale& scale) {
  return fmt::format("Share of the answers {} to {} on the scale from {} to {}.", top.low, top.high,
                     scale.low, scale.high);
}

std::string meaning_of(const ReportQuestion& question) {
  const mapping::Scale scale = scale_of(question);
  switch (question.kind) {
    case QuestionKind::nps:
      return "Share of promoters (9 and 10) less share of detractors (0 to 6), in points from -100 "
             "to 100.";
    case QuestionKind::csat:
      return share_meaning(mapping::satisfied(scale), scale);
    case QuestionKind::ces:
      return share_meaning(mapping::at_ease(scale), scale);
    case QuestionKind::mean:
      break;
  }
  return fmt::format("Mean of the answers, shown from {} to {}.", scale.low, scale.high);
}

mapping::Interval range_of(const ReportQuestion& question) {
  if (question.kind == QuestionKind::nps) return {-100, 100};
  if (question.kind != QuestionKind::mean) return {0, 100};
  return {static_cast<double>(question.low), static_cast<double>(question.high)};
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

void add_part(Estimate& estimate, const Funnel& funnel) {
  estimate.part = std::get<mapping::Proportion>(response_sample(funnel)).part;
}

}  // namespace

Bars bars_of(const ReportQuestion& question, const mapping::Distribution& answers) {
  const mapping::Scale scale = scale_of(question);
  if (scale.high < scale.low) return {};
  const std::uint64_t last = static_cast<std::uint64_t>(scale.high) -
                             static_cast<std::uint64_t>(scale.low);  // the lowest position is 0
  const std::uint64_t positions = last / kMostBars + 1;              // of each bar
  Bars found{{}, positions == 1 ? groups_of(question) : std::vector<std::string>{}};
  for (std::uint64_t first = 0;; first += positions) {
    const std::uint64_t end = std::min(last - first, positions - 1) + first;
    const auto at = [&](std::uint64_t step) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(scale.low) + step);
    };
    found.bars.push_back(
        {first == end ? std::to_string(at(first)) : fmt::format("{} to {}", at(first), at(end)),
         mapping::count_between(answers, at(first), at(end)),
         found.groups.empty() ? 0 : group_of(question, at(first))});
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
  measure.of = "could answer";
  fill(measure, lines, [](const ReportLine& line) { return response_sample(line.funnel); },
       {least, "due"});
  add_part(measure.total, lines.total.funnel);
  add_part(measure.before, lines.before.funnel);
  for (std::size_t i = 0; i < lines.periods.size(); ++i)
    add_part(measure.periods[i], lines.periods[i].funnel);
  for (std::size_t i = 0; i < lines.segments.size(); ++i)
    add_part(measure.segments[i], lines.segments[i].funnel);
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
  measure.kind = name_of(question.kind);
  measure.question = question.text;
  measure.meaning = meaning_of(question);
  measure.unit = unit_of(question.kind);
  measure.range = range_of(question);
  measure.of = "answers";
  fill(measure, lines,
       [&](const ReportLine& line) { return answer_sample(question, answers_of(line)); },
       {least, "answers"});
  measure.outside = count(answers_of(lines.total), scale_of(question)).off;
  if (measure.total.value) measure.spread = bars_of(question, answers_of(lines.total));
  return measure;
}

}  // namespace surveybridge::daemon
