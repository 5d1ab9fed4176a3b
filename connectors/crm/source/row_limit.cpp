#include "connectors/crm/source/row_limit.hpp"

#include <cctype>
#include <string_view>

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || byte >= 0x80 ||
         std::string_view("_$.").find(c) != std::string::npos;
}

bool begins_limit(const std::string& before, const std::string& word) {
  if (before == "fetch") return word == "first" || word == "next";
  return before == "limit" && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
}

}  // namespace

bool limits_rows(Dialect dialect, const std::string& query) {
  const std::string sql = config::lower_case(query) + " ";
  std::string before, word;
  int depth = 0;
  for (std::size_t at = 0; at < sql.size();) {
    const char c = sql[at];
    const std::size_t behind = config::after_opaque(sql, at, traits(dialect).syntax);
    if (behind == at && is_of_word(c)) {
      word += c;
      ++at;
      continue;
    }
    if (!word.empty()) {
      if (depth == 0 && begins_limit(before, word)) return true;
      before = depth == 0 ? word : "";
      word.clear();
    }
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    // A comment parts two words as a blank does.
    if (behind == at && std::isspace(static_cast<unsigned char>(c)) == 0) before.clear();
    at = behind == at ? at + 1 : behind;
  }
  return false;
}

}  // namespace surveybridge::crm
