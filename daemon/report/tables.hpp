// The tables of a survey report: one description for all its forms, so that they agree. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/report/figures.hpp"

namespace surveybridge::daemon {

struct ReportCell {
  std::string text;  // as people read it
  // For programs, parallel to the column's `fields`; empty of a text.
  std::vector<std::optional<double>> numbers = {};
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

struct ReportTable {
  std::string_view file;  // the tables of one file have the same fields, or some of them
  std::string id;         // unique
  std::string caption;
  const Measure* measure = nullptr;  // whose table it is; null: of no measure
  std::vector<ReportColumn> columns;
  std::vector<std::vector<ReportCell>> rows;
  std::string nothing = {};  // what to say without rows
};

// The tables point into `figures`.
struct ReportTables {
  ReportTable summary, steps, losses, period_counts, segment_counts;
  std::vector<ReportTable> periods, segments, spreads;  // a table for each measure
  ReportTable suppressed, quarantined, not_invited, bounces, texts;
};
ReportTables tables_of(const Figures& figures);
// In the order of the report; of the texts only if it is with texts.
std::vector<const ReportTable*> all_of(const ReportTables& tables, const Figures& figures);

}  // namespace surveybridge::daemon
