#include "config/keys/sql_text.hpp"

#include <cctype>

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
  if (at > 0 && in_sql_name(sql[at - 1])) return {};
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

}  // namespace

bool in_sql_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_';
}

bool is_comment(std::string_view sql, std::size_t at, const SqlSyntax& syntax) {
  return starts_at(sql, at, "--") || starts_at(sql, at, "/*") ||
         (syntax.hash_comments && starts_at(sql, at, "#"));
}

std::size_t after_opaque(std::string_view sql, std::size_t at, const SqlSyntax& syntax) {
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

}  // namespace surveybridge::config
