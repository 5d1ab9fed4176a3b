#include "connectors/crm/schema/move_tables.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

constexpr const char* kLedger = "survey_push";
constexpr const char* kClosedLedger = "survey_push_moved";
// Rows of one statement.
constexpr int kRowsAtOnce = 2000;

// A lease belongs to a process; of the seals only some are copied.
constexpr const char* kStays[] = {"survey_lease", "survey_seal"};

bool stays(const std::string& table) {
  return std::ranges::find(kStays, table) != std::end(kStays);
}

bool is_score(const std::string& column) {
  return column.starts_with("score_");
}

// Tables of reports have a column for each score that somebody has given.
BridgeTable with_scores(const BridgeTable& each, const std::set<std::string>& scores) {
  BridgeTable whole = each;
  for (const auto& column : scores)
    whole.table.columns.push_back({column, ColumnType::integer});
  return whole;
}

std::int64_t count(Database& database, const std::string& table) {
  return integer_in(query_value(database, "SELECT COUNT(*) FROM \"" + table + "\""));
}

// Under this name: the instant, and `more` behind it.
void seal(Database& database, const char* name, const std::string& more = "") {
  const auto now = std::chrono::floor<std::chrono::seconds>(database.now());
  write_seal(database, name, mapping::write_instant(now) + more);
}

// The rows behind `last` in the order of the primary key: by its first column, among equal ones by
// the second, and so on.
Statement next_rows(Dialect dialect, const Table& table, const std::string& name,
                    const std::vector<Value>& last) {
  Statement statement;
  std::string columns, where, order;
  for (const auto& column : table.columns)
    columns += (columns.empty() ? "" : ", ") + quoted(dialect, column.name);
  const auto parameter = [&](std::size_t i) {
    statement.parameters.push_back(last[i]);
    return ":p" + std::to_string(statement.parameters.size());
  };
  for (std::size_t i = 0; i < table.key_size; ++i) {
    const std::string name_of_column = quoted(dialect, table.columns[i].name);
    order += (i == 0 ? "" : ", ") + name_of_column;
    if (last.empty()) continue;
    where += i == 0 ? " WHERE (" : " OR (";
    for (std::size_t before = 0; before < i; ++before)
      where += quoted(dialect, table.columns[before].name) + " = " + parameter(before) + " AND ";
    where += name_of_column + " > " + parameter(i) + ")";
  }
  const std::string select =
      "SELECT " + columns + " FROM " + quoted(dialect, name) + where + " ORDER BY " + order;
  statement.sql = limited(dialect, select, kRowsAtOnce);
  return statement;
}

// Within the new place's transaction. `goes_on`: told how many rows are copied; empty: it says no.
std::optional<std::int64_t> copy_table(Database& from, Database& to, const BridgeTable& each,
                                       const std::function<bool(std::int64_t)>& goes_on) {
  const Table& table = each.table;
  const bool numbered = each.numbering == Numbering::database;
  Table given = table;
  if (numbered) given.columns.erase(given.columns.begin());
  std::int64_t copied = 0;
  std::vector<Value> last;
  for (bool end = false; !end;) {
    if (!goes_on(copied)) return std::nullopt;
    auto rows = from.query(next_rows(from.dialect(), table,
                                     table.name == kLedger ? kClosedLedger : table.name, last))
                    .rows;
    end = rows.size() < static_cast<std::size_t>(kRowsAtOnce);
    for (auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i)
        row[i] = as_written(row[i], table.columns[i].type);
    }
    if (!rows.empty())
      last.assign(rows.back().begin(),
                  rows.back().begin() + static_cast<std::ptrdiff_t>(table.key_size));
    if (numbered) {
      for (auto& row : rows)
        row.erase(row.begin());
    }
    copied += static_cast<std::int64_t>(rows.size());
    insert_rows(to, given, rows);
  }
  return copied;
}

// The key of the hash of addresses, without which the bridge recognizes no person, and how often
// somebody was forgotten.
void copy_hash_key(Database& from, Database& to) {
  const std::string of_people =
      R"(FROM "survey_seal" WHERE "name" NOT IN ('schema', 'moved', 'import'))";
  run_statement(to, "DELETE " + of_people);
  for (const auto& row : query_rows(from, R"(SELECT "name", "value" )" + of_people))
    insert_seal(to, text_in(row.at(0)), text_in(row.at(1)));
}

