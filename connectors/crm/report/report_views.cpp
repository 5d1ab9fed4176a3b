#include "connectors/crm/report/report_views.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/report_sql.hpp"
#include "connectors/crm/report/shape_change.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

std::string create(Dialect dialect, const ReportView& view) {
  return std::string(traits(dialect).create_view) + quoted(dialect, view.name) + " AS " +
         view.select;
}

std::string drop(Dialect dialect, const ReportView& view) {
  return "DROP VIEW IF EXISTS " + quoted(dialect, view.name);
}

// Relations of ours, and the schema of each as the database quotes it.
using Schemas = std::map<std::string, std::string>;

Schemas schemas_of(Database& database) {
  const DialectTraits& dialect = traits(database.dialect());
  Schemas schemas;
  if (dialect.schemas.empty()) return schemas;
  for (const auto& row : database.query({std::string(dialect.schemas), {}}).rows)
    schemas[text_in(row.at(0))] = quoted(database.dialect(), text_in(row.at(1)));
  return schemas;
}

// The text with the schema before each relation of ours behind one of these words.
std::string qualified(const std::string& sql, const Schemas& schemas) {
  constexpr std::array<std::string_view, 4> kBefore = {"FROM ", "JOIN ", "VIEW ", "EXISTS "};
  std::string text;
  for (std::size_t at = 0; at < sql.size();) {
    const bool quotes = sql[at] == '"' || sql[at] == '\'';
    const auto end = quotes ? sql.find(sql[at], at + 1) : std::string::npos;
    if (end == std::string::npos) {
      text += sql[at++];
      continue;
    }
    const auto schema = schemas.find(sql.substr(at + 1, end - at - 1));
    const bool relation =
        std::ranges::any_of(kBefore, [&](std::string_view word) { return text.ends_with(word); });
    if (sql[at] == '"' && relation && schema != schemas.end()) text += schema->second + ".";
    text += sql.substr(at, end - at + 1);
    at = end + 1;
  }
  return text;
}

// A view keeps the functions and operators that its text meant when it was made, and runs them with
// the rights of whoever reads it.
void make(Database& database, const ReportView& view, bool drop_first) {
  const Dialect dialect = database.dialect();
  Schemas schemas = schemas_of(database);
  const std::string path(traits(dialect).narrow_path);
  if (!path.empty() && !schemas.contains(view.name)) {
    const auto here = database.query({std::string(traits(dialect).current_schema), {}});
    schemas[view.name] = quoted(dialect, text_in(here.rows.at(0).at(0)));
  }
  ShapeChange change(database);
  if (!path.empty()) database.execute({path, {}});
  if (drop_first) database.execute({qualified(drop(dialect, view), schemas), {}});
  database.execute({qualified(create(dialect, view), schemas), {}});
  change.commit();
}

}  // namespace

std::vector<std::string> view_statements(Dialect dialect, const ReportShape& shape,
                                         const ReportColumns& columns) {
  std::vector<std::string> statements;
  for (const auto& view : report_views(dialect, shape, columns)) {
    if (traits(dialect).drops_view_first) statements.push_back(drop(dialect, view));
    statements.push_back(create(dialect, view));
  }
  return statements;
}

std::string report_state(Database& database, const std::string& name) {
  const auto found = query_rows(
      database, R"(SELECT "value" FROM "survey_report_state" WHERE "name" = {key})", {name});
  return found.empty() ? "" : text_in(found.front().at(0));
}

void set_report_state(Database& database, const std::string& name, const std::string& value) {
  put(database, upsert(database.dialect(), report_state_table()), {{name, value}});
}

void move_report_state(Database& database, const std::string& name, const std::string& from,
                       const std::string& to) {
  run_statement(database,
                R"(UPDATE "survey_report_state" SET "value" =)"
                R"( {text} WHERE "name" = {key})"
                R"( AND "value" = {text})",
                {to, name, from});
}

void make_views(Database& database, const ReportShape& shape, const ReportColumns& columns) {
  const Dialect dialect = database.dialect();
  std::string all(traits(dialect).narrow_path);  // views of an earlier version were made without
  for (const auto& statement : view_statements(dialect, shape, columns))
    all += statement + ";";
  const std::string mark = mapping::name_uuid(all);
  const std::string made = report_state(database, kViewsState);
  const auto there = catalogue(database);  // another instance may have begun in between
  bool complete = true;
  for (const auto& view : report_views(dialect, shape, columns)) {
    const bool stands = there.contains(view.name);
    complete = complete && stands;
    if (stands && made.empty() && report_state(database, kViewsState).empty())
      throw DatabaseError(DatabaseError::Kind::other, foreign_table_problem(view.name));
  }
  if (complete && made == mark) return;
  // Before the first view, so that views of a start that was cut off are known as ours.
  if (made.empty()) set_report_state(database, kViewsState, "begun");
  for (const auto& view : report_views(dialect, shape, columns)) {
    const bool drop_first = traits(dialect).drops_view_first;
    try {
      make(database, view, drop_first);
    } catch (const DatabaseError& error) {
      // Columns that go, or change their type, cannot be replaced.
      if (error.kind != DatabaseError::Kind::other || drop_first) throw;
      make(database, view, true);
    }
  }
  set_report_state(database, kViewsState, mark);
}

}  // namespace surveybridge::crm
