#include "connectors/crm/schema.hpp"

#include <set>

#include "connectors/crm/cells.hpp"
#include "connectors/crm/own_tables.hpp"
#include "mapping/resource.hpp"

namespace surveybridge::crm {
namespace {

// A table or index and the text that makes it.
struct Piece {
  std::string name, sql;
};

std::vector<Piece> pieces(Dialect dialect) {
  std::vector<Piece> all;
  for (const auto& [table, numbering] : own_tables()) {
    all.push_back({table.name, create_table(dialect, table, numbering)});
  }
  for (const auto& index : own_indexes()) {
    all.push_back({index.name, create_index(dialect, index)});
  }
  for (const auto* root : {&mapping::customer(), &mapping::rating(), &mapping::bouncer(),
                           &mapping::status(), &mapping::data_column()}) {
    for (const auto& table : mapping::tables_of(*root)) {
      all.push_back({table.name, create_table(dialect, table, Numbering::ours)});
    }
  }
  return all;
}

// Names of the tables and indexes that a statement of ours would find.
std::string visible_names(Dialect dialect) {
  switch (dialect) {
    case Dialect::postgresql:
      return "SELECT relname FROM pg_catalog.pg_class"
             " WHERE relname LIKE 'survey%' AND pg_catalog.pg_table_is_visible(oid)";
    case Dialect::mariadb:
      return "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
             " UNION SELECT index_name FROM information_schema.statistics"
             " WHERE table_schema = DATABASE()";
    case Dialect::sqlserver:
      return "SELECT name FROM sys.tables UNION SELECT name FROM sys.indexes"
             " WHERE name IS NOT NULL";
    case Dialect::sqlite:
      return "SELECT name FROM sqlite_master WHERE name LIKE 'survey%'";
  }
  throw std::logic_error("a dialect without a catalogue");
}

// What is not there yet. Asked first because a role that may not create tables may well work with
// those that somebody has made by hand.
std::vector<Piece> missing(Database& database) {
  std::set<std::string> there;
  for (const auto& row : database.query({visible_names(database.dialect()), {}}).rows) {
    there.insert(text_in(row.at(0)));
  }
  std::vector<Piece> all;
  for (auto& piece : pieces(database.dialect())) {
    if (!there.contains(piece.name)) all.push_back(std::move(piece));
  }
  return all;
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
  std::vector<std::string> texts;
  for (auto& piece : pieces(dialect))
    texts.push_back(std::move(piece.sql));
  return texts;
}

void make_schema(Database& database) {
  if (missing(database).empty()) return;
  Transaction transaction(database);
  lock_schema(database);
  for (const auto& piece : missing(database))
    database.execute({piece.sql, {}});
  transaction.commit();
}

}  // namespace surveybridge::crm
