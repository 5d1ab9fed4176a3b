#include "connectors/crm/pulled/record_store.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "config/service_list.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/report_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

// Rows of a child table for each record, from which on storing them takes longer than sending them.
constexpr std::size_t kManyChildren = 2;

using mapping::Record;
using mapping::Resource;

std::vector<Value> keys_of(std::span<const Record> records) {
  std::vector<Value> keys;
  keys.reserve(records.size());
  for (const auto& record : records)
    keys.push_back(mapping::key_of(record));
  return keys;
}

std::map<std::string, std::string> stored_digests(Database& database, const Table& table,
                                                  const std::vector<Value>& keys) {
  std::map<std::string, std::string> digests;
  const auto& key = table.columns.front();
  const std::string select = "SELECT \"" + key.name + R"(", "digest" FROM ")" + table.name + "\"";
  for (const auto& row : rows_with_keys(database, select, key, keys))
    digests.emplace(text_in(row.at(0)), text_in(row.at(1)));
  return digests;
}

// The rows whose keys are among these, and the others. Each in the order of keys, so that two
// instances with the same rows do not deadlock.
using Rows = std::vector<std::vector<Value>>;
struct Split {
  Rows replaced, inserted;
};

Split split(Rows rows, const std::optional<std::vector<Value>>& replaced) {
  const auto text = [](const std::vector<Value>& row) { return text_in(row.front()); };
  std::ranges::sort(rows, {}, text);
  if (!replaced) return {std::move(rows), {}};
  std::set<std::string> keys;
  for (const auto& key : *replaced)
    keys.insert(text_in(key));
  Split parts;
  for (auto& row : rows)
    (keys.contains(text(row)) ? parts.replaced : parts.inserted).push_back(std::move(row));
  return parts;
}

}  // namespace

void prefer_indexes(Database& database) {
  const auto words = traits(database.dialect()).prefer_indexes;
  if (!words.empty()) database.execute({std::string(words), {}});
}

std::int64_t keep_latest(std::vector<Record>& records) {
  std::set<std::string> seen;
  std::vector<bool> earlier(records.size());
  for (std::size_t i = records.size(); i-- > 0;)
    earlier[i] = !seen.insert(text_in(mapping::key_of(records[i]))).second;
  std::size_t at = 0;
  return static_cast<std::int64_t>(
      std::erase_if(records, [&](const Record&) { return earlier.at(at++); }));
}

Page page_of(const Resource& root, std::span<const Record> records, Instant changed_at) {
  Page page{&root, records, {}, changed_at};
  for (const Record& record : records)
    page.digests.push_back(mapping::digest_of(record));
  return page;
}

std::int64_t drop_stored(Database& database, Page& page, std::span<Record> records) {
  const auto keys = keys_of(records);
  const auto stored = stored_digests(database, mapping::tables_of(*page.root).front(), keys);
  page.replaced.emplace();
  std::vector<Record> unchanged;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto found = stored.find(text_in(keys[i]));
    if (found != stored.end() && found->second == page.digests[i]) {
      unchanged.push_back(std::move(records[i]));
      continue;
    }
    if (found != stored.end()) page.replaced->push_back(keys[i]);
    if (changed != i) {
      records[changed] = std::move(records[i]);
      page.digests[changed] = std::move(page.digests[i]);
    }
    ++changed;
  }
  std::ranges::move(unchanged, records.begin() + static_cast<std::ptrdiff_t>(changed));
  page.digests.resize(changed);
  page.records = records.first(changed);
  return static_cast<std::int64_t>(unchanged.size());
}

void store(Database& database, const Page& page, std::function<void()> meanwhile) {
  if (page.records.empty()) return;
  std::size_t handed_over = 0;
  const auto& tables = mapping::tables_of(*page.root);
  const auto rows = [&](std::size_t table) {
    return [&, table](const RowSink& take) {
      handed_over = 0;
      const RowSink count = [&](const std::vector<Value>& row) {
        ++handed_over;
        take(row);
      };
      mapping::each_row(*page.root, table, page.records, page.changed_at, page.digests, count);
      // The database is still busy with what was sent of so many rows.
      const bool many = handed_over > kManyChildren * page.records.size();
      if (table > 0 && many && meanwhile) std::exchange(meanwhile, nullptr)();
    };
  };
  const Table& root = tables.front();
  Rows roots;
  rows(0)([&](const std::vector<Value>& row) { roots.push_back(row); });
  const auto [replaced, inserted] = split(std::move(roots), page.replaced);
  insert_rows(database, root, inserted);
  upsert_rows(database, root, replaced);
  const auto keys = page.replaced ? *page.replaced : keys_of(page.records);
  if (!keys.empty()) prefer_indexes(database);
  for (std::size_t child = 1; child < tables.size(); ++child) {
    remove_rows(database, tables[child], keys);
    insert_rows(database, tables[child], rows(child));
  }
  if (meanwhile) meanwhile();
}

namespace {

// Our tables whose rows name a list and a record of it.
const std::vector<const Table*>& tables_by_record() {
  static const std::vector<const Table*> all = {
      &unwritten_table(), &table_named("survey_follow_up").table, &written_table()};
  return all;
}

std::string of_record(const Table& table) {
  return " FROM \"" + table.name + R"(" WHERE "list" = {key} AND "record" = {key})";
}

// The parameters of of_record() for each record.
std::vector<std::vector<Value>> lists_and_records(const Resource& root,
                                                  const std::vector<Value>& keys) {
  const std::string list = config::list_of(root.name);
  std::vector<std::vector<Value>> all;
  for (const auto& key : keys)
    all.push_back({list, text_in(key)});
  return all;
}

Result rows_by_record(Database& database, const Table& table, const Resource& root,
                      const std::vector<Value>& keys) {
  Result all;
  for (const auto& record : lists_and_records(root, keys)) {
    Result found =
        database.query({in_dialect(database.dialect(), "SELECT *" + of_record(table)), record});
    all.columns = std::move(found.columns);
    std::ranges::move(found.rows, std::back_inserter(all.rows));
  }
  return all;
}

// In the order in which rows are removed: the root's own table is the last.
std::vector<const Table*> tables_with(const Resource& root) {
  auto all = report_tables_of(root);
  const auto& tables = mapping::tables_of(root);
  for (auto table = tables.rbegin(); table != tables.rend(); ++table)
    all.push_back(&*table);
  return all;
}

}  // namespace

std::int64_t erase(Database& database, const Resource& root, const std::vector<Value>& keys,
                   Stays stays) {
  for (const Table* table : tables_by_record()) {
    const bool untold = stays == Stays::who_was_told && table->name == "survey_follow_up";
    run_each(database, "DELETE" + of_record(*table) + (untold ? R"( AND "told_at" IS NULL)" : ""),
             lists_and_records(root, keys));
  }
  std::int64_t removed = 0;
  for (const Table* table : tables_with(root))
    removed = remove_rows(database, *table, keys);
  return removed;
}

std::vector<std::pair<const Table*, Result>> rows_to_erase(Database& database, const Resource& root,
                                                           const std::vector<Value>& keys) {
  std::vector<std::pair<const Table*, Result>> all;
  for (const Table* table : tables_by_record())
    all.emplace_back(table, rows_by_record(database, *table, root, keys));
  for (const Table* table : tables_with(root))
    all.emplace_back(table, whole_rows(database, *table, keys));
  return all;
}

}  // namespace surveybridge::crm
