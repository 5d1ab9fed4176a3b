// SQL of the views for reports, and what the questions of a report share with it, in a dialect
// (docs/REPORTS.md). Pure.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/report/report_columns.hpp"
#include "mapping/statistics/statistics.hpp"

namespace surveybridge::crm {

struct ReportView {
  std::string name, select;
};
std::vector<ReportView> report_views(Dialect dialect, const ReportShape& shape,
                                     const ReportColumns& columns);

// A question of which there are scores.
struct ScoredQuestion {
  using Kind = config::Report::Question::Kind;
  std::string label;      // short, unlike every other
  std::string text = {};  // as the customer read it; empty: not known
  Kind kind = Kind::mean;
  std::int64_t low = 0, high = 10;  // the ends of its scale; equal: not known
  std::int64_t id = 0;
  std::vector<std::int64_t> occurrences = {};

  // The best positions of the scale: those of promoters, of the satisfied, of low effort.
  mapping::Scale best() const;
};
constexpr std::size_t kScoredQuestions = 60;
// In the order of the configuration and then of appearance, at most kScoredQuestions.
std::vector<ScoredQuestion> scored_questions(const ReportShape& shape,
                                             const ReportColumns& columns);

// What the texts are made with. In them i is an alias of survey_invitation, a of rows to count.
struct ReportSql {
  Dialect dialect;
  const ReportShape& shape;

  template <typename... Parts>
  std::string operator()(std::string_view pattern, const Parts&... parts) const {
    return filled(dialect, pattern, parts...);
  }
  std::string literal(std::string_view text) const;
  std::string name(std::string_view column) const { return quoted(dialect, column); }
  // Grouped and compared letter by letter.
  std::string letters(std::string_view pattern) const { return exact(dialect, (*this)(pattern)); }
  // The day of an instant by the CRM's clock: by the zone's offsets, since not every database knows
  // zones. `instant` is a pattern.
  std::string day(std::string_view instant) const;
  // Of an invitation: the transaction's day, or without one the first day that is known; and the
  // condition that it counts: no test, no second feedback.
  std::string counted_day() const;
  std::string counts() const;
  // Of survey_push with this alias: the reason without the words of the service, which may quote an
  // address.
  std::string shown_reason(std::string_view alias) const;
  // The condition that a column of booleans is false or NULL.
  std::string is_not(std::string_view alias, std::string_view column) const;
  // Rows to count: a select in parentheses of push, `columns` (each with a comma behind it) and
  // day. `from`: what stands behind FROM, with an alias i that has a push.
  std::string rows(const std::string& columns, const std::string& day,
                   const std::string& from) const;
};

// The numbers of a funnel, in the order of the view.
constexpr std::array<std::string_view, 19> kFunnelSums = {
    "transactions", "suppressed",    "quarantined", "waiting",   "in_doubt",  "sent",    "invited",
    "opened",       "begun",         "finished",    "closed",    "opted_out", "bounced", "due",
    "due_finished", "never_invited", "unlisted",    "not_drawn", "over_quota"};
std::string funnel_sums(const ReportSql& sql);     // in their order
std::string funnel_columns(const ReportSql& sql);  // of an alias a: what the sums need

// Rows to count: one for each invitation that counts and for each transaction of the ledger of
// which no customer is stored: not sent, not pulled yet, or removed since by `forget` or `keep`.
// Each transaction of the ledger is in exactly one row, unless it is a test. Columns: push, day,
// segment_1 …, state, known (1: a customer is stored, which has segments), and 0 or 1 for each step
// of the funnel. `with_language`: and the customer's language.
std::string funnel_rows(const ReportSql& sql, bool with_language);
// Rows to count: one for each answer with a score: push, day, segment_1 …, question (its label),
// kind, good and bad (bounds of the values that count for and against), score.
struct ScoreRows {
  bool on_scale = false;       // without answers beside the scale of their question
  bool with_language = false;  // and the customer's language
};
std::string score_rows(const ReportSql& sql, const std::vector<ScoredQuestion>& questions,
                       const ScoreRows& which);
std::string bounce_rows(const ReportSql& sql, std::string_view domain);  // a pattern

}  // namespace surveybridge::crm
