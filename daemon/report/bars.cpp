#include "daemon/report/bars.hpp"

#include <algorithm>

#include <fmt/format.h>

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

}  // namespace surveybridge::daemon
