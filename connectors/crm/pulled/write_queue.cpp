#include "connectors/crm/pulled/write_queue.hpp"

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {

void WriteQueue::add(std::span<const mapping::Record> records, Instant now) {
  mapping::Table given = write_queue_table();
  given.columns.erase(given.columns.begin());  // the database numbers the entries
  std::vector<std::vector<Value>> rows;
  for (const auto& record : records)
    rows.push_back({list_, text_in(mapping::key_of(record)), now});
  put(store_, insert(store_.dialect(), given), rows);
}

std::vector<WriteQueue::Entry> WriteQueue::next(int limit) {
  std::vector<Entry> entries;
  for (const auto& row : query_rows(store_,
                                    R"(SELECT "id", "record" FROM "survey_write_queue")"
                                    R"( WHERE "list" = {key} ORDER BY "id")",
                                    {list_}, limit))
    entries.push_back({integer_in(row.at(0)), text_in(row.at(1))});
  return entries;
}

void WriteQueue::remove(const std::vector<Entry>& entries) {
  std::vector<Value> ids;
  for (const auto& entry : entries)
    ids.emplace_back(entry.id);
  remove_rows(store_, write_queue_table(), ids);
}

std::vector<WriteBacklog> write_backlogs(Database& store) {
  std::vector<WriteBacklog> all;
  const auto found =
      query_rows(store, R"(SELECT "list", COUNT(*), MIN("queued_at"))"
                        R"( FROM "survey_write_queue" GROUP BY "list" ORDER BY "list")");
  for (const auto& row : found)
    all.push_back({text_in(row.at(0)), integer_in(row.at(1)), instant_in(row.at(2)).value()});
  return all;
}

}  // namespace surveybridge::crm
