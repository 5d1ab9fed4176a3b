#include "connectors/crm/driver/placeholders.hpp"

#include <cctype>
#include <charconv>

namespace surveybridge::crm {
namespace {

using Position = std::string_view::size_type;
constexpr auto kNowhere = std::string_view::npos;

bool in_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_';
}

bool starts_at(std::string_view sql, Position at, std::string_view what) {
  return sql.substr(at, what.size()) == what;
}

// Behind the quote that ends what was quoted at `at`; doubled quotes belong to it. Without an end
// everything belongs to it, and the database will say so.
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
  return found == kNowhere ? sql.size() : found + end.size();
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

// $$ or $tag$ opens a literal of PostgreSQL that ends with the same; $1 does not.
std::string_view dollar_tag(std::string_view sql, Position at) {
  if (at > 0 && in_name(sql[at - 1])) return {};
  Position end = at + 1;
  while (end < sql.size() && in_name(sql[end]))
    ++end;
  const bool opens = end < sql.size() && sql[end] == '$' &&
                     std::isdigit(static_cast<unsigned char>(sql[at + 1])) == 0;
  return opens ? sql.substr(at, end + 1 - at) : std::string_view();
}

// E'…' of PostgreSQL, as a word of its own.
bool is_escape_string(std::string_view sql, Position quote) {
  if (quote == 0 || (sql[quote - 1] != 'E' && sql[quote - 1] != 'e')) return false;
  return quote == 1 || !in_name(sql[quote - 2]);
}

// Behind what is opaque at `at` (a literal, a quoted name, a comment); `at` itself where nothing
// is.
Position after_opaque(std::string_view sql, Position at, Dialect dialect) {
  const bool postgresql = dialect == Dialect::postgresql;
  const bool mariadb = dialect == Dialect::mariadb;
  switch (sql[at]) {
    case '\'':
      return after_quoted(sql, at, '\'', mariadb || (postgresql && is_escape_string(sql, at)));
    case '"':
      return after_quoted(sql, at, '"', mariadb);
    case '`':
      return postgresql ? at : after_quoted(sql, at, '`', false);
    case '[':
      return dialect == Dialect::sqlserver ? after_quoted(sql, at, ']', false) : at;
    case '-':
      return starts_at(sql, at, "--") ? after(sql, at, "\n") : at;
    case '#':
      return mariadb ? after(sql, at, "\n") : at;
    case '/':
      return starts_at(sql, at, "/*")
                 ? after_block_comment(sql, at, postgresql || dialect == Dialect::sqlserver)
                 : at;
    case '$': {
      const std::string_view tag = postgresql ? dollar_tag(sql, at) : std::string_view();
      return tag.empty() ? at : after(sql, at + tag.size(), tag);
    }
    default:
      return at;
  }
}

// The number of the parameter at `at` and where it ends; 0 where there is none.
struct Parameter {
  std::size_t number = 0;
  Position end = 0;
};

Parameter parameter_at(std::string_view sql, Position at) {
  if (!starts_at(sql, at, ":p") || (at > 0 && sql[at - 1] == ':')) return {};
  std::size_t number = 0;
  const char* end = sql.data() + sql.size();
  const auto [stop, error] = std::from_chars(sql.data() + at + 2, end, number);
  if (error != std::errc() || (stop != end && in_name(*stop))) return {};
  return {number, static_cast<Position>(stop - sql.data())};
}

[[noreturn]] void refuse(const std::string& rule) {
  throw DatabaseError(DatabaseError::Kind::other, rule);
}

}  // namespace

std::string with_placeholders(std::string_view sql, std::size_t count, Placeholder placeholder,
                              Dialect dialect) {
  std::string text;
  std::size_t found = 0;
  for (Position at = 0; at < sql.size();) {
    const Position opaque_end = after_opaque(sql, at, dialect);
    if (opaque_end > at) {
      text += sql.substr(at, opaque_end - at);
      at = opaque_end;
    } else if (const Parameter parameter = parameter_at(sql, at); parameter.number > 0) {
      if (parameter.number != ++found) refuse("parameters must be :p1, :p2, … in this order");
      text += placeholder == Placeholder::dollar ? "$" + std::to_string(found) : "?";
      at = parameter.end;
    } else if (placeholder == Placeholder::question && sql[at] == '?') {
      refuse("the ODBC driver takes a '?' outside of quotes for a parameter");
    } else {
      text += sql[at++];
    }
  }
  if (found != count) {
    refuse("the statement has " + std::to_string(found) + " parameters and was given " +
           std::to_string(count));
  }
  return text;
}

}  // namespace surveybridge::crm
