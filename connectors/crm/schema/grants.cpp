#include "connectors/crm/schema/grants.hpp"

#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

// Two texts: the place and the account, as GRANT writes them. Empty: there is no GRANT.
std::string place_and_account(Dialect dialect) {
  switch (dialect) {
    case Dialect::postgresql:
      return "SELECT pg_catalog.quote_ident(CAST(COALESCE(current_schema(), 'public') AS text)),"
             " pg_catalog.quote_ident(CAST(current_user AS text))";
    case Dialect::mariadb:
    case Dialect::mysql:
      return "SELECT CONCAT('`', DATABASE(), '`'),"
             " CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@',"
             " QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1))) FROM DUAL";
    case Dialect::sqlserver:
    case Dialect::sqlite:
      break;
  }
  return "";
}

}  // namespace

std::string grant_to_create(Database& database) {
  const Dialect dialect = database.dialect();
  const std::string query = place_and_account(dialect);
  if (query.empty()) return "";
  try {
    const auto row = database.query({query, {}}).rows.at(0);
    const std::string place = text_in(row.at(0)), account = text_in(row.at(1));
    if (dialect == Dialect::postgresql)
      return "GRANT CREATE, USAGE ON SCHEMA " + place + " TO " + account;
    // `preview` looks at tables that only its session sees, as long as there are no others.
    return "GRANT CREATE, CREATE TEMPORARY TABLES, ALTER, INDEX, CREATE VIEW, SELECT, INSERT,"
           " UPDATE, DELETE, DROP ON " +
           place + ".* TO " + account;
  } catch (const DatabaseError&) {
    return "";
  }
}

}  // namespace surveybridge::crm
