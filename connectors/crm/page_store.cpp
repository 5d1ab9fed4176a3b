#include "connectors/crm/page_store.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "connectors/crm/arrays.hpp"
#include "connectors/crm/cells.hpp"
#include "connectors/crm/sql.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;
using mapping::Resource;

constexpr std::size_t kKeysAtOnce = 500;  // SQL Server takes 2,100 parameters, old SQLite 999

// The parameters of one_of() for a run of keys, or for all of them where an array takes them.
std::vector<std::vector<Value>> runs_of(Dialect dialect, const std::vector<Value>& keys) {
  if (keys.empty()) return {};
  if (dialect == Dialect::postgresql) return {{array_literal(keys)}};
  std::vector<std::vector<Value>> runs;
  for (std::size_t i = 0; i < keys.size(); i += kKeysAtOnce) {
    const auto end = std::min(keys.size(), i + kKeysAtOnce);
    runs.emplace_back(keys.begin() + static_cast<std::ptrdiff_t>(i),
                      keys.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return runs;
}

std::vector<Value> keys_of(const std::vector<Record>& records) {
  std::vector<Value> keys;
  for (const Record& record : records)
    keys.push_back(mapping::key_of(record));
  return keys;
}

std::map<std::string, std::string> stored_digests(Database& database, const Table& table,
                                                  const std::vector<Value>& keys) {
  const Dialect dialect = database.dialect();
  std::map<std::string, std::string> digests;
  for (auto& run : runs_of(dialect, keys)) {
    const std::string sql = "SELECT " + quoted(dialect, table.columns[0].name) + ", " +
                            quoted(dialect, "digest") + " FROM " + quoted(dialect, table.name) +
                            " WHERE " + one_of(dialect, table.columns[0], run.size());
    for (const auto& row : database.query({sql, std::move(run)}).rows) {
      digests.emplace(text_in(row.at(0)), text_in(row.at(1)));
    }
  }
  return digests;
}

void remove_rows(Database& database, const Table& table, const std::vector<Value>& keys) {
  const Dialect dialect = database.dialect();
  for (auto& run : runs_of(dialect, keys)) {
    database.execute({"DELETE FROM " + quoted(dialect, table.name) + " WHERE " +
                          one_of(dialect, table.columns[0], run.size()),
                      std::move(run)});
  }
}

}  // namespace

std::vector<Record> latest(const std::vector<Record>& records) {
  std::set<std::string> seen;
  std::vector<Record> last;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (seen.insert(text_in(mapping::key_of(*record))).second) last.push_back(*record);
  }
  std::reverse(last.begin(), last.end());
  return last;
}

std::vector<Record> differing(Database& database, const Resource& root,
                              std::vector<Record> records) {
  const Table& table = mapping::tables_of(root).front();
  const auto digests = stored_digests(database, table, keys_of(records));
  std::erase_if(records, [&](const Record& record) {
    const auto stored = digests.find(text_in(mapping::key_of(record)));
    return stored != digests.end() && stored->second == mapping::digest_of(record);
  });
  return records;
}

// In the order of keys, so that two instances with the same rows wait for each other, not in a
// ring. Children that nobody's root row announced are removed too: a table repaired by hand must
// not stop a page for ever.
void store(Database& database, const Resource& root, const std::vector<Record>& records) {
  if (records.empty()) return;
  const Dialect dialect = database.dialect();
  auto tables = mapping::rows_of(root, records, database.now());
  std::ranges::sort(tables.front().rows, {},
                    [](const std::vector<Value>& row) { return text_in(row.front()); });
  put(database, upsert(dialect, *tables.front().table), tables.front().rows);
  const auto keys = keys_of(records);
  for (auto child = tables.begin() + 1; child != tables.end(); ++child) {
    remove_rows(database, *child->table, keys);
    put(database, insert(dialect, *child->table), child->rows);
  }
}

void put(Database& database, const std::string& sql, const std::vector<std::vector<Value>>& rows) {
  if (rows.empty()) return;
  if (database.dialect() == Dialect::postgresql) {
    database.execute({sql, columns_as_arrays(rows, rows.front().size())});
  } else {
    database.execute_each(sql, rows);
  }
}

}  // namespace surveybridge::crm
