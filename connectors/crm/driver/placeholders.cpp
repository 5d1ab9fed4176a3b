#include "connectors/crm/driver/placeholders.hpp"

#include <charconv>

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

using Position = std::string_view::size_type;

// The number of the parameter at `at`, and its end; 0 if there is none.
struct Parameter {
  std::size_t number = 0;
  Position end = 0;
};

Parameter parameter_at(std::string_view sql, Position at) {
  if (!sql.substr(at).starts_with(":p") || (at > 0 && sql[at - 1] == ':')) return {};
  std::size_t number = 0;
  const char* end = sql.data() + sql.size();
  const auto [stop, error] = std::from_chars(sql.data() + at + 2, end, number);
  if (error != std::errc() || (stop != end && config::in_sql_name(*stop))) return {};
  return {number, static_cast<Position>(stop - sql.data())};
}

// A "$1" in an operator's query would take the value of one of our parameters.
bool is_numbered_parameter(std::string_view sql, const config::SqlToken& token, Dialect dialect) {
  return dialect == Dialect::postgresql && token.text == "$" && token.end < sql.size() &&
         sql[token.end] >= '0' && sql[token.end] <= '9';
}

[[noreturn]] void refuse_placeholder(const std::string& rule) {
  throw DatabaseError(DatabaseError::Kind::other, rule);
}

}  // namespace

std::string with_placeholders(std::string_view sql, std::size_t count, Placeholder placeholder,
                              Dialect dialect) {
  std::string text;
  std::size_t found = 0;
  Position copied = 0;
  for (const auto& token : config::sql_tokens(sql, traits(dialect).syntax)) {
    if (placeholder == Placeholder::question && token.text == "?")
      refuse_placeholder("the ODBC driver takes a '?' outside of quotes for a parameter");
    if (is_numbered_parameter(sql, token, dialect))
      refuse_placeholder("a $ with a number is a parameter, and it has no value here");
    const auto [number, end] = token.text == ":" ? parameter_at(sql, token.begin) : Parameter{};
    if (number == 0) continue;
    if (number != ++found) refuse_placeholder("parameters must be :p1, :p2, … in this order");
    text += sql.substr(copied, token.begin - copied);
    text += placeholder == Placeholder::dollar ? "$" + std::to_string(found) : "?";
    copied = end;
  }
  text += sql.substr(copied);
  if (found != count) {
    refuse_placeholder("the statement has " + std::to_string(found) + " parameters and was given " +
                       std::to_string(count));
  }
  return text;
}

}  // namespace surveybridge::crm
