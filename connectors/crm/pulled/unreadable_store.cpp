#include "connectors/crm/pulled/unreadable_store.hpp"

#include <set>

#include "config/text.hpp"
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "mapping/tables/tables.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::crm {
std::string name_of(const mapping::Unreadable& unreadable) {
  const auto& key = unreadable.partial.slots[0].value;
  const bool keyed = std::holds_alternative<std::int64_t>(key);
  return keyed ? text_in(key) : std::string(kKeylessRecord) + mapping::name_uuid(unreadable.raw);
}

const std::set<std::string>& KeptNames::of(Database& database, const std::string& list) {
  if (names_) return *names_;
  names_ = text_set_in(query_rows(
      database, R"(SELECT "record" FROM "survey_unreadable" WHERE "list" = {key})", {list}));
  return *names_;
}

bool KeptNames::has_keyless(Database& database, const std::string& list) {
  const auto& names = of(database, list);
  const auto first = names.lower_bound(std::string(kKeylessRecord));
  return first != names.end() && first->starts_with(kKeylessRecord);
}

void keep_unreadable(Database& database, const std::string& list,
                     const std::vector<UnreadRecord>& records, Instant now, KeptNames& kept) {
  if (!records.empty()) kept.reset();
  std::vector<std::vector<Value>> rows;
  for (const auto& [record, person, hides] : records) {
    const auto& fault = record.fault;
    std::string reason(config::first_bytes(fault.place + ": " + fault.rule, kReasonBytesMax));
    std::string raw = record.raw;
    const auto erased = erased_texts(database, {reason, raw});
    for (auto* text : {&reason, &raw})
      if (erased.contains(*text)) *text = kErased;
    rows.push_back({list, name_of(record), std::move(reason), std::move(raw), now,
                    text_or_null(person), hides ? Value{to_string(*hides)} : Value{}});
  }
  for (auto& row : rows)  // one by one: a page may show a record twice
    upsert_rows(database, unreadable_table(), {std::move(row)});
}

std::vector<const mapping::Record*> drop_unreadable(Database& database, const std::string& list,
                                                    std::span<const mapping::Record> records,
                                                    KeptNames& kept) {
  std::vector<const mapping::Record*> dropped;
  const auto& names = kept.of(database, list);
  if (names.empty()) return dropped;
  std::vector<std::vector<Value>> keys;
  for (const auto& record : records) {
    std::string name = text_in(mapping::key_of(record));
    if (!names.contains(name)) continue;
    keys.push_back({list, std::move(name)});
    dropped.push_back(&record);
  }
  if (keys.empty()) return dropped;
  kept.reset();
  run_each(database, R"(DELETE FROM "survey_unreadable" WHERE "list" = {key} AND "record" = {key})",
           keys);
  return dropped;
}

void reveal_keyless(Database& database, const std::string& list, const std::string& person) {
  run_statement(database,
                R"(UPDATE "survey_unreadable" SET "hides" = NULL WHERE)"
                R"( "list" = {key} AND "record" LIKE {key} AND "person" =)"
                R"( {key})",
                {list, std::string(kKeylessRecord) + "%", person});
}

void clear_unreadable(Database& database, const std::string& list, Instant before) {
  run_statement(database,
                R"(UPDATE "survey_unreadable" SET "raw" = NULL WHERE "list" = {key})"
                R"( AND "seen_at" < {instant} AND "raw" IS NOT NULL)",
                {list, before});
}

std::vector<UnreadableCount> unreadable_counts(Database& database) {
  const auto found = query_rows(
      database, R"(SELECT "list", COUNT(*), COUNT(CASE WHEN "person" IS NULL THEN NULL ELSE)"
                R"( "hides" END), COUNT("hides") FROM "survey_unreadable")"
                R"( GROUP BY "list" ORDER BY "list")");
  std::vector<UnreadableCount> counts;
  for (const auto& row : found) {
    const auto unmailed = integer_in(row.at(2));
    counts.push_back(
        {text_in(row.at(0)), integer_in(row.at(1)), unmailed, integer_in(row.at(3)) - unmailed});
  }
  return counts;
}

}  // namespace surveybridge::crm
