#include "connectors/crm/report/report_views.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "connectors/crm/dialect/ddl.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/report_sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

using Statements = std::vector<std::string>;

constexpr const char* kViews = "views";  // in survey_report_state
constexpr const char* kComments = "comments";

Statements statements_of(Dialect dialect, const ReportView& view, bool drop_first) {
  const std::string name = quoted(dialect, view.name);
  Statements statements;
  if (drop_first) statements.push_back("DROP VIEW IF EXISTS " + name);
  statements.push_back(std::string(traits(dialect).create_view) + name + " AS " + view.select);
  return statements;
}

void run_in_one_change(Database& database, const Statements& statements) {
  ShapeChange change(database);
  for (const auto& statement : statements)
    database.execute({statement, {}});
  change.commit();
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
std::string qualified(Dialect dialect, const std::string& sql, const Schemas& schemas) {
  constexpr std::array<std::string_view, 4> kBefore = {"from", "join", "view", "exists"};
  std::string text, before;
  std::size_t copied = 0;
  for (const auto& token : config::sql_tokens(sql, traits(dialect).syntax)) {
    const bool relation = sql[token.begin] == '"' && std::ranges::count(kBefore, before) > 0;
    before = token.text;
    if (!relation) continue;
    const auto schema = schemas.find(sql.substr(token.begin + 1, token.end - token.begin - 2));
    if (schema == schemas.end()) continue;
    text += sql.substr(copied, token.begin - copied) + schema->second + ".";
    copied = token.begin;
  }
  return text + sql.substr(copied);
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
  Statements statements;
  if (!path.empty()) statements.push_back(path);
  for (const auto& statement : statements_of(dialect, view, drop_first))
    statements.push_back(qualified(dialect, statement, schemas));
  run_in_one_change(database, statements);
}

Statements comment_statements(Dialect dialect) {
  Statements statements;
  const auto comments = traits(dialect).comments;
  if (comments == nullptr) return statements;
  // `table`: null for a view.
  const auto add = [&](const TableWords& of, const Table* table) {
    Commented made{of.name, of.words, table == nullptr, {}};
    for (const auto& group : of.columns)
      for (const auto& name : group.columns)
        made.columns.push_back(
            {name, table ? column_definition(dialect, *table, made.columns.size()) : "",
             group.words});
    std::ranges::move(comments(made), std::back_inserter(statements));
  };
  const auto tables = report_tables();
  for (std::size_t i = 0; i < tables.size(); ++i)
    add(table_words()[i], tables[i]);
  for (const auto& words : view_words())
    add(words, nullptr);
  return statements;
}

// What has made all of it: made of `begin` and the statements.
std::string mark_of(std::string begin, const Statements& statements) {
  for (const auto& statement : statements)
    begin += statement + ";";
  return mapping::name_uuid(begin);
}

}  // namespace

ShapeChange::ShapeChange(Database& database) : database_(database) {
  const std::string lock = schema_lock(database_);
  database_.begin();
  try {
    const auto words = traits(database_.dialect()).short_lock_wait;
    if (!words.empty()) database_.execute({std::string(words), {}});
    lock_schema(database_, lock);
  } catch (...) {
    database_.rollback();
    restore_lock_wait();
    throw;
  }
}

ShapeChange::~ShapeChange() {
  if (!open_) return;
  database_.rollback();
  restore_lock_wait();
}

void ShapeChange::commit() {
  database_.commit();
  open_ = false;
  restore_lock_wait();
}

// Where the session is lost, the next one waits for locks as usual.
void ShapeChange::restore_lock_wait() noexcept {
  const auto words = traits(database_.dialect()).usual_lock_wait;
  if (words.empty()) return;
  try {
    database_.execute({std::string(words), {}});
  } catch (const DatabaseError&) {
  }
}

std::string report_state(Database& database, const std::string& name) {
  const auto found = query_rows(
      database, R"(SELECT "value" FROM "survey_report_state" WHERE "name" = {key})", {name});
  return found.empty() ? "" : text_in(found.front().at(0));
}

void set_report_state(Database& database, const std::string& name, const std::string& value) {
  upsert_rows(database, report_state_table(), {{name, value}});
}

void move_report_state(Database& database, const std::string& name, const std::string& from,
                       const std::string& to) {
  run_statement(database,
                R"(UPDATE "survey_report_state" SET "value" = {text} WHERE "name" = {key})"
                R"( AND "value" = {text})",
                {to, name, from});
}

void make_views(Database& database, const ReportShape& shape, const ReportColumns& columns) {
  const Dialect dialect = database.dialect();
  const bool drop_first = traits(dialect).drops_view_first;
  const auto views = report_views(dialect, shape, columns);
  Statements all;
  for (const auto& view : views)
    std::ranges::move(statements_of(dialect, view, drop_first), std::back_inserter(all));
  // With the path: views of an earlier version were made without.
  const std::string mark = mark_of(std::string(traits(dialect).narrow_path), all);
  const std::string made = report_state(database, kViews);
  const auto there = catalogue(database);  // another instance may have begun in between
  bool complete = true;
  for (const auto& view : views) {
    const bool stands = there.contains(view.name);
    complete = complete && stands;
    if (stands && made.empty() && report_state(database, kViews).empty())
      throw DatabaseError(DatabaseError::Kind::other, foreign_table_problem(view.name));
  }
  if (complete && made == mark) return;
  // Before the first view, so that views of a start that was cut off are known as ours.
  if (made.empty()) set_report_state(database, kViews, "begun");
  for (const auto& view : views) {
    try {
      make(database, view, drop_first);
    } catch (const DatabaseError& error) {
      // Columns that go, or change their type, cannot be replaced.
      if (error.kind != DatabaseError::Kind::other || drop_first) throw;
      make(database, view, true);
    }
  }
  set_report_state(database, kViews, mark);
}

// A view that was made anew has lost its comments, so they depend on the views.
void make_comments(Database& database) {
  const auto statements = comment_statements(database.dialect());
  if (statements.empty()) return;
  const std::string mark = mark_of(report_state(database, kViews), statements);
  if (report_state(database, kComments) == mark) return;
  try {
    run_in_one_change(database, statements);
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other) throw;
  }
  set_report_state(database, kComments, mark);
}

}  // namespace surveybridge::crm
