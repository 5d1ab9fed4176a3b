#include "connectors/crm/pulled/unreadable_store.hpp"

#include <set>

#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "mapping/tables/tables.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
namespace {

// The record's key as text. One without a key is known by its text.
std::string name_of(const mapping::Unreadable& unreadable) {
  const auto& key = unreadable.partial.slots[0].value;
  const bool keyed = std::holds_alternative<std::int64_t>(key);
  return keyed ? text_in(key) : "text " + mapping::name_uuid(unreadable.raw);
}

}  // namespace

const std::set<std::string>& KeptNames::of(Database& database, const std::string& list) {
  if (names_) return *names_;
  const auto found = database.query(
      {in_dialect(database.dialect(),
                  R"(SELECT "record" FROM "survey_unreadable" WHERE "list" = {key})"),
       {list}});
  names_.emplace();
  for (const auto& row : found.rows)
    names_->insert(text_in(row.at(0)));
  return *names_;
}

void keep_unreadable(Database& database, const std::string& list,
                     const std::vector<mapping::Unreadable>& records, Instant now,
                     KeptNames& kept) {
  if (!records.empty()) kept.reset();
  std::vector<std::vector<Value>> rows;
  for (const auto& record : records) {
    const auto& fault = record.fault;
    std::string reason(config::first_bytes(fault.place + ": " + fault.rule, kReasonBytesMax));
    rows.push_back({list, name_of(record), std::move(reason), record.raw, now});
  }
  for (auto& row : rows)  // one by one: a page may show a record twice
    put(database, upsert(database.dialect(), unreadable_table()), {std::move(row)});
}

void drop_unreadable(Database& database, const std::string& list,
                     std::span<const mapping::Record> records, KeptNames& kept) {
  const auto& names = kept.of(database, list);
  if (names.empty()) return;
  std::vector<std::vector<Value>> keys;
  for (const auto& record : records) {
    const std::string name = text_in(mapping::key_of(record));
    if (names.contains(name)) keys.push_back({list, name});
  }
  if (keys.empty()) return;
  kept.reset();
  database.execute_each(
      in_dialect(database.dialect(), R"(DELETE FROM "survey_unreadable" WHERE "list" = {key})"
                                     R"( AND "record" = {key})"),
      keys);
}

std::vector<UnreadableCount> unreadable_counts(Database& database) {
  const auto found = database.query(
      {in_dialect(database.dialect(), R"(SELECT "list", COUNT(*) FROM "survey_unreadable")"
                                      R"( GROUP BY "list" ORDER BY "list")"),
       {}});
  std::vector<UnreadableCount> counts;
  for (const auto& row : found.rows)
    counts.push_back({text_in(row.at(0)), integer_in(row.at(1))});
  return counts;
}

}  // namespace surveybridge::crm
