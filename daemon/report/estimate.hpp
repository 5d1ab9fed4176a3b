// One figure with its interval, worked out of answers, as a number and as a text. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "daemon/report/report.hpp"
#include "daemon/report/shown_number.hpp"
#include "mapping/statistics/statistics.hpp"

namespace surveybridge::daemon {

// What an estimate is worked out of: a share, a net promoter score, a mean.
using Sample = std::variant<mapping::Proportion, mapping::NetPromoter, mapping::Mean>;

// Of the due invitations those that were finished.
Sample response_sample(const Funnel& funnel);
// The answers on the question's scale; the scale of a net promoter score is 0 to 10.
Sample answer_sample(const ReportQuestion& question, const mapping::Distribution& answers);
mapping::Scale scale_of(const ReportQuestion& question);

std::int64_t size_of(const Sample& sample);  // its n

// Percent, points or positions of the scale.
struct Estimate {
  std::int64_t n = 0;
  std::optional<std::int64_t> part = {};  // of n; only of shares
  std::optional<double> value = {};       // empty: it is not shown
  std::optional<mapping::Interval> interval = {};
  std::string text;           // "30 %", or why there is none: "fewer than 10 answers"
  std::string interval_text;  // "27–33 %"; "all equal" where a mean has none; empty without value
};

// How many there must be, and what they are called: "answers", "due".
struct Least {
  std::int64_t number = 1;
  std::string_view of = "answers";
};

Estimate estimate(const Sample& sample, const Least& least, Unit unit);

// A figure against the same figure of the time before.
struct Move {
  bool comparable = false;  // both are shown
  bool is_change = false;   // the interval of the difference excludes zero
  std::optional<double> value = {};
  std::optional<mapping::Interval> interval = {};
  std::string text;  // "up 6 points (2–10)", "none that the numbers can show (-2 to 7)"
};

Move move_of(const Sample& now, const Sample& before, const Least& least, Unit unit);

}  // namespace surveybridge::daemon
