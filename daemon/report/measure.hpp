// The response rate and the score of each question, with everything that is shown of them. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "daemon/report/estimate.hpp"
#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// The answers at a position of the scale, or at some beside each other.
struct Bar {
  std::string name;  // "4", "40–44"
  std::int64_t number = 0;
  std::size_t group = 0;  // of Bars::groups
};

// How the answers to a question spread over its scale.
struct Bars {
  std::vector<Bar> bars;            // from the lowest position; empty: the scale is none
  std::vector<std::string> groups;  // "detractors", …; empty: the positions are all alike
};

// At most 20 bars: on a wider scale each stands for as many positions as necessary.
Bars bars_of(const ReportQuestion& question, const mapping::Distribution& answers);

// The response rate, or the score of a question, everywhere where it is shown.
struct Measure {
  std::string id;        // "response_rate", "question_1", …
  std::string name;      // "Response rate", or the question's label (data)
  std::string kind;      // "NPS", "CSAT", "CES", "mean"; empty: the response rate
  std::string question;  // as the customer read it (data); may be empty
  std::string meaning;   // what the figure says, in a sentence
  Unit unit = Unit::mean;
  mapping::Interval range;  // the smallest and the largest possible value
  std::string_view of;      // what n counts: "answers", "could answer"

  Estimate total, before;
  Move move;
  std::vector<Estimate> periods, segments;  // parallel to the lines

  Bars spread;               // without bars: of the response rate, or of too few answers
  std::int64_t outside = 0;  // answers beside the scale, which no figure counts
};

struct MeasuredLines {
  const ReportLine& total;
  const ReportLine& before;
  const std::vector<ReportLine>& periods;
  const std::vector<ReportLine>& segments;
};

// `least`: a figure from fewer is not shown.
Measure response_measure(const MeasuredLines& lines, std::int64_t least);
// `index`: of the question, which is its place among the scores of a line.
Measure question_measure(const ReportQuestion& question, std::size_t index,
                         const MeasuredLines& lines, std::int64_t least);

}  // namespace surveybridge::daemon
