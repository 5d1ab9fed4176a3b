#include "connectors/crm/pulled/catalog.hpp"

#include <map>
#include <set>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/report_tables.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::int64_t kComputed = 2;  // as `columns_of` says it

// "sales.orders" → {"sales", "orders"}; the schema is optional.
std::pair<std::string, std::string> parts_of(const std::string& table) {
  const auto dot = table.find('.');
  if (dot == std::string::npos) return {"", table};
  return {table.substr(0, dot), table.substr(dot + 1)};
}

using OfTable = TextQuery (*)(const std::string& schema, const std::string& table);

Statement catalogue_of(OfTable what, const std::string& table) {
  const auto [schema, name] = parts_of(table);
  TextQuery query = what(schema, name);
  return {std::move(query.sql), {query.parameters.begin(), query.parameters.end()}};
}

std::set<std::string> names_of_the_bridge() {
  std::set<std::string> names;
  for (const auto& each : every_table())
    names.insert(each.table.name);
  for (const auto& view : view_words())
    names.insert(view.name);
  return names;
}

}  // namespace

std::vector<CatalogColumn> real_columns(Database& database, const std::string& table) {
  const Dialect dialect = database.dialect();
  const auto result =
      database.query({"SELECT * FROM " + quoted_path(dialect, table) + " WHERE 1 = 0", {}});
  std::map<std::string, CatalogColumn> known;
  for (const auto& row : database.query(catalogue_of(traits(dialect).columns_of, table)).rows) {
    const std::string name = text_in(row.at(0));
    known[name] = {name,
                   ColumnKind::other,
                   text_in(row.at(1)),
                   integer_in(row.at(2)) != 0,
                   integer_in(row.at(3)) != 0,
                   text_in(row.at(4)),
                   integer_in(row.at(5)) != 0,
                   text_in(row.at(6))};
    if (!mapping::is_null(row.at(7))) known[name].room = integer_in(row.at(7));
    known[name].is_computed = integer_in(row.at(3)) == kComputed;
  }
  std::vector<CatalogColumn> columns;
  for (const auto& column : result.columns) {
    CatalogColumn known_column = known[column.name];
    known_column.name = column.name;
    known_column.kind = column.kind;
    columns.push_back(std::move(known_column));
  }
  return columns;
}

std::string engine_without_transactions(Database& database, const std::string& table) {
  const auto query = traits(database.dialect()).engine_without_transactions;
  if (query == nullptr) return "";
  const auto rows = database.query(catalogue_of(query, table)).rows;
  return rows.empty() ? "" : text_in(rows.front().at(0));
}

std::vector<std::vector<std::string>> unique_keys(Database& database, const std::string& table) {
  const auto query = traits(database.dialect()).unique_keys_of;
  if (query == nullptr) return {};
  std::vector<std::vector<std::string>> keys;
  std::string last;
  for (const auto& row : database.query(catalogue_of(query, table)).rows) {
    const std::string name = text_in(row.at(0));
    if (keys.empty() || name != last) keys.emplace_back();
    keys.back().push_back(text_in(row.at(1)));
    last = name;
  }
  return keys;
}

std::string key_column(Database& database, const std::string& table) {
  std::string found;
  for (const CatalogColumn& column : real_columns(database, table)) {
    if (!column.in_key) continue;
    if (!found.empty()) return "";
    found = column.name;
  }
  return found;
}

std::vector<RefusedSequence> refused_sequences(Database& database, const std::string& table) {
  const auto of_table = traits(database.dialect()).refused_sequences;
  std::vector<RefusedSequence> all;
  if (of_table == nullptr) return all;
  const auto [schema, name] = parts_of(table);
  TextQuery query = of_table(schema, name);
  const Statement statement{std::move(query.sql),
                            {query.parameters.begin(), query.parameters.end()}};
  for (const auto& row : database.query(statement).rows)
    all.push_back({text_in(row.at(0)), text_in(row.at(1))});
  return all;
}

// The bridge's tables and views are as many as names_of_the_bridge() has, at most.
std::vector<std::string> readable_tables(Database& database, int most) {
  const auto ours = names_of_the_bridge();
  const Dialect dialect = database.dialect();
  const int rows = most + static_cast<int>(ours.size());
  std::vector<std::string> names;
  const std::string sql = limited(dialect, std::string(traits(dialect).tables), rows);
  for (const auto& row : database.query({sql, {}}).rows) {
    std::string name = text_in(row.at(0));
    const bool full = names.size() == static_cast<std::size_t>(most);
    if (!full && !ours.contains(name.substr(name.find('.') + 1))) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace surveybridge::crm
