#include <algorithm>

#include "daemon/report/data_text.hpp"
#include "daemon/report/figures.hpp"
#include "daemon/report/forms.hpp"
#include "daemon/report/text_columns.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kLeastColumns = 72;

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

std::string paragraph(const std::string& text, std::size_t width) {
  std::string out;
  for (const auto& line : wrapped(plain(text), width))
    out += line + "\n";
  return out;
}

// Empty without rows and without a word for that.
std::string table_text(const ReportTable& table, std::size_t width) {
  if (table.rows.empty() && table.nothing.empty()) return "";
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

}  // namespace

std::string report_text(const SurveyReport& report, int width) {
  const std::size_t columns = std::max(kLeastColumns, static_cast<std::size_t>(std::max(width, 0)));
  const Figures figures = figures_of(report);
  std::string out = paragraph(figures.title, columns) +
                    paragraph(figures.scope + ". " + figures.made + ".", columns) + "\n";
  for (const auto& sentence : figures.verdict)
    out += paragraph(sentence, columns);
  if (figures.empty) return out;
  for (const auto& table : figures.tables)
    out += table_text(table, columns);
  out += "\nContact\n" + paragraph(figures.contact, columns) + "\n";
  for (const auto& note : figures.notes)
    out += paragraph(note, columns);
  return out;
}

}  // namespace surveybridge::daemon
