#include "connectors/crm/real_columns.hpp"

#include <map>

#include "connectors/crm/cells.hpp"
#include "connectors/crm/sql.hpp"

namespace surveybridge::crm {
namespace {

// -1 is "no length": a cast to varchar(10) would cut in silence where an assignment refuses.
std::map<std::string, std::string> postgresql_types(Database& database, const std::string& table) {
  const Statement statement{
      "SELECT attname, pg_catalog.format_type(atttypid, -1) FROM pg_catalog.pg_attribute"
      " WHERE attrelid = CAST(CAST(:p1 AS text) AS regclass) AND attnum > 0 AND NOT attisdropped",
      {quoted_path(Dialect::postgresql, table)}};
  std::map<std::string, std::string> types;
  for (const auto& row : database.query(statement).rows) {
    types.emplace(text_in(row.at(0)), text_in(row.at(1)));
  }
  return types;
}

}  // namespace

std::vector<RealColumn> real_columns(Database& database, const std::string& table) {
  const Dialect dialect = database.dialect();
  const auto result =
      database.query({"SELECT * FROM " + quoted_path(dialect, table) + " WHERE 1 = 0", {}});
  std::map<std::string, std::string> types;
  if (dialect == Dialect::postgresql) types = postgresql_types(database, table);
  std::vector<RealColumn> columns;
  for (const auto& column : result.columns) {
    columns.push_back({column.name, column.kind, types[column.name]});
  }
  return columns;
}

}  // namespace surveybridge::crm
