#include "connectors/crm/dialect/sql_parts.hpp"

#include <fmt/format.h>

namespace surveybridge::crm {

std::string joined(const std::vector<std::string>& parts) {
  std::string all;
  for (const auto& part : parts)
    all += (all.empty() ? "" : ", ") + part;
  return all;
}

std::string literal_by(const DialectTraits& traits, std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\'' || (c == '\\' && traits.syntax.backslash_escapes)) escaped += c;
    escaped += c;
  }
  return "'" + escaped + "'";
}

std::string quoted_by(const DialectTraits& traits, std::string_view name) {
  std::string text(1, traits.open_quote);
  for (const char c : name) {
    if (c == traits.close_quote) text += c;
    text += c;
  }
  return text + traits.close_quote;
}

std::string column_names(const DialectTraits& traits, const Table& table, std::string_view prefix,
                         std::size_t first, std::size_t end) {
  std::vector<std::string> names;
  for (std::size_t i = first; i < table.columns.size() && i < end; ++i)
    names.push_back(std::string(prefix) + quoted_by(traits, table.columns[i].name));
  return joined(names);
}

std::string column_parameters(const DialectTraits& traits, const Table& table) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string name = ":p" + std::to_string(i + 1);
    const std::string type(traits.column_type(table.columns[i].type));
    all.push_back(traits.takes_arrays ? "CAST(" + name + " AS " + type + "[])" : name);
  }
  return joined(all);
}

std::string assignments(const DialectTraits& traits, const Table& table, std::string_view before,
                        std::string_view behind) {
  std::vector<std::string> all;
  for (std::size_t i = table.key_size; i < table.columns.size(); ++i) {
    const std::string name = quoted_by(traits, table.columns[i].name);
    all.push_back(name + " = " + std::string(before) + name + std::string(behind));
  }
  return joined(all);
}

std::string insert_by(const DialectTraits& traits, const Table& table) {
  const std::string into =
      "INSERT INTO " + quoted_by(traits, table.name) + " (" + column_names(traits, table) + ") ";
  const std::string parameters = column_parameters(traits, table);
  return into + (traits.takes_arrays ? "SELECT * FROM unnest(" : "VALUES (") + parameters + ")";
}

std::string upsert_on_conflict(const DialectTraits& traits, const Table& table) {
  return insert_by(traits, table) + " ON CONFLICT (" +
         column_names(traits, table, "", 0, table.key_size) + ") DO UPDATE SET " +
         assignments(traits, table, "excluded.");
}

std::string offset_text(std::chrono::minutes offset) {
  const auto minutes = std::chrono::abs(offset).count();
  return fmt::format("{}{:02}:{:02}", offset.count() < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string as_it_is(const std::string& of) {
  return of;
}

std::string with_limit(const std::string& select, const std::string& rows) {
  return select + " LIMIT " + rows;
}

}  // namespace surveybridge::crm
