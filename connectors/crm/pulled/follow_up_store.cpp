#include "connectors/crm/pulled/follow_up_store.hpp"

#include <map>
#include <set>

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/schema_version.hpp"

namespace surveybridge::crm {
namespace {

constexpr const char* kThisRow =
    R"( WHERE "list" = {key} AND "record" = {key} AND "name" = {key} AND "receiver" = {key})";

// Nothing waits in tables that were moved: it is told from the new place.
constexpr const char* kRows =
    R"(SELECT "list", "record", "name", "receiver", "found_at", "claimed_at", "told_at")";
constexpr const char* kWaits =
    R"( FROM "survey_follow_up" WHERE "receiver" = {key} AND "told_at" IS NULL AND "list" = {key})"
    R"( AND "name" = {key} AND "found_at" >= {instant})"
    R"( AND NOT EXISTS (SELECT 1 FROM "survey_seal" WHERE "survey_seal"."name" = {key}))";

std::set<std::string> known_records(Database& database, const std::vector<FollowUp>& found) {
  std::vector<Value> keys;
  for (const auto& each : found)
    keys.emplace_back(each.record);
  return text_set_in(rows_with_keys(
      database, R"(SELECT "record" FROM "survey_follow_up")", {"record", ColumnType::key_text},
      keys, R"( AND "list" = {key} AND "name" = {key})", {found.front().list, found.front().name}));
}

}  // namespace

// The row without a record and a receiver says it. One of the future is of a clock that was ahead.
Instant FollowUpStore::since(const std::string& list, const std::string& name) {
  const auto rows =
      query_rows(database_, std::string(R"(SELECT "found_at" FROM "survey_follow_up")") + kThisRow,
                 {list, "", name, ""});
  const Instant now = database_.now();
  if (!rows.empty())
    if (const auto since = instant_in(rows.front().at(0)).value(); since <= now) return since;
  upsert_structs<FollowUp>(database_, table_named("survey_follow_up").table,
                           {{list, name, "", "", now, now, now}});
  return now;
}

void FollowUpStore::add(const std::vector<FollowUp>& found) {
  std::map<std::pair<std::string, std::string>, std::vector<FollowUp>> by_name;  // of its list
  for (const auto& each : found)
    by_name[{each.list, each.name}].push_back(each);
  std::vector<FollowUp> unknown;
  for (const auto& [name, all] : by_name) {
    const auto known = known_records(database_, all);
    std::ranges::copy_if(all, std::back_inserter(unknown),
                         [&](const FollowUp& each) { return !known.contains(each.record); });
  }
  insert_structs(database_, table_named("survey_follow_up").table, unknown);
}

std::vector<FollowUp> FollowUpStore::waiting(const std::string& list, const std::string& name,
                                             const std::string& receiver, Instant from, int most) {
  return query_structs<FollowUp>(database_,
                                 std::string(kRows) + kWaits + R"( ORDER BY "found_at", "record")",
                                 {receiver, list, name, from, std::string(kMovedSeal)}, most);
}

std::optional<FollowUpStore::Backlog> FollowUpStore::backlog(const std::string& list,
                                                             const std::string& name,
                                                             const std::string& receiver,
                                                             Instant from) {
  const auto row =
      query_rows(database_, std::string(R"(SELECT COUNT(*), MIN("found_at"))") + kWaits,
                 {receiver, list, name, from, std::string(kMovedSeal)})
          .at(0);
  const auto oldest = instant_in(row.at(1));
  return oldest ? std::optional(Backlog{integer_in(row.at(0)), *oldest}) : std::nullopt;
}

std::int64_t FollowUpStore::untold(const std::string& list, const std::string& name,
                                   const std::vector<std::string>& receivers, Instant from,
                                   Instant until) {
  if (receivers.empty()) return 0;
  std::vector<Value> values{list, name, from, until};
  std::string keys;
  for (const auto& receiver : receivers) {
    keys += keys.empty() ? "{key}" : ", {key}";
    values.emplace_back(receiver);
  }
  return integer_in(
      query_value(database_,
                  R"(SELECT COUNT(DISTINCT "record") FROM "survey_follow_up" WHERE "list" = {key})"
                  R"( AND "name" = {key} AND "found_at" >= {instant} AND "found_at" < {instant})"
                  R"( AND "told_at" IS NULL AND "receiver" IN ()" +
                      keys + ")",
                  values));
}

// The row of since() has in `claimed_at` up to when they were counted.
std::int64_t FollowUpStore::give_up(const std::string& list, const std::string& name,
                                    const std::vector<std::string>& receivers, Instant before) {
  auto row = query_struct<FollowUp>(database_,
                                    std::string(kRows) + R"( FROM "survey_follow_up")" + kThisRow,
                                    {list, "", name, ""});
  if (!row) return 0;
  const Instant counted = row->claimed_at.value_or(row->found_at);
  const std::int64_t records = untold(list, name, receivers, counted, before);
  row->claimed_at = before;
  if (records > 0) mark(*row);
  return records;
}

bool FollowUpStore::mark(const FollowUp& row) {
  return run_statement(database_,
                       std::string(R"(UPDATE "survey_follow_up" SET "claimed_at" = {instant},)"
                                   R"( "told_at" = {instant})") +
                           kThisRow,
                       {or_null(row.claimed_at), or_null(row.told_at), row.list, row.record,
                        row.name, row.receiver}) > 0;
}

void FollowUpStore::remove(const FollowUp& row) {
  run_statement(database_, std::string(R"(DELETE FROM "survey_follow_up")") + kThisRow,
                {row.list, row.record, row.name, row.receiver});
}

}  // namespace surveybridge::crm
