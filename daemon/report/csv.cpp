#include <algorithm>
#include <string_view>

#include "daemon/report/figures.hpp"
#include "daemon/report/forms.hpp"

namespace surveybridge::daemon {

namespace {

using CsvRow = std::vector<std::string>;

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

// What spreadsheets take for the beginning of a formula.
bool begins_formula(std::string_view text) {
  for (const std::string_view sign : {"=", "+", "-", "@", "＝", "＋", "－", "＠"})
    if (text.starts_with(sign)) return true;
  return false;
}

// Also behind blanks and quotes. A spreadsheet that takes another separator than the comma begins a
// cell behind it, and a line in the midst of a quoted text.
std::string harmless(const std::string& text) {
  constexpr std::string_view kSeparators = ";|\t\r\n", kSkipped = " \"\u00a0";
  if (is_number(text)) return text;
  std::string out;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins && begins_formula(std::string_view(text).substr(i))) out += '\'';
    out += text[i];
    begins = kSeparators.find(text[i]) != std::string_view::npos ||
             (begins && kSkipped.find(text[i]) != std::string_view::npos);
  }
  return out;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text)
    out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string line_of(const CsvRow& row) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i)
    line += (i == 0 ? "" : ",") + quoted(harmless(row[i]));
  return line + "\r\n";
}

// The fields of several tables, each once, in their order.
CsvRow fields_of(const std::vector<const ReportTable*>& tables) {
  CsvRow fields;
  for (const auto* table : tables)
    for (const auto& column : table->columns)
      for (const auto& field : column.fields)
        if (std::find(fields.begin(), fields.end(), field) == fields.end())
          fields.emplace_back(field);
  return fields;
}

std::string value_of(const ReportTable& table, const std::vector<ReportCell>& row,
                     std::string_view field) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& fields = table.columns[i].fields;
    const auto found = std::find(fields.begin(), fields.end(), field);
    if (found == fields.end()) continue;
    if (table.columns[i].kind != ReportColumn::Kind::figure) return row.at(i).for_programs();
    const auto& number = row.at(i).numbers.at(static_cast<std::size_t>(found - fields.begin()));
    return number ? plain_number(*number) : "";
  }
  return "";
}

std::string file_of(const std::vector<const ReportTable*>& tables) {
  const bool measured = tables.front()->measure != nullptr;
  CsvRow head =
      measured ? CsvRow{"measure", "label"} : (tables.size() > 1 ? CsvRow{"table"} : CsvRow{});
  const CsvRow fields = fields_of(tables);
  head.insert(head.end(), fields.begin(), fields.end());
  std::string text = line_of(head);
  for (const auto* table : tables)
    for (const auto& row : table->rows) {
      CsvRow cells = measured ? CsvRow{table->measure->id, table->measure->name}
                              : (tables.size() > 1 ? CsvRow{table->id} : CsvRow{});
      for (const auto& field : fields)
        cells.push_back(value_of(*table, row, field));
      text += line_of(cells);
    }
  return text;
}

}  // namespace

std::map<std::string, std::string> report_csv(const SurveyReport& report) {
  const Figures figures = figures_of(report);
  std::map<std::string, std::vector<const ReportTable*>> by_file;
  for (const auto& table : figures.tables)
    by_file[table.file + ".csv"].push_back(&table);
  std::map<std::string, std::string> files;
  for (const auto& [name, of] : by_file)
    files[name] = file_of(of);
  return files;
}

}  // namespace surveybridge::daemon
