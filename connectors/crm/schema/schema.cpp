#include "connectors/crm/schema/schema.hpp"

#include <map>
#include <set>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

// Names of tables and indexes that a statement of ours would find, each with each of its columns.
using Catalogue = std::map<std::string, std::set<std::string>>;

Catalogue catalogue(Database& database) {
  Catalogue there;
  for (const auto& row :
       database.query({std::string(traits(database.dialect()).objects), {}}).rows) {
    there[text_in(row.at(0))].insert(text_in(row.at(1)));
  }
  return there;
}

// What makes of this catalogue ours: whole tables, columns that a newer version has brought, and
// indexes.
std::vector<std::string> missing(Dialect dialect, const Catalogue& there) {
  std::vector<std::string> texts;
  for (const auto& [table, numbering] : every_table()) {
    const auto found = there.find(table.name);
    if (found == there.end()) texts.push_back(create_table(dialect, table, numbering));
    for (const auto& column : table.columns) {
      const bool lacks = found != there.end() && !found->second.contains(column.name);
      if (lacks) texts.push_back(add_column(dialect, table, column));
    }
  }
  for (const auto& index : bridge_indexes()) {
    if (!there.contains(index.name)) texts.push_back(create_index(dialect, index));
  }
  return texts;
}

// Two instances that create one table at once would make one of them fail, IF NOT EXISTS or not.
void lock_schema(Database& database) {
  const std::string_view lock = traits(database.dialect()).schema_lock;
  if (!lock.empty()) database.query({std::string(lock), {}});
}

}  // namespace

std::vector<std::string> schema(Dialect dialect) {
  return missing(dialect, {});
}

std::vector<std::string> missing_schema(Database& database) {
  return missing(database.dialect(), catalogue(database));
}

// Looks first: a role that may not create tables may well work with those that somebody has made
// by hand.
void make_schema(Database& database) {
  if (missing_schema(database).empty()) return;
  Transaction transaction(database);
  lock_schema(database);
  for (const auto& sql : missing_schema(database))
    database.execute({sql, {}});
  transaction.commit();
}

}  // namespace surveybridge::crm
