#include "connectors/crm/dialect/sql.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "connectors/crm/dialect/sql_parts.hpp"
#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {
namespace {

ColumnType type_named(std::string_view name) {
  constexpr std::array<std::string_view, 7> kNames = {"boolean", "integer", "decimal", "text",
                                                      "key",     "instant", "bytes"};
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end())
    throw std::logic_error("a statement names no parameter type: " + std::string(name));
  return static_cast<ColumnType>(found - kNames.begin());
}

std::string parameter(const DialectTraits& dialect, std::string_view type, std::size_t number) {
  const bool array = type.ends_with("[]");
  const ColumnType element = type_named(array ? type.substr(0, type.size() - 2) : type);
  const std::string name = ":p" + std::to_string(number);
  if (dialect.takes_arrays) {
    const std::string cast_to(dialect.column_type(element));
    return "CAST(" + name + " AS " + cast_to + (array ? "[])" : ")");
  }
  if (array) throw std::logic_error("this database takes no arrays");
  return name;
}

// `holes`: "{}" and "{0}" stay, for what fills them, and a line end is one blank.
std::string converted(Dialect dialect, std::string_view pattern, std::size_t before, bool holes) {
  std::string text;
  std::size_t number = before;
  constexpr std::string_view kCount = "COUNT(";
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern.substr(i).starts_with(kCount) && pattern.substr(i + kCount.size(), 1) != "*")
      text += traits(dialect).functions;
    if (holes && pattern[i] == '\n') {
      i = std::min(pattern.find_first_not_of(' ', i + 1), pattern.size()) - 1;
      text += ' ';
      continue;
    }
    if (pattern[i] != '"' && pattern[i] != '{') {
      text += pattern[i];
      continue;
    }
    const std::size_t end = pattern.find(pattern[i] == '{' ? '}' : '"', i + 1);
    if (end == std::string_view::npos) throw std::logic_error("a statement is not closed");
    const std::string_view inside = pattern.substr(i + 1, end - i - 1);
    if (pattern[i] == '"') {
      text += quoted(dialect, inside);
    } else if (holes && inside.find_first_not_of("0123456789") == std::string_view::npos) {
      text += pattern.substr(i, end - i + 1);
    } else {
      text += parameter(traits(dialect), inside, ++number);
    }
    i = end;
  }
  return text;
}

}  // namespace

std::string quoted(Dialect dialect, std::string_view name) {
  return quoted_by(traits(dialect), name);
}

std::string quoted_path(Dialect dialect, std::string_view dotted) {
  const std::size_t dot = dotted.find('.');
  if (dot == std::string_view::npos) return quoted(dialect, dotted);
  return quoted(dialect, dotted.substr(0, dot)) + "." +
         quoted_path(dialect, dotted.substr(dot + 1));
}

std::string in_dialect(Dialect dialect, std::string_view pattern, std::size_t before) {
  return converted(dialect, pattern, before, false);
}

std::string filled_by(Dialect dialect, std::string_view pattern, fmt::format_args parts) {
  return fmt::vformat(converted(dialect, pattern, 0, true), parts);
}

std::string exact(Dialect dialect, const std::string& text) {
  return traits(dialect).exact(text);
}

std::string limited(Dialect dialect, const std::string& select, int rows) {
  return traits(dialect).limited(select, std::to_string(rows));
}

std::string insert(Dialect dialect, const Table& table) {
  return insert_by(traits(dialect), table);
}

std::string upsert(Dialect dialect, const Table& table) {
  return traits(dialect).upsert(table);
}

std::string one_of(Dialect dialect, const mapping::TableColumn& column, std::size_t count) {
  const std::string name = quoted(dialect, column.name);
  if (traits(dialect).takes_arrays) {
    return name + " = ANY(CAST(:p1 AS " + std::string(traits(dialect).column_type(column.type)) +
           "[]))";
  }
  std::vector<std::string> parameters;
  for (std::size_t i = 1; i <= count; ++i)
    parameters.push_back(":p" + std::to_string(i));
  return name + " IN (" + joined(parameters) + ")";
}

}  // namespace surveybridge::crm
