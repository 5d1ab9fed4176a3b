#include "connectors/crm/schema/stored_columns.hpp"

#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {

std::vector<mapping::DataColumn> stored_data_columns(Database& database) {
  const auto found = query_rows(database, R"(SELECT "id", "name", "display_name", "required",)"
                                          R"( "archived" FROM "survey_data_column" ORDER BY "id")");
  std::vector<mapping::DataColumn> columns;
  for (const auto& row : found) {
    columns.push_back({integer_in(row.at(0)), text_in(row.at(1)), text_in(row.at(2)),
                       boolean_in(row.at(3)), boolean_in(row.at(4))});
  }
  return columns;
}

mapping::DataColumn stored_column(Database& database, const std::string& name) {
  auto found = mapping::find_column(name, stored_data_columns(database));
  if (auto* column = std::get_if<mapping::DataColumn>(&found)) return std::move(*column);
  return mapping::column_as_written(name);
}

}  // namespace surveybridge::crm
