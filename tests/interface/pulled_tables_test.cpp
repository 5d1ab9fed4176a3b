// The pulled tables of docs/REPORTS.md: a row for each table, its columns by type.
#include <map>

#include <gtest/gtest.h>

#include "mapping/interface/resource.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/support/generated_section.hpp"

namespace interface {
namespace {

using surveybridge::mapping::ColumnType;
using surveybridge::mapping::Table;

std::string word_of(ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return "boolean";
    case ColumnType::integer:
      return "integer";
    case ColumnType::decimal:
      return "decimal";
    case ColumnType::instant:
      return "instant";
    case ColumnType::bytes:
      return "bytes";
    case ColumnType::key_text:
    case ColumnType::text:
      break;
  }
  return "text";
}

// "integer **`id`**, `priority`; text `email`": types in the order of their first columns.
std::string columns_of(const Table& table) {
  std::vector<std::string> types;
  std::map<std::string, std::string> names;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string type = word_of(table.columns[i].type), bold = i < table.key_size ? "**" : "";
    if (!names.contains(type)) types.push_back(type);
    std::string& of_type = names[type];
    of_type += (of_type.empty() ? " " : ", ") + bold + "`" + table.columns[i].name + "`" + bold;
  }
  std::string text;
  for (const auto& type : types)
    text += (text.empty() ? "" : "; ") + type + names[type];
  return text;
}

TEST(PulledTables, AreInTheDocument) {
  namespace mapping = surveybridge::mapping;
  std::string made = "| Table | Columns |\n|---|---|\n";
  for (const auto* root : {&mapping::customer(), &mapping::rating(), &mapping::bouncer(),
                           &mapping::status(), &mapping::data_column()})
    for (const Table& table : mapping::tables_of(*root))
      made += "| `" + table.name + "` | " + columns_of(table) + " |\n";
  support::expect_section("docs/REPORTS.md", "pulled tables", made);
}

}  // namespace
}  // namespace interface
