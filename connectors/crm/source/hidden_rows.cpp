#include "connectors/crm/source/hidden_rows.hpp"

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/source/query_words.hpp"

namespace surveybridge::crm {

std::vector<std::string> tables_that_hide_rows(Database& database, const std::string& query) {
  const std::string_view select = traits(database.dialect()).tables_that_hide_rows;
  if (select.empty()) return {};
  const auto words = words_of_query(query);
  std::vector<std::string> all;
  try {
    for (const auto& row : database.query({std::string(select), {}}).rows)
      if (std::string name = text_in(row.at(0)); words.contains(config::lower_case(name)))
        all.push_back(std::move(name));
  } catch (const DatabaseError& error) {
    // A database that speaks PostgreSQL may not know the function.
    if (error.kind != DatabaseError::Kind::other) throw;
  }
  return all;
}

}  // namespace surveybridge::crm
