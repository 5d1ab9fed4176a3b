// Each scalar that is read has a column: the field's name in snake_case after the objects that
// contain it, in the table of the nearest list.
#include <set>

#include <gtest/gtest.h>

#include "connectors/crm/schema/schema.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/interface/bridge.hpp"
#include "tests/interface/document.hpp"

namespace interface {
namespace {

using Columns = std::map<std::string, std::set<std::string>>;

// "DateInvited" → "date_invited"
std::string snake(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && !out.empty()) out += '_';
    out += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// "Batch" and "Id" → "batch_id"; "Status" and "StatusCode" → "status_code".
std::string joined(const std::string& object, const std::string& field) {
  const bool repeated = object.empty() || field.rfind(object + "_", 0) == 0;
  return repeated ? field : object + "_" + field;
}

void add(const Leaf& leaf, Columns& columns) {
  std::string list = leaf.root, column;
  for (const Field* field : leaf.way) {
    column = field->is_list() ? "" : joined(column, snake(field->name));
    if (field->is_list()) list += "." + field->name;
  }
  if (leaf.root == "Status") column = column.substr(sizeof "status");  // survey_status has a code
  auto& of = columns[tables().at(list)];
  of.insert(column);
  if (leaf.field().type == "enumeration") of.insert(column + "_name");
}

Columns expected() {
  Columns columns;
  for (const auto& [list, table] : tables())
    if (list.find('.') == std::string::npos)
      for (const Leaf& leaf : leaves(list))
        add(leaf, columns);
  return columns;
}

std::vector<surveybridge::mapping::Table> every_table() {
  std::vector<surveybridge::mapping::Table> all;
  for (const auto& [root, resource] : described()) {
    if (root == "ImportCustomersRequest") continue;  // resources that are only sent have no table
    for (const auto& table : surveybridge::mapping::tables_of(*resource))
      all.push_back(table);
  }
  return all;
}

TEST(Tables, HaveAColumnForEachFieldAndNoOther) {
  Columns document = expected();
  std::size_t found = 0;
  for (const auto& table : every_table()) {
    ++found;
    std::set<std::string> lacking = document[table.name];
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const std::string& column = table.columns[i].name;
      const bool ours = i < table.key_size || column == "digest" || column == "changed_at";
      const bool known = document[table.name].count(column) != 0;
      EXPECT_TRUE(known || ours) << table.name << "." << column << " is not in the document";
      lacking.erase(column);
    }
    for (const std::string& column : lacking)
      ADD_FAILURE() << table.name << " has no column " << column;
  }
  EXPECT_EQ(found, tables().size());
}

// The names in a statement.
std::set<std::string> words(const std::string& sql) {
  std::set<std::string> all;
  std::string word;
  for (const char c : sql + " ") {
    const bool part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!part && !word.empty()) all.insert(std::exchange(word, ""));
    if (part) word += c;
  }
  return all;
}

TEST(Tables, AreMadeWithEachColumnOnEveryDatabase) {
  using surveybridge::crm::Dialect;
  for (const auto dialect :
       {Dialect::postgresql, Dialect::mariadb, Dialect::mysql, Dialect::sqlite}) {
    std::map<std::string, std::set<std::string>> made;
    for (const std::string& sql : surveybridge::crm::schema(dialect)) {
      const auto at = sql.find("CREATE TABLE"), open = sql.find('(', at);
      if (at == std::string::npos) continue;
      for (const std::string& word : words(sql.substr(at, open - at)))
        if (word.rfind("survey_", 0) == 0) made[word] = words(sql.substr(open));
    }
    for (const auto& [table, columns] : expected())
      for (const std::string& column : columns)
        EXPECT_TRUE(made[table].count(column) != 0)
            << static_cast<int>(dialect) << " " << table << "." << column;
  }
}

}  // namespace
}  // namespace interface
