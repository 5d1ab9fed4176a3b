#include "config/keys/sql_text.hpp"

#include <cctype>
#include <utility>

#include "config/text.hpp"

namespace surveybridge::config {
namespace {

using Position = std::size_t;

bool starts_at(std::string_view sql, Position at, std::string_view what) {
  return sql.substr(at, what.size()) == what;
}

// Behind the quote that ends what was quoted at `at`. Doubled quotes belong to it.
Position after_quoted(std::string_view sql, Position at, char quote, bool backslash) {
  for (++at; at < sql.size(); ++at) {
    if (backslash && sql[at] == '\\') {
      ++at;
    } else if (sql[at] == quote) {
      if (at + 1 == sql.size() || sql[at + 1] != quote) return at + 1;
      ++at;
    }
  }
  return sql.size();
}

Position after(std::string_view sql, Position at, std::string_view end) {
  const Position found = sql.find(end, at);
  return found == std::string_view::npos ? sql.size() : found + end.size();
}

Position after_block_comment(std::string_view sql, Position at, bool nests) {
  int depth = 0;
  while (at < sql.size()) {
    if (starts_at(sql, at, "/*") && (nests || depth == 0)) {
      ++depth;
      at += 2;
    } else if (starts_at(sql, at, "*/")) {
      at += 2;
      if (--depth == 0) return at;
    } else {
      ++at;
    }
  }
  return at;
}

// $$ or $tag$ opens a literal that ends with the same; $1 does not.
std::string_view dollar_tag(std::string_view sql, Position at) {
  Position end = at + 1;
  while (end < sql.size() && in_sql_name(sql[end]))
    ++end;
  const bool opens = end < sql.size() && sql[end] == '$' &&
                     std::isdigit(static_cast<unsigned char>(sql[at + 1])) == 0;
  return opens ? sql.substr(at, end + 1 - at) : std::string_view();
}

// Is the quote that of E'…', with E as a word of its own?
bool is_escape_string(std::string_view sql, Position quote) {
  if (quote == 0 || (sql[quote - 1] != 'E' && sql[quote - 1] != 'e')) return false;
  return quote == 1 || !in_sql_name(sql[quote - 2]);
}

Position after_dollar_quote(std::string_view sql, Position at) {
  const std::string_view tag = dollar_tag(sql, at);
  return tag.empty() ? at : after(sql, at + tag.size(), tag);
}

// Behind the literal, quoted name or comment that begins at `at`; `at` itself where none begins.
Position after_opaque(std::string_view sql, Position at, const SqlSyntax& syntax) {
  switch (sql[at]) {
    case '\'': {
      const bool escapes = syntax.escape_strings && is_escape_string(sql, at);
      return after_quoted(sql, at, '\'', syntax.backslash_escapes || escapes);
    }
    case '"':
      return after_quoted(sql, at, '"', syntax.backslash_escapes);
    case '`':
      return syntax.backquotes ? after_quoted(sql, at, '`', false) : at;
    case '[':
      return syntax.brackets ? after_quoted(sql, at, ']', false) : at;
    case '-':
      return starts_at(sql, at, "--") ? after(sql, at, "\n") : at;
    case '#':
      return syntax.hash_comments ? after(sql, at, "\n") : at;
    case '/':
      return starts_at(sql, at, "/*") ? after_block_comment(sql, at, syntax.nested_comments) : at;
    case '$':
      return syntax.dollar_quotes ? after_dollar_quote(sql, at) : at;
    default:
      return at;
  }
}

Position after_word(std::string_view sql, Position at) {
  while (at < sql.size() && (in_sql_name(sql[at]) || sql[at] == '$'))
    ++at;
  return at;
}

}  // namespace

bool in_sql_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_';
}

std::vector<SqlToken> sql_tokens(std::string_view sql, const SqlSyntax& syntax) {
  std::vector<SqlToken> tokens;
  int depth = 0;
  bool behind_dot = false;
  const auto is_one_of = [](std::string_view signs, char c) {
    return signs.find(c) != std::string_view::npos;
  };
  for (Position at = 0; at < sql.size();) {
    const char c = sql[at];
    SqlToken token{SqlToken::Kind::quoted, at, after_opaque(sql, at, syntax)};
    if (token.end > at) {
      if (is_one_of("-/#", c)) token.kind = SqlToken::Kind::comment;
    } else if (in_sql_name(c)) {
      token.kind = SqlToken::Kind::word;
      token.end = after_word(sql, at);
      const bool is_part = behind_dot || starts_at(sql, token.end, ".");
      if (!is_part) token.text = lower_case(sql.substr(at, token.end - at));
    } else {
      token.kind = SqlToken::Kind::sign;
      token.end = at + (starts_at(sql, at, "||") || starts_at(sql, at, ":=") ? 2 : 1);
      token.text = sql.substr(at, token.end - at);
      depth += is_one_of("([{", c) ? 1 : is_one_of(")]}", c) ? -1 : 0;
    }
    at = token.end;
    token.depth = depth;
    if (std::isspace(static_cast<unsigned char>(c)) != 0) continue;
    if (token.kind != SqlToken::Kind::comment) behind_dot = token.text == ".";
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace surveybridge::config
