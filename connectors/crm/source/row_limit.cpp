#include "connectors/crm/source/row_limit.hpp"

#include <cctype>

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {

bool limits_rows(Dialect dialect, const std::string& query) {
  std::string before;
  for (const auto& token : config::sql_tokens(query, traits(dialect).syntax)) {
    if (token.kind == config::SqlToken::Kind::comment) continue;
    const bool is_number = std::isdigit(static_cast<unsigned char>(query[token.begin])) != 0;
    const bool is_fetch = before == "fetch" && (token.text == "first" || token.text == "next");
    if (token.depth == 0 && (is_fetch || (before == "limit" && is_number))) return true;
    before = token.depth == 0 ? token.text : "";
  }
  return false;
}

}  // namespace surveybridge::crm
