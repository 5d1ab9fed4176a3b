#include "connectors/crm/source/pipes.hpp"

#include <algorithm>

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {

bool may_mean_or(Dialect dialect, const std::string& query) {
  const config::SqlSyntax& syntax = traits(dialect).syntax;
  const auto is_pipes = [](const config::SqlToken& token) { return token.text == "||"; };
  return syntax.pipes_are_or && std::ranges::any_of(config::sql_tokens(query, syntax), is_pipes);
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
