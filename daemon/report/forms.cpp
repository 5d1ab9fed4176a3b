// The report as text for a terminal, as CSV files, and as JSON: the same tables three times.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/job/json_text.hpp"
#include "daemon/job/replaced.hpp"
#include "daemon/report/figures.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kLeastColumns = 72;

// Without the marks around a text from right to left: few terminals know them.
std::string unmarked(std::string text) {
  return replaced(replaced(std::move(text), "\u2068", ""), "\u2069", "");
}

// Our own signs as every terminal has them.
std::string plain(std::string text) {
  return replaced(replaced(unmarked(std::move(text)), "–", "-"), "\u00a0", " ");
}

std::string paragraph(const std::string& text, std::size_t width) {
  return fmt::format("{}\n", fmt::join(wrapped(plain(text), width), "\n"));
}

// Empty without rows and without a word for that.
std::string table_text(const ReportTable& table, std::size_t width) {
  if (table.rows.empty() && table.nothing.empty()) return "";
  const std::string caption = "\n" + paragraph(unmarked(table.caption), width);
  if (table.rows.empty()) return caption + paragraph(table.nothing, width);
  std::vector<TextColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& [title, fields, kind] = table.columns[i];
    if (title.empty()) continue;
    const bool figure = kind == ReportColumn::Kind::figure;
    columns.push_back({plain(title), figure, {}});
    for (const auto& row : table.rows)
      columns.back().cells.push_back(figure ? plain(row.at(i).text) : unmarked(row.at(i).text));
  }
  return caption + columns_text(columns, width);
}

using CsvRow = std::vector<std::string>;

// What spreadsheets take for the beginning of a formula.
bool begins_formula(std::string_view text) {
  constexpr std::string_view kSigns[] = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return text.starts_with(sign); });
}

// Also behind blanks and quotes. A spreadsheet that takes another separator than the comma begins a
// cell behind it, and a line in the midst of a quoted text. Numbers stay as they are.
std::string harmless(std::string_view text) {
  constexpr std::string_view kSeparators = ";|\t\r\n", kSkipped = " \"\u00a0";
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (!digits.empty() && digits.find_first_not_of("0123456789.") == std::string_view::npos)
    return std::string(text);
  std::string out;
  bool begins = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins && begins_formula(text.substr(i))) out += '\'';
    out += text[i];
    begins = kSeparators.find(text[i]) != std::string_view::npos ||
             (begins && kSkipped.find(text[i]) != std::string_view::npos);
  }
  return out;
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  return "\"" + replaced(text, "\"", "\"\"") + "\"";
}

std::string line_of(CsvRow row) {
  for (auto& cell : row)
    cell = quoted(harmless(cell));
  return fmt::format("{}\r\n", fmt::join(row, ","));
}

std::map<std::string, std::string> csv_values(const ReportTable& table,
                                              const std::vector<ReportCell>& row) {
  std::map<std::string, std::string> values;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    for (std::size_t part = 0; part < column.fields.size(); ++part) {
      std::string& value = values[std::string(column.fields[part])];
      if (column.kind != ReportColumn::Kind::figure) {
        value = row.at(i).for_programs();
      } else if (const auto& number = row.at(i).numbers.at(part)) {
        value = plain_number(*number);
      }
    }
  }
  return values;
}

// With the fields of all these tables, each once, in their order.
std::string csv_of(const std::vector<const ReportTable*>& tables) {
  const bool measured = tables.front()->measure != nullptr, several = tables.size() > 1;
  CsvRow fields;
  for (const auto* table : tables)
    for (const auto& column : table->columns)
      for (const auto& field : column.fields)
        if (std::ranges::find(fields, field) == fields.end()) fields.emplace_back(field);
  CsvRow head = measured ? CsvRow{"measure", "label"} : several ? CsvRow{"table"} : CsvRow{};
  head.insert(head.end(), fields.begin(), fields.end());
  std::string text = line_of(std::move(head));
  for (const auto* table : tables) {
    for (const auto& row : table->rows) {
      CsvRow cells = measured  ? CsvRow{table->measure->id, table->measure->name}
                     : several ? CsvRow{table->id}
                               : CsvRow{};
      auto values = csv_values(*table, row);
      for (const auto& field : fields)
        cells.push_back(std::move(values[field]));
      text += line_of(std::move(cells));
    }
  }
  return text;
}

