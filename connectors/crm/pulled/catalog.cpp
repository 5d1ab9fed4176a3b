#include "connectors/crm/pulled/catalog.hpp"

#include <map>
#include <stdexcept>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

// "sales.orders" → {"sales", "orders"}; the schema may be left out.
std::pair<std::string, std::string> parts_of(const std::string& table) {
  const auto dot = table.find('.');
  if (dot == std::string::npos) return {"", table};
  return {table.substr(0, dot), table.substr(dot + 1)};
}

// What a result does not tell of a table's columns: name, type to cast to, whether NOT NULL.
// -1 is "no length": a cast to varchar(10) would cut in silence where an assignment refuses.
Statement catalogue_of(Dialect dialect, const std::string& table) {
  const auto [schema, name] = parts_of(table);
  switch (dialect) {
    case Dialect::postgresql:
      return {
          "SELECT a.attname, pg_catalog.format_type(a.atttypid, -1),"
          " CASE WHEN a.attnotnull OR t.typnotnull THEN 1 ELSE 0 END"
          " FROM pg_catalog.pg_attribute AS a"
          " JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
          " WHERE a.attrelid = CAST(CAST(:p1 AS text) AS regclass)"
          " AND a.attnum > 0 AND NOT a.attisdropped",
          {quoted_path(dialect, table)}};
    case Dialect::mariadb:
      return {
          "SELECT column_name, '', CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END"
          " FROM information_schema.columns"
          " WHERE table_schema = COALESCE(NULLIF(:p1, ''), DATABASE()) AND table_name = :p2",
          {schema, name}};
    case Dialect::sqlserver:
      return {
          "SELECT name, '', CASE is_nullable WHEN 0 THEN 1 ELSE 0 END"
          " FROM sys.columns WHERE object_id = OBJECT_ID(:p1)",
          {quoted_path(dialect, table)}};
    case Dialect::sqlite:
      // An integer key takes no NULL, declared so or not.
      return {
          "SELECT name, '', CASE WHEN \"notnull\" OR pk > 0 THEN 1 ELSE 0 END"
          " FROM pragma_table_info(:p1, NULLIF(:p2, ''))",
          {name, schema}};
  }
  throw std::logic_error("a dialect without a catalogue");
}

}  // namespace

std::vector<CatalogColumn> real_columns(Database& database, const std::string& table) {
  const Dialect dialect = database.dialect();
  const auto result =
      database.query({"SELECT * FROM " + quoted_path(dialect, table) + " WHERE 1 = 0", {}});
  std::map<std::string, CatalogColumn> known;
  for (const auto& row : database.query(catalogue_of(dialect, table)).rows) {
    const std::string name = text_in(row.at(0));
    known[name] = {name, ColumnKind::other, text_in(row.at(1)), integer_in(row.at(2)) != 0};
  }
  std::vector<CatalogColumn> columns;
  for (const auto& column : result.columns) {
    const CatalogColumn& also = known[column.name];
    columns.push_back({column.name, column.kind, also.type, also.required});
  }
  return columns;
}

}  // namespace surveybridge::crm
