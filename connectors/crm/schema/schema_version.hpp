// The version of the bridge's tables, which survey_seal tells under the name "schema", and what
// each version has brought. A version only adds tables, columns and indexes, so a daemon of an
// earlier version may run on while a later one adds them; it cannot be started again afterwards.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Of the tables of bridge_tables.hpp.
inline constexpr int kSchemaVersion = 1;

struct SchemaStep {
  int version;
  std::vector<std::string> tables;
  std::vector<std::pair<std::string, std::string>> columns;  // table, column
  std::vector<std::string> indexes;
};
// What each version after the first has brought, by version.
const std::vector<SchemaStep>& schema_steps();

// Statements that bring the tables of version `from` to kSchemaVersion, for an administrator who
// runs them one by one, outside of a transaction. Indexes are built beside those who write, where
// the database can.
std::vector<std::string> schema_since(Dialect dialect, int from,
                                      const std::vector<SchemaStep>& steps = schema_steps());

// Nothing may be read or written here: the tables are of a later version than this program knows,
// or they are being moved, or were moved, to another place (move_tables.hpp).
struct RefusedTables : DatabaseError {
  explicit RefusedTables(const std::string& what) : DatabaseError(Kind::other, what) {}
};

// Throws RefusedTables. Needs the table survey_seal. False: the tables are of an earlier version.
bool is_present_version(Database& database);
// What survey_seal says of the tables: by one of these names.
inline constexpr const char* kSchemaSeal = "schema";
inline constexpr const char* kMovedSeal = "moved";    // when they were moved to another place
inline constexpr const char* kImportSeal = "import";  // since when they are being moved to here
// How often somebody was forgotten. Every job locks this row: it is made with the tables, so that
// no two jobs make it at once.
inline constexpr const char* kForgetsSeal = "forgets";
// The row of survey_seal with the key of the people's hash.
inline constexpr const char* kPersonSeal = "person";
// Those of these that are there, by name.
std::map<std::string, std::string> read_seals(Database& database,
                                              const std::vector<std::string>& names = {
                                                  kSchemaSeal, kMovedSeal, kImportSeal});
void write_seal(Database& database, const std::string& name, const std::string& value);
// DatabaseError(constraint): it is there.
void insert_seal(Database& database, const std::string& name, const std::string& value);

// Within the transaction that brings the tables to kSchemaVersion.
void store_schema_version(Database& database);

}  // namespace surveybridge::crm
