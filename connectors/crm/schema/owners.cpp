#include "connectors/crm/schema/owners.hpp"

#include <algorithm>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

// A database that only speaks this one's protocol may lack a part of the catalogue.
Result rows_of(Database& database, std::string_view sql) {
  if (sql.empty()) return {};
  try {
    return database.query({std::string(sql), {}});
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::other) throw;
    return {};
  }
}

}  // namespace

std::vector<std::string> strange_tables(Database& database) {
  std::vector<std::string> sentences;
  for (const auto& row : rows_of(database, traits(database.dialect()).strange_relations).rows) {
    const std::string name = text_in(row.at(0));
    const bool ours = std::ranges::any_of(
        every_table(), [&](const BridgeTable& one) { return one.table.name == name; });
    if (!ours) continue;
    sentences.push_back("the table \"" + name + "\" belongs to the role \"" + text_in(row.at(1)) +
                        "\", which is neither this one, one that it is a member of, the owner of "
                        "the database or the schema, nor a superuser: surveybridge neither reads "
                        "nor writes it. Drop it, give surveybridge a schema of its own, or, if you "
                        "have made it for surveybridge, change its owner");
  }
  return sentences;
}

std::vector<std::string> shared_schemas(Database& database) {
  return texts_in(rows_of(database, traits(database.dialect()).shared_schemas).rows);
}

}  // namespace surveybridge::crm
