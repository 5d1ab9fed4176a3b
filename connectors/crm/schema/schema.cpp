#include "connectors/crm/schema/schema.hpp"

#include <map>
#include <set>
#include <stdexcept>

#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

// Names of tables and indexes that a statement of ours would find, each with each of its columns.
using Catalogue = std::map<std::string, std::set<std::string>>;

std::string catalogue_query(Dialect dialect) {
  switch (dialect) {
    case Dialect::postgresql:
      return "SELECT c.relname, a.attname FROM pg_catalog.pg_class AS c"
             " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid"
             " WHERE c.relname LIKE 'survey%' AND pg_catalog.pg_table_is_visible(c.oid)"
             " AND a.attnum > 0 AND NOT a.attisdropped";
    case Dialect::mariadb:
      return "SELECT table_name, column_name FROM information_schema.columns"
             " WHERE table_schema = DATABASE() AND table_name LIKE 'survey%'"
             " UNION SELECT index_name, column_name FROM information_schema.statistics"
             " WHERE table_schema = DATABASE() AND table_name LIKE 'survey%'";
    case Dialect::sqlserver:
      return "SELECT t.name, c.name FROM sys.tables AS t"
             " JOIN sys.columns AS c ON c.object_id = t.object_id WHERE t.name LIKE 'survey%'"
             " UNION SELECT name, '' FROM sys.indexes WHERE name LIKE 'survey%'";
    case Dialect::sqlite:
      return "SELECT m.name, p.name FROM sqlite_master AS m"
             " LEFT JOIN pragma_table_info(m.name) AS p WHERE m.name LIKE 'survey%'";
  }
  throw std::logic_error("a dialect without a catalogue");
}

Catalogue catalogue(Database& database) {
  Catalogue there;
  for (const auto& row : database.query({catalogue_query(database.dialect()), {}}).rows) {
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
// MariaDB ends a transaction at each CREATE and holds its own lock meanwhile; SQLite has one
// writer.
void lock_schema(Database& database) {
  if (database.dialect() == Dialect::postgresql) {
    database.query({"SELECT pg_advisory_xact_lock(7310867, 1) IS NULL", {}});
  } else if (database.dialect() == Dialect::sqlserver) {
    database.execute(
        {"EXEC sp_getapplock @Resource = 'surveybridge schema',"
         " @LockMode = 'Exclusive'",
         {}});
  }
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
