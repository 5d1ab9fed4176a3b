#include "connectors/crm/report/report_columns.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "connectors/crm/dialect/ddl.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/report/column_names.hpp"
#include "mapping/report/invitation.hpp"

namespace surveybridge::crm {
namespace {

using Kind = ReportColumn::Kind;

// Occurrences of a question beyond these have no column.
constexpr int kOccurrences = 20;

constexpr std::array<std::string_view, 3> kKinds = {"data", "score", "text"};

Kind kind_in(const Value& cell) {
  const auto found = std::ranges::find(kKinds, text_in(cell));
  if (found == kKinds.end())
    throw DatabaseError(DatabaseError::Kind::other, "survey_report_column has an unknown kind");
  return static_cast<Kind>(found - kKinds.begin());
}

// What a column is made of: no two are made of the same.
auto origin_of(const ReportColumn& column) {
  return std::tuple(column.kind, column.source, column.occurrence);
}

std::set<std::tuple<Kind, std::int64_t, std::int64_t>> origins_of(const ReportColumns& columns) {
  std::set<std::tuple<Kind, std::int64_t, std::int64_t>> origins;
  for (const auto& column : columns)
    origins.insert(origin_of(column));
  return origins;
}

// Names that the view has of itself, and those of `columns`.
std::vector<std::string> taken_names(const ReportColumns& columns) {
  std::vector<std::string> names;
  const auto view = std::ranges::find(view_words(), "survey_report_customer", &TableWords::name);
  for (const auto& group : view->columns)
    names.insert(names.end(), group.columns.begin(), group.columns.end());
  for (const auto& column : columns)
    names.push_back(column.name);
  return names;
}

bool is_hidden(const ReportShape& shape, const mapping::DataColumn& column) {
  return std::ranges::any_of(shape.report.hidden, [&](const std::string& name) {
    return mapping::is_called(column, name);
  });
}

std::vector<std::string> names_for(const ReportShape& shape, Kind kind,
                                   const mapping::Answered& answer) {
  const auto& questions = shape.report.questions;
  const auto known = std::ranges::find(questions, answer.question, &config::Report::Question::id);
  std::vector<std::string> names = {known == questions.end() ? "" : known->label,
                                    std::string(answer.words),
                                    "question " + std::to_string(answer.question)};
  for (auto& name : names)
    if (!name.empty() && answer.occurrence != 1) name += " " + std::to_string(answer.occurrence);
  if (kind == Kind::score) return names;
  names[1] = mapping::column_name(names[1]);
  for (auto& name : names)
    if (!name.empty()) name += " text";
  return names;
}

}  // namespace

ReportShape report_shape(const config::Settings& settings) {
  ReportShape shape{{}, settings.report, settings.crm.time_zone};
  for (const auto& push : settings.pushes)
    if (!push.correlate.empty()) shape.correlates.push_back({push.name, push.correlate});
  return shape;
}

std::string score_column(std::int64_t question, std::int64_t occurrence) {
  std::string name = "score_" + std::to_string(question);
  std::ranges::replace(name, '-', 'm');
  return name + (occurrence == 1 ? "" : "_" + std::to_string(occurrence));
}

std::vector<std::string> score_columns(const ReportColumns& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns)
    if (column.kind == Kind::score) names.push_back(score_column(column.source, column.occurrence));
  return names;
}

std::vector<std::string> lacking_scores(Database& database, const mapping::Table& table,
                                        const ReportColumns& columns) {
  std::vector<std::string> names = score_columns(columns);
  const auto there = catalogue(database)[table.name];
  std::erase_if(names, [&](const std::string& name) { return there.contains(name); });
  return names;
}

void add_scores(Database& database, const mapping::Table& table, const ReportColumns& columns) {
  for (const auto& name : lacking_scores(database, table, columns))
    database.execute({add_column(database.dialect(), table, {name, ColumnType::integer}), {}});
}

ReportColumns stored_report_columns(Database& database) {
  ReportColumns columns;
  for (const auto& row :
       query_rows(database, R"(SELECT "position", "name", "kind", "source", "occurrence")"
                            R"( FROM "survey_report_column" ORDER BY "position")")) {
    columns.push_back({integer_in(row.at(0)), text_in(row.at(1)), kind_in(row.at(2)),
                       integer_in(row.at(3)), integer_in(row.at(4))});
  }
  return columns;
}

// Nearly every answer is to a question that is known: names are made for the others only.
ReportColumns columns_needed(const ReportShape& shape, const ReportColumns& known,
                             const std::vector<mapping::DataColumn>& data_columns,
                             std::span<const mapping::Record> customers) {
  auto there = origins_of(known);
  ReportColumns wanted;
  for (const auto& column : data_columns) {
    if (is_hidden(shape, column) || !there.emplace(Kind::data, column.id, 1).second) continue;
    wanted.push_back({0,
                      "",
                      Kind::data,
                      column.id,
                      1,
                      {column.name, column.display_name, "column " + std::to_string(column.id)}});
  }
  const auto want = [&](Kind kind, const mapping::Answered& answer) {
    if (!there.emplace(kind, answer.question, answer.occurrence).second) return;
    wanted.push_back(
        {0, "", kind, answer.question, answer.occurrence, names_for(shape, kind, answer)});
  };
  for (const auto& customer : customers) {
    for (const auto& answer : mapping::answered(customer)) {
      if (answer.occurrence > kOccurrences) continue;
      if (answer.score) want(Kind::score, answer);
      if (answer.has_text) want(Kind::text, answer);
    }
  }
  return wanted;
}

ReportColumns shown_columns(const ReportShape& shape, ReportColumns columns,
                            const std::vector<mapping::DataColumn>& data_columns) {
  std::erase_if(columns, [&](const ReportColumn& column) {
    const auto found = std::ranges::find(data_columns, column.source, &mapping::DataColumn::id);
    return column.kind == Kind::data && found != data_columns.end() && is_hidden(shape, *found);
  });
  return columns;
}

ReportColumns add_report_columns(Database& database, const ReportColumns& wanted) {
  ShapeChange change(database);
  ReportColumns columns = stored_report_columns(database);
  auto there = origins_of(columns);
  std::vector<std::string> taken = taken_names(columns);
  std::vector<std::vector<Value>> rows;
  for (ReportColumn column : wanted) {
    if (columns.size() >= kReportColumns) break;
    if (!there.insert(origin_of(column)).second) continue;
    column.name = mapping::free_column_name(column.names, taken);
    column.position = columns.empty() ? 1 : columns.back().position + 1;
    taken.push_back(column.name);
    rows.push_back({column.position, column.name,
                    std::string(kKinds.at(static_cast<std::size_t>(column.kind))), column.source,
                    column.occurrence});
    columns.push_back(std::move(column));
  }
  add_scores(database, invitation_table(), columns);
  insert_rows(database, report_column_table(), rows);
  change.commit();
  return columns;
}

}  // namespace surveybridge::crm
