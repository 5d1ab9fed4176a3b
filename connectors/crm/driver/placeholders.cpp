#include "connectors/crm/driver/placeholders.hpp"

#include <charconv>

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

using Position = std::string_view::size_type;

bool starts_at(std::string_view sql, Position at, std::string_view what) {
  return sql.substr(at, what.size()) == what;
}

// The number of the parameter at `at`, and its end; 0 if there is none.
struct Parameter {
  std::size_t number = 0;
  Position end = 0;
};

Parameter parameter_at(std::string_view sql, Position at) {
  if (!starts_at(sql, at, ":p") || (at > 0 && sql[at - 1] == ':')) return {};
  std::size_t number = 0;
  const char* end = sql.data() + sql.size();
  const auto [stop, error] = std::from_chars(sql.data() + at + 2, end, number);
  if (error != std::errc() || (stop != end && config::in_sql_name(*stop))) return {};
  return {number, static_cast<Position>(stop - sql.data())};
}

[[noreturn]] void refuse_placeholder(const std::string& rule) {
  throw DatabaseError(DatabaseError::Kind::other, rule);
}

}  // namespace

std::string with_placeholders(std::string_view sql, std::size_t count, Placeholder placeholder,
                              Dialect dialect) {
  const config::SqlSyntax& syntax = traits(dialect).syntax;
  std::string text;
  std::size_t found = 0;
  for (Position at = 0; at < sql.size();) {
    const Position opaque_end = config::after_opaque(sql, at, syntax);
    if (opaque_end > at) {
      text += sql.substr(at, opaque_end - at);
      at = opaque_end;
    } else if (const Parameter parameter = parameter_at(sql, at); parameter.number > 0) {
      if (parameter.number != ++found)
        refuse_placeholder("parameters must be :p1, :p2, … in this order");
      text += placeholder == Placeholder::dollar ? "$" + std::to_string(found) : "?";
      at = parameter.end;
    } else if (placeholder == Placeholder::question && sql[at] == '?') {
      refuse_placeholder("the ODBC driver takes a '?' outside of quotes for a parameter");
    } else {
      text += sql[at++];
    }
  }
  if (found != count) {
    refuse_placeholder("the statement has " + std::to_string(found) + " parameters and was given " +
                       std::to_string(count));
  }
  return text;
}

}  // namespace surveybridge::crm
