#include "connectors/crm/source/pipes.hpp"

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {

bool may_mean_or(Dialect dialect, const std::string& query) {
  const config::SqlSyntax& syntax = traits(dialect).syntax;
  if (!syntax.pipes_are_or) return false;
  for (std::size_t at = 0; at + 1 < query.size();) {
    const std::size_t behind = config::after_opaque(query, at, syntax);
    if (behind == at && query.compare(at, 2, "||") == 0) return true;
    at = behind == at ? at + 1 : behind;
  }
  return false;
}

void refuse_pipes_for_or(Database& database, const std::string& query) {
  const Dialect dialect = database.dialect();
  if (!may_mean_or(dialect, query)) return;
  const std::string trial = "SELECT 'a' || 'b'" + std::string(traits(dialect).from_nothing);
  const Value joined = database.query({trial, {}}).rows.at(0).at(0);
  if (joined == Value(std::string("ab"))) return;
  throw DatabaseError(
      DatabaseError::Kind::other,
      "the query has a ||, which is OR here and joins no texts (the server's sql_mode"
      " lacks PIPES_AS_CONCAT): write CONCAT(a, b), or OR where that is meant");
}

}  // namespace surveybridge::crm
