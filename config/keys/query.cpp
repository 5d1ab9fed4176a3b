#include "config/keys/query.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/keys/sql_text.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

constexpr std::size_t kLargest = 64 * 1024;
constexpr std::string_view kBlank = " \t\r\n";

bool is_strange(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7f;
}

// The configuration does not know yet which database reads the query.
constexpr SqlSyntax kAnySyntax{.escape_strings = true, .dollar_quotes = true, .backquotes = true};

std::string trimmed(std::string_view sql) {
  const std::size_t first = sql.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return "";
  return std::string(sql.substr(first, sql.find_last_not_of(kBlank) - first + 1));
}

}  // namespace

Answer<std::string> read_query(const std::string& text) {
  if (text.size() > kLargest) {
    return Broken{fmt::format("must be at most {} bytes, got {}", kLargest, text.size())};
  }
  if (std::any_of(text.begin(), text.end(), is_strange)) {
    return Broken{"must have no control characters"};
  }
  auto tokens = sql_tokens(text, kAnySyntax);
  std::erase_if(tokens, [](const auto& each) { return each.kind == SqlToken::Kind::comment; });
  std::string word;
  if (!tokens.empty() && tokens[0].kind == SqlToken::Kind::word)
    word = upper_case(text.substr(tokens[0].begin, tokens[0].end - tokens[0].begin));
  if (word != "SELECT" && word != "WITH") {
    return Broken{"must be a query that begins with SELECT or WITH" +
                  (word.empty() ? "" : ", got " + quoted(word))};
  }
  const auto end = std::ranges::find(tokens, ";", &SqlToken::text);
  if (std::any_of(end, tokens.end(), [](const auto& each) { return each.text != ";"; }))
    return Broken{"must be one statement: there is text behind the \";\""};
  return trimmed(std::string_view(text).substr(0, end == tokens.end() ? text.size() : end->begin));
}

Kind<std::string> query() {
  auto kind = from_text<std::string>("an SQL query (SELECT or WITH)", read_query);
  const std::string schema = text_schema(
      R"(^(\s|--[^\n]*\n|#[^\n]*\n)*(/\*|([Ss][Ee][Ll][Ee][Cc][Tt]|[Ww][Ii][Tt][Hh])([^A-Za-z]|$)))");
  kind.schema = R"({"allOf":[)" + schema + R"(,{"not":)" +
                text_schema(R"([\x00-\x08\x0b\x0c\x0e-\x1f\x7f])") + R"(}],"type":"string"})";
  return kind;
}

}  // namespace surveybridge::config
