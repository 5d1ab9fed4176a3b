#include "connectors/crm/pulled/record_store.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/report_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Record;
using mapping::Resource;

std::vector<Value> keys_of(const Page& page) {
  std::vector<Value> keys;
  for (const auto& row : page.tables.front().rows)
    keys.push_back(row.front());
  return keys;
}

std::map<std::string, std::string> stored_digests(Database& database, const Table& table,
                                                  const std::vector<Value>& keys) {
  const Dialect dialect = database.dialect();
  std::map<std::string, std::string> digests;
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string sql = "SELECT " + quoted(dialect, table.columns[0].name) + ", " +
                            quoted(dialect, "digest") + " FROM " + quoted(dialect, table.name) +
                            " WHERE " + one_of(dialect, table.columns[0], run.size());
    for (const auto& row : database.query({sql, std::move(run)}).rows) {
      digests.emplace(text_in(row.at(0)), text_in(row.at(1)));
    }
  }
  return digests;
}

std::vector<Record> latest(std::span<const Record> records) {
  std::set<std::string> seen;
  std::vector<Record> last;
  for (auto record = records.rbegin(); record != records.rend(); ++record) {
    if (seen.insert(text_in(mapping::key_of(*record))).second) last.push_back(*record);
  }
  std::reverse(last.begin(), last.end());
  return last;
}

std::size_t position_of(const Table& table, std::string_view column) {
  const auto found = std::ranges::find(table.columns, column, &mapping::TableColumn::name);
  return static_cast<std::size_t>(found - table.columns.begin());
}

// Keys of the root's rows that are stored.
struct StoredKeys {
  std::set<std::string> unchanged;
  std::vector<Value> replaced;
};

StoredKeys stored_keys(Database& database, const Page& page) {
  const auto& [table, rows] = page.tables.front();
  const auto digests = stored_digests(database, *table, keys_of(page));
  const std::size_t digest = position_of(*table, "digest");
  StoredKeys keys;
  for (const auto& row : rows) {
    const auto stored = digests.find(text_in(row.front()));
    if (stored == digests.end()) continue;
    if (stored->second == text_in(row.at(digest))) {
      keys.unchanged.insert(stored->first);
    } else {
      keys.replaced.push_back(row.front());
    }
  }
  return keys;
}

void prefer_indexes(Database& database) {
  const auto words = traits(database.dialect()).prefer_indexes;
  if (!words.empty()) database.execute({std::string(words), {}});
}

}  // namespace

Page page_of(const Resource& root, std::span<const Record> records, Instant changed_at,
             const mapping::Enumerations& choices) {
  Page page{latest(records), {}};
  for (Record& record : page.records)
    choices.complete(record);
  page.tables = mapping::rows_of(root, page.records, changed_at);
  return page;
}

// The rows of the root's table are in the order of the page's records.
std::int64_t drop_stored(Database& database, Page& page) {
  StoredKeys keys = stored_keys(database, page);
  page.replaced = std::move(keys.replaced);
  const auto& stored = keys.unchanged;
  if (stored.empty()) return 0;
  const auto& roots = page.tables.front().rows;
  std::vector<Record> left;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const bool gone = stored.contains(text_in(roots[i].front()));
    if (!gone) left.push_back(std::move(page.records[i]));
  }
  page.records = std::move(left);
  for (auto& table : page.tables) {
    std::erase_if(table.rows, [&](const std::vector<Value>& row) {
      return stored.contains(text_in(row.front()));
    });
  }
  return static_cast<std::int64_t>(stored.size());
}

// The root's rows are written in the order of keys, so that two instances with the same rows do not
// deadlock.
void store(Database& database, const Page& page) {
  if (page.records.empty()) return;
  const Dialect dialect = database.dialect();
  auto roots = page.tables.front().rows;
  std::ranges::sort(roots, {}, [](const std::vector<Value>& row) { return text_in(row.front()); });
  put(database, upsert(dialect, *page.tables.front().table), roots);
  const auto keys = page.replaced ? *page.replaced : keys_of(page);
  if (!keys.empty()) prefer_indexes(database);
  for (auto child = page.tables.begin() + 1; child != page.tables.end(); ++child) {
    remove_rows(database, *child->table, keys);
    insert_rows(database, *child->table, child->rows);
  }
}

std::int64_t erase(Database& database, const Resource& root, const std::vector<Value>& keys) {
  std::int64_t removed = 0;
  erase_from_report(database, root, keys);
  const auto& tables = mapping::tables_of(root);
  for (auto table = tables.rbegin(); table != tables.rend(); ++table)
    removed = remove_rows(database, *table, keys);
  return removed;  // of the last table, which is the root's
}

}  // namespace surveybridge::crm
