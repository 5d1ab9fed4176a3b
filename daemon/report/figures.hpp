// Every figure of a survey report, worked out once, and the tables that all its forms write. Pure.
// Texts from the database are fit to be shown, and only the table of texts can contain an address
// or a word of a customer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/report/report.hpp"
#include "daemon/report/shown_text.hpp"

namespace surveybridge::daemon {

// One figure with its interval. Percent, points or positions of the scale.
struct Estimate {
  std::int64_t n = 0;
  std::optional<std::int64_t> part = {};  // of n; only of shares
  std::optional<double> value = {};       // empty: it is not shown
  std::optional<mapping::Interval> interval = {};
  std::string text = {};  // "30 %", or why there is none: "fewer than 10 answers"
  bool so_far =
      false;  // of a period of which less than half of the delivered is old enough to count
  std::string interval_text = {};  // "27–33 %"; "all equal" where a mean has none; empty without it
};

// A figure against the same figure of the time before.
struct Move {
  bool comparable = false;  // both are shown
  bool is_change = false;   // the interval of the difference excludes zero
  std::optional<double> value = {};
  std::optional<mapping::Interval> interval = {};
  std::string text = {};  // "up 6 points (2–10)", "none that the numbers can show (-2 to 7)"
};

// The answers at a position of the scale, or at some beside each other.
struct Bar {
  std::string name;  // "4", "40–44"
  std::int64_t number = 0;
  std::size_t group = 0;  // of Bars::groups
};

// How the answers to a question spread over its scale.
struct Bars {
  std::vector<Bar> bars = {};            // from the lowest position; empty: the scale is none
  std::vector<std::string> groups = {};  // "detractors", …; empty: the positions are all alike
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

  Estimate total = {}, before = {};
  Move move = {};
  std::vector<Estimate> periods = {}, segments = {};  // parallel to the lines

  Bars spread = {};          // without bars: of the response rate, or of too few answers
  std::int64_t outside = 0;  // answers beside the scale, which no figure counts
};

struct ReportCell {
  std::string text;  // as people read it
  // For programs, parallel to the column's `fields`; empty of a text.
  std::vector<std::optional<double>> numbers = {};
  std::string name = {};  // for programs, of a text that people read otherwise

  const std::string& for_programs() const { return name.empty() ? text : name; }
};

struct ReportColumn {
  std::string title;                     // empty: people do not see this column
  std::vector<std::string_view> fields;  // for programs
  enum class Kind {
    name,
    text,
    figure
  } kind = Kind::figure;  // name: of the row, from data or ours
};

enum class ReportSection { compared, funnel, time, segments, answers, reasons, texts };

struct ReportTable {
  ReportSection section;
  std::string file;  // the tables of one file have the same fields, or some of them
  std::string id;    // unique
  std::string caption;
  std::vector<ReportColumn> columns;
  std::string nothing = {};          // what to say without rows
  const Measure* measure = nullptr;  // whose table it is; null: of no measure
  // Its place on the page: beside others, or as wide as the page; there each row becomes a block on
  // a phone, with its cells below each other or in a line.
  enum class Layout { card, stack, flow } layout = Layout::card;
  enum class Picture { none, bars, line } picture = Picture::none;
  std::vector<std::vector<ReportCell>> rows = {};
};

// May be moved, not copied: the tables point to the measures.
struct Figures {
  Figures() = default;
  Figures(Figures&&) = default;
  Figures& operator=(Figures&&) = default;

  std::string title, scope, made;
  std::vector<std::string> verdict;  // sentences
  std::vector<Measure> measures;     // the response rate first
  ReportLine total, before;
  std::vector<ReportLine> periods, segments;  // the segments by their number of answers
  std::string period, segment;                // "Week"; what the segments are by (data)
  std::vector<HeldPush> held;
  std::string contact;              // a sentence
  std::vector<std::string> notes;   // how the figures are worked out, a sentence or two each
  bool empty = false;               // there is nothing in this time
  std::vector<ReportTable> tables;  // by section
};

Figures figures_of(const SurveyReport& report);
// Of figures that have their lines, and then of figures that have all but tables.
std::vector<Measure> measures_of(const SurveyReport& report, const Figures& figures);
std::vector<ReportTable> tables_of(const SurveyReport& report, const Figures& figures);

}  // namespace surveybridge::daemon
