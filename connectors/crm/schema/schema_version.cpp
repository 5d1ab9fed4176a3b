#include "connectors/crm/schema/schema_version.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

std::string index_named(Dialect dialect, const std::string& name) {
  const auto& indexes = bridge_indexes();
  const auto found = std::ranges::find(indexes, name, &Index::name);
  if (found == indexes.end()) throw std::logic_error("there is no index " + name);
  std::string text = create_index(dialect, *found);
  constexpr std::string_view kCreate = "CREATE INDEX";
  const auto at = text.find(kCreate);
  if (at != std::string::npos)
    text.insert(at + kCreate.size(), traits(dialect).index_beside_writers);
  return text;
}

std::string add_column(Dialect dialect, const std::string& table, const std::string& column) {
  const Table& of = table_named(table).table;
  const auto found = std::ranges::find(of.columns, column, &mapping::TableColumn::name);
  if (found == of.columns.end()) throw std::logic_error(table + " has no column " + column);
  return crm::add_column(dialect, of, *found);
}

constexpr const char* kForget = R"(DELETE FROM "survey_seal" WHERE "name" = 'schema')";

std::string remember() {
  return R"(INSERT INTO "survey_seal" ("name", "value") VALUES ('schema', ')" +
         std::to_string(kSchemaVersion) + "')";
}

}  // namespace

const std::vector<SchemaStep>& schema_steps() {
  static const std::vector<SchemaStep> none_yet;
  return none_yet;
}

std::vector<std::string> schema_since(Dialect dialect, int from,
                                      const std::vector<SchemaStep>& steps) {
  if (from >= kSchemaVersion) return {};
  std::vector<std::string> statements;
  std::set<std::string> whole;  // made as they are at present
  for (const auto& step : steps) {
    if (step.version <= from) continue;
    for (const auto& name : step.tables) {
      whole.insert(name);
      const BridgeTable& made = table_named(name);
      statements.push_back(create_table(dialect, made.table, made.numbering));
    }
    for (const auto& [table, column] : step.columns) {
      if (!whole.contains(table)) statements.push_back(add_column(dialect, table, column));
    }
    for (const auto& name : step.indexes)
      statements.push_back(index_named(dialect, name));
  }
  statements.push_back(in_dialect(dialect, kForget));
  statements.push_back(in_dialect(dialect, remember()));
  return statements;
}

namespace {

[[noreturn]] void refuse_newer(const std::string& version) {
  throw RefusedTables("a newer surveybridge has made or changed its tables here (schema " +
                      version + "), and this one knows schema " + std::to_string(kSchemaVersion) +
                      " only: install the newer program");
}

}  // namespace

bool is_present_version(Database& database) {
  auto seals = read_seals(database);
  if (seals.contains(kMovedSeal)) {
    throw RefusedTables("the bridge's tables were moved from here to another place at " +
                        seals[kMovedSeal] + ": use the configuration that names that place now");
  }
  if (seals.contains(kImportSeal)) {
    throw RefusedTables("the bridge's tables are being moved to here since " + seals[kImportSeal] +
                        ": `surveybridge move` must come to its end first");
  }
  if (!seals.contains(kSchemaSeal)) return false;
  const std::string& text = seals[kSchemaSeal];
  const auto version = config::to_number<int>(text);
  if (!version || *version > kSchemaVersion) refuse_newer(text);
  return version == kSchemaVersion;
}

std::map<std::string, std::string> read_seals(Database& database,
                                              const std::vector<std::string>& names) {
  std::map<std::string, std::string> seals;
  for (const auto& row :
       rows_with_keys(database, R"(SELECT "name", "value" FROM "survey_seal")",
                      {"name", ColumnType::key_text}, {names.begin(), names.end()}))
    seals[text_in(row.at(0))] = text_in(row.at(1));
  return seals;
}

void write_seal(Database& database, const std::string& name, const std::string& value) {
  upsert_rows(database, table_named("survey_seal").table, {{name, value}});
}

void insert_seal(Database& database, const std::string& name, const std::string& value) {
  run_statement(database, R"(INSERT INTO "survey_seal" ("name", "value") VALUES ({key}, {key}))",
                {name, value});
}

void store_schema_version(Database& database) {
  write_seal(database, kSchemaSeal, std::to_string(kSchemaVersion));
  if (!read_seals(database, {kForgetsSeal}).contains(kForgetsSeal))
    insert_seal(database, kForgetsSeal, "0");
}

}  // namespace surveybridge::crm
