// SQL of scores by question, period and segment (docs/REPORTS.md). Pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/report_shape.hpp"

namespace surveybridge::crm {

// A question as the views name it.
struct ScoredQuestion {
  std::int64_t id = 0;
  std::string label;  // unlike every other
  config::Report::Question::Kind kind = config::Report::Question::Kind::mean;
  std::int64_t low = 1, high = 5;  // equal: its scale is not known
  std::vector<std::int64_t> occurrences;
};
constexpr std::size_t kScoredQuestions = 60;
// Those of which there is a score, in the order of the configuration and then of appearance. At
// most kScoredQuestions.
std::vector<ScoredQuestion> scored_questions(const ReportShape& shape,
                                             const ReportColumns& columns);

// A select in parentheses with one row for each answer with a score: push, day, segment_1 …,
// question (its label), kind, good and bad (bounds of the values that count for and against),
// score. `with_language`: and the customer's language.
std::string score_rows(Dialect dialect, const ReportShape& shape,
                       const std::vector<ScoredQuestion>& questions, bool with_language = false);

std::string score_view(Dialect dialect, const ReportShape& shape,
                       const std::vector<ScoredQuestion>& questions);
std::string distribution_view(Dialect dialect, const ReportShape& shape,
                              const std::vector<ScoredQuestion>& questions);

}  // namespace surveybridge::crm