// Columns of scores, by table; none that an operator has added.
Catalogue scores_in(Database& database) {
  Catalogue there = catalogue(database), scores;
  for (const auto& table : {invitation_table().name, history_table().name})
    std::ranges::copy_if(there[table], std::inserter(scores[table], scores[table].end()), is_score);
  return scores;
}

// Outside of a transaction: not every database takes a new column back.
std::vector<BridgeTable> make_room(Database& from, Database& to) {
  auto old = scores_in(from), there = scores_in(to);
  std::vector<BridgeTable> tables;
  for (const auto& each : every_table()) {
    if (stays(each.table.name)) continue;
    for (const auto& column : old[each.table.name]) {
      if (there[each.table.name].contains(column)) continue;
      to.execute({add_column(to.dialect(), each.table, {column, ColumnType::integer}), {}});
    }
    tables.push_back(with_scores(each, old[each.table.name]));
  }
  return tables;
}

bool is_sealed(Database& database, const char* name) {
  return has_table(database, "survey_seal") && read_seals(database).contains(name);
}

}  // namespace

std::optional<std::string> moved_before(Database& from, Database& to) {
  const bool is_open = has_table(to, "survey_seal") && !is_sealed(to, kImportSeal);
  if (!is_open || !is_sealed(from, kMovedSeal) || count(to, kLedger) == 0) return std::nullopt;
  return read_seals(from).at(kMovedSeal);
}

std::optional<std::string> why_not_to(Database& to) {
  if (!is_sealed(to, kImportSeal)) make_schema(to);
  for (const char* table : {kLedger, "survey_cursor", "survey_customer", "survey_person"}) {
    if (const auto rows = count(to, table); rows > 0)
      return "the new place has " + std::to_string(rows) + " rows in " + table +
             " already: tables are moved into an empty place only";
  }
  return std::nullopt;
}

std::vector<OwnerAtWork> owners_at_work(Database& database) {
  return query_structs<OwnerAtWork>(database,
                                    R"(SELECT DISTINCT "owner", MAX("expires_at") FROM)"
                                    R"( "survey_lease" WHERE "expires_at" > {instant})"
                                    R"( GROUP BY "owner" ORDER BY "owner")",
                                    {database.now()});
}

std::vector<MovedTable> tables_to_move(Database& from) {
  std::vector<MovedTable> found;
  for (const auto& each : every_table()) {
    if (stays(each.table.name)) continue;
    const bool closed = each.table.name == kLedger && has_table(from, kClosedLedger);
    const std::string name = closed ? kClosedLedger : each.table.name;
    if (!has_table(from, name)) continue;  // of an earlier version
    if (const auto rows = count(from, name); rows > 0) found.push_back({each.table.name, rows});
  }
  return found;
}

void close_for_move(Database& from, Database& to, const std::string& file) {
  // A seal is a text of the size of a key.
  constexpr std::size_t kLongest = 120;
  const std::string place = file.size() <= kLongest ? " (then named by " + file + ")" : "";
  if (!is_sealed(to, kImportSeal)) seal(to, kImportSeal);
  const auto sealed = read_seals(from);
  if (!sealed.contains(kMovedSeal)) make_schema(from);
  Transaction transaction(from);
  if (!sealed.contains(kMovedSeal)) seal(from, kMovedSeal, place);
  if (!has_table(from, kClosedLedger))
    run_statement(from, fmt::format(R"(ALTER TABLE "{}" RENAME TO "{}")", kLedger, kClosedLedger));
  transaction.commit();
}

std::optional<std::vector<MovedTable>> copy_tables(Database& from, Database& to,
                                                   const CopyWatcher& goes_on) {
  std::vector<MovedTable> moved;
  std::int64_t before = 0;
  const auto tables = make_room(from, to);
  Transaction transaction(to);
  copy_hash_key(from, to);
  for (const auto& each : tables) {
    const auto rows = copy_table(from, to, each, [&](std::int64_t copied) {
      return goes_on(each.table.name, before + copied);
    });
    if (!rows) return std::nullopt;
    if (*rows > 0) moved.push_back({each.table.name, *rows});
    before += *rows;
  }
  for (const char* sql :
       {R"(DELETE FROM "survey_report_state" WHERE "name" IN ('views', 'comments'))",
        R"(DELETE FROM "survey_seal" WHERE "name" = 'import')"})
    run_statement(to, sql);
  transaction.commit();
  return moved;
}

}  // namespace surveybridge::crm
