// Every figure of a survey report, worked out once; all forms of the report show these. Pure.
// Texts from the database are fit to be shown, and only `texts` can contain an address or a word
// of a customer.
#pragma once

#include <string>
#include <vector>

#include "daemon/report/measure.hpp"
#include "daemon/report/report.hpp"

namespace surveybridge::daemon {

// A stage of the way from the transaction to the answer.
struct Step {
  const char* name;
  std::int64_t number = 0;
  std::int64_t of = 0;  // transactions
};

struct Figures {
  std::string title, scope, made;
  std::vector<std::string> verdict;  // sentences
  std::vector<Step> steps, losses;
  std::vector<Measure> measures;  // the response rate first
  ReportLine total, before;
  std::vector<ReportLine> periods, segments;  // the segments by their number of answers
  std::string period, segment;                // "Week"; what the segments are by (data)
  std::vector<ReasonCount> suppressed, quarantined;
  std::vector<ReasonCount> not_invited;  // by the service's status
  std::vector<BounceCount> bounces;
  std::vector<HeldPush> held;
  std::string contact;  // a sentence
  bool with_texts = false;
  std::vector<ReportText> texts;
  std::vector<std::string> notes;  // how the figures are worked out, a sentence or two each
  bool empty = false;              // there is nothing in this time
};

Figures figures_of(const SurveyReport& report);

}  // namespace surveybridge::daemon
