// Comments on the tables and views for reports, in the database itself.
#include <algorithm>

#include "connectors/crm/dialect/ddl.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/report/shape_change.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/report_words.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

constexpr const char* kComments = "comments";  // in survey_report_state

// `table`: null for a view.
Commented commented(Dialect dialect, const TableWords& words, const Table* table) {
  Commented made{words.name, words.words, table == nullptr, {}};
  for (const auto& group : words.columns) {
    for (const auto& name : group.columns) {
      std::string definition;
      if (table) {
        const auto at = std::ranges::find(table->columns, name, &mapping::TableColumn::name);
        definition = column_definition(dialect, *table,
                                       static_cast<std::size_t>(at - table->columns.begin()));
      }
      made.columns.push_back({name, definition, group.words});
    }
  }
  return made;
}

}  // namespace

std::vector<std::string> comment_statements(Dialect dialect) {
  const auto comments = traits(dialect).comments;
  if (comments == nullptr) return {};
  std::vector<std::string> statements;
  const auto add = [&](const TableWords& words, const Table* table) {
    for (auto& one : comments(commented(dialect, words, table)))
      statements.push_back(std::move(one));
  };
  for (const auto& words : table_words()) {
    const auto tables = report_tables();
    const auto table = std::ranges::find(tables, words.name, &Table::name);
    add(words, *table);
  }
  for (const auto& words : view_words())
    add(words, nullptr);
  return statements;
}

// A view that was made anew has lost its comments, so they depend on the views.
void make_comments(Database& database) {
  const auto statements = comment_statements(database.dialect());
  if (statements.empty()) return;
  std::string all = report_state(database, kViewsState);
  for (const auto& statement : statements)
    all += statement + ";";
  const std::string mark = mapping::name_uuid(all);
  if (report_state(database, kComments) == mark) return;
  try {
    ShapeChange change(database);
    for (const auto& statement : statements)
      database.execute({statement, {}});
    change.commit();
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other) throw;
  }
  set_report_state(database, kComments, mark);
}

}  // namespace surveybridge::crm
