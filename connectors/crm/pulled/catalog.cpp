#include "connectors/crm/pulled/catalog.hpp"

#include <map>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

// "sales.orders" → {"sales", "orders"}; the schema is optional.
std::pair<std::string, std::string> parts_of(const std::string& table) {
  const auto dot = table.find('.');
  if (dot == std::string::npos) return {"", table};
  return {table.substr(0, dot), table.substr(dot + 1)};
}

Statement catalogue_of(Dialect dialect, const std::string& table) {
  const auto [schema, name] = parts_of(table);
  TextQuery query = traits(dialect).columns_of(schema, name);
  return {std::move(query.sql), {query.parameters.begin(), query.parameters.end()}};
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
