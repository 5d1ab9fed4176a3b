#include <cmath>

#include "daemon/job/json_text.hpp"
#include "daemon/report/figures.hpp"
#include "daemon/report/forms.hpp"

namespace surveybridge::daemon {

namespace {

const char* unit_name(Unit unit) {
  switch (unit) {
    case Unit::percent:
      return "percent";
    case Unit::score:
      return "score";
    case Unit::points:
      return "points";
    case Unit::mean:
      break;
  }
  return "mean";
}

// Six decimals; a whole number without any.
Json number_of(const std::optional<double>& number) {
  if (!number) return nullptr;
  const double rounded = std::round(*number * 1e6) / 1e6;
  if (std::abs(rounded) < 1e15 && rounded == std::floor(rounded))
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

// "is_…": true or false.
Json value_of(std::string_view field, const std::optional<double>& number) {
  if (number && field.starts_with("is_")) return *number != 0;
  return number_of(number);
}

Json row_of(const ReportTable& table, const std::vector<ReportCell>& row) {
  Json object = Json::object(), shown = Json::object();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    if (column.kind != ReportColumn::Kind::figure) {
      object[std::string(column.fields.front())] = row.at(i).for_programs();
      continue;
    }
    for (std::size_t part = 0; part < column.fields.size(); ++part)
      object[std::string(column.fields[part])] =
          value_of(column.fields[part], row.at(i).numbers.at(part));
    if (!column.title.empty()) shown[std::string(column.fields.front())] = row.at(i).text;
  }
  object["shown"] = std::move(shown);
  return object;
}

Json table_of(const ReportTable& table) {
  Json object{{"id", table.id}, {"caption", table.caption}};
  if (table.measure != nullptr) object["measure"] = table.measure->id;
  object["rows"] = Json::array();
  for (const auto& row : table.rows)
    object["rows"].push_back(row_of(table, row));
  return object;
}

Json measure_of(const Measure& measure) {
  return {{"id", measure.id},           {"name", measure.name},
          {"kind", measure.kind},       {"question", measure.question},
          {"meaning", measure.meaning}, {"unit", unit_name(measure.unit)},
          {"outside", measure.outside}};
}

}  // namespace

std::string report_json(const SurveyReport& report) {
  const Figures figures = figures_of(report);
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
              {"answer_time", {{"answers", report.answer_time.answers}, {"hours", nullptr}}},
              {"notes", figures.notes}};
  for (const auto& [push, reason, rows] : figures.held) {
    object["held"].push_back({{"push", push}, {"reason", reason}, {"rows", nullptr}});
    if (rows) object["held"].back()["rows"] = *rows;
  }
  if (report.answer_time.answers > 0)
    object["answer_time"]["hours"] = static_cast<double>(report.answer_time.seconds) / 3600 /
                                     static_cast<double>(report.answer_time.answers);
  if (report.contact.oldest) object["contact"]["oldest"] = *report.contact.oldest;
  for (const auto& measure : figures.measures)
    object["measures"].push_back(measure_of(measure));
  for (const auto& table : figures.tables)
    object["tables"].push_back(table_of(table));
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace surveybridge::daemon
