#include "daemon/report/text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "daemon/report/data_text.hpp"
#include "daemon/report/tables.hpp"
#include "daemon/report/text_columns.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kNarrowest = 72;
constexpr std::size_t kNameWidth = 24;  // a column of names gets at least this, where it needs it

using Signs = std::vector<std::pair<std::string, std::string>>;

std::string replaced(std::string text, const Signs& signs) {
  for (const auto& [sign, instead] : signs)
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at))
      text.replace(at, sign.size(), instead);
  return text;
}

// Without the marks around a text from right to left: few terminals know them.
std::string unmarked(std::string text) {
  return replaced(std::move(text), {{"\u2068", ""}, {"\u2069", ""}});
}

// Our own signs as every terminal has them.
std::string plain(std::string text) {
  return replaced(unmarked(std::move(text)), {{"–", "-"}, {"\u00a0", " "}});
}

std::string heading(const std::string& text) {
  return "\n" + text + "\n";
}

std::string paragraph(const std::string& text, std::size_t width) {
  std::string out;
  for (const auto& line : wrapped(plain(text), width))
    out += line + "\n";
  return out;
}

std::string table_text(const ReportTable& table, std::size_t width) {
  std::string out = "\n" + paragraph(unmarked(table.caption), width);
  if (table.rows.empty()) return out + paragraph(table.nothing, width);
  std::vector<TextColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].title.empty()) continue;
    columns.push_back(
        {plain(table.columns[i].title), table.columns[i].kind == ReportColumn::Kind::figure, {}});
    for (const auto& row : table.rows)
      columns.back().cells.push_back(columns.back().right ? plain(row.at(i).text)
                                                          : unmarked(row.at(i).text));
  }
  return out + columns_text(columns, width);
}

// "41 (35-47) n 312".
std::string estimate_text(const Estimate& of) {
  std::string text = of.text;
  if (!of.interval_text.empty()) text += " (" + of.interval_text + ")";
  return plain(text + " n " + count_text(of.n));
}

// All measures beside each other, in as many tables as the width needs.
std::string lines_text(const std::string& caption, const std::string& name, const Figures& figures,
                       const std::vector<ReportLine>& lines,
                       std::vector<Estimate> Measure::*estimates, std::size_t width) {
  if (lines.empty()) return "";
  std::string out = "\n" + paragraph(caption, width);
  TextColumn names{name, false, {}};
  for (const auto& line : lines)
    names.cells.push_back(line.name);
  const std::size_t name_width = std::min(natural_width(names), kNameWidth);
  std::vector<TextColumn> block{names};
  std::size_t wide = name_width;
  for (const auto& measure : figures.measures) {
    TextColumn column{
        measure.kind.empty() ? measure.name : measure.name + " (" + measure.kind + ")", true, {}};
    for (const auto& of : measure.*estimates)
      column.cells.push_back(estimate_text(of));
    const std::size_t more = natural_width(column) + 2;
    if (block.size() > 1 && wide + more > width) {
      out += columns_text(block, width) + "\n";
      block = {names};
      wide = name_width;
    }
    wide += more;
    block.push_back(std::move(column));
  }
  return out + columns_text(block, width);
}

}  // namespace

std::string report_text(const SurveyReport& report, int width) {
  const std::size_t columns = std::max(kNarrowest, static_cast<std::size_t>(std::max(width, 0)));
  const Figures figures = figures_of(report);
  const ReportTables tables = tables_of(figures);
  std::string out = paragraph(figures.title, columns) +
                    paragraph(figures.scope + ". " + figures.made + ".", columns) + "\n";
  for (const auto& sentence : figures.verdict)
    out += paragraph(sentence, columns);
  if (figures.empty) return out;
  for (const auto* table : {&tables.summary, &tables.steps, &tables.losses})
    out += table_text(*table, columns);
  out +=
      lines_text("Over time", figures.period, figures, figures.periods, &Measure::periods, columns);
  if (!figures.segment.empty()) {
    out += lines_text("By " + figures.segment, figures.segment, figures, figures.segments,
                      &Measure::segments, columns);
    if (!figures.segments.empty()) out += table_text(tables.segment_counts, columns);
  }
  for (const auto& table : tables.spreads)
    out += table_text(table, columns);
  for (const auto* table :
       {&tables.suppressed, &tables.quarantined, &tables.not_invited, &tables.bounces})
    out += table_text(*table, columns);
  out += heading("Contact") + paragraph(figures.contact, columns);
  if (figures.with_texts) out += table_text(tables.texts, columns);
  out += "\n";
  for (const auto& note : figures.notes)
    out += paragraph(note, columns);
  return out;
}

}  // namespace surveybridge::daemon