// Six decimals; a whole number without any; of a field "is_…" true or false.
Json json_value(std::string_view field, const std::optional<double>& number) {
  if (!number) return nullptr;
  if (field.starts_with("is_")) return *number != 0;
  const double rounded = std::round(*number * 1e6) / 1e6;
  if (std::abs(rounded) < 1e15 && rounded == std::floor(rounded))
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json row_json(const ReportTable& table, const std::vector<ReportCell>& row) {
  Json object = Json::object(), shown = Json::object();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& [title, fields, kind] = table.columns[i];
    if (kind != ReportColumn::Kind::figure) {
      object[std::string(fields.front())] = row.at(i).for_programs();
      continue;
    }
    for (std::size_t part = 0; part < fields.size(); ++part)
      object[std::string(fields[part])] = json_value(fields[part], row.at(i).numbers.at(part));
    if (!title.empty()) shown[std::string(fields.front())] = row.at(i).text;
  }
  object["shown"] = std::move(shown);
  return object;
}

Json table_json(const ReportTable& table) {
  Json object{{"id", table.id}, {"caption", table.caption}};
  if (table.measure != nullptr) object["measure"] = table.measure->id;
  object["rows"] = Json::array();
  for (const auto& row : table.rows)
    object["rows"].push_back(row_json(table, row));
  return object;
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

std::map<std::string, std::string> report_csv(const SurveyReport& report) {
  const Figures figures = figures_of(report);
  std::map<std::string, std::vector<const ReportTable*>> by_file;
  for (const auto& table : figures.tables)
    by_file[table.file + ".csv"].push_back(&table);
  std::map<std::string, std::string> files;
  for (const auto& [name, of] : by_file)
    files[name] = csv_of(of);
  return files;
}

std::string report_json(const SurveyReport& report) {
  const Figures figures = figures_of(report);
  const auto& time = report.answer_time;
  Json object{{"title", figures.title},
              {"scope",
               {{"push", report.push},
                {"from", report.from},
                {"to", report.to},
                {"before", figures.before.name},
                {"time_zone", report.time_zone},
                {"made_at", report.made_at},
                {"period", report.period},
                {"segment", figures.segment},
                {"least", report.least},
                {"answer_days", report.answer_days}}},
              {"verdict", figures.verdict},
              {"measures", Json::array()},
              {"tables", Json::array()},
              {"held", Json::array()},
              {"contact",
               {{"open", report.contact.open},
                {"oldest", nullptr},
                {"customers", report.contact.customers}}},
              {"answer_time", {{"answers", time.answers}, {"hours", nullptr}}},
              {"notes", figures.notes}};
  for (const auto& [push, reason, rows] : figures.held) {
    object["held"].push_back({{"push", push}, {"reason", reason}, {"rows", nullptr}});
    if (rows) object["held"].back()["rows"] = *rows;
  }
  if (time.answers > 0)
    object["answer_time"]["hours"] =
        static_cast<double>(time.seconds) / 3600 / static_cast<double>(time.answers);
  if (report.contact.oldest) object["contact"]["oldest"] = *report.contact.oldest;
  for (const auto& measure : figures.measures)
    object["measures"].push_back({{"id", measure.id},
                                  {"name", measure.name},
                                  {"kind", measure.kind},
                                  {"question", measure.question},
                                  {"meaning", measure.meaning},
                                  {"unit", to_string(measure.unit)},
                                  {"outside", measure.outside}});
  for (const auto& table : figures.tables)
    object["tables"].push_back(table_json(table));
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace surveybridge::daemon
