#include "connectors/crm/daemon_state/count_store.hpp"

#include <algorithm>
#include <array>

#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"

namespace surveybridge::crm {
namespace {

// No row leaves them, but for single ones by `doubt undo` or by a change of the CRM, which the next
// count sees, and by `suppressed retry`, which counts anew.
constexpr std::array kFinal{State::sent, State::suppressed};

std::optional<std::string> next_push(Database& database, const std::string& after) {
  const Value push = query_value(
      database, R"(SELECT MIN("push") FROM "survey_push" WHERE "push" > {key})", {after});
  if (mapping::is_null(push)) return std::nullopt;
  return text_in(push);
}

void add_open_states(Database& database, const std::string& push,
                     std::vector<Ledger::Count>& counts) {
  for (const auto& row :
       query_rows(database,
                  R"(SELECT "state", COUNT(*) FROM "survey_push" WHERE "push" = {key})"
                  R"( AND "state" IN ('pending', 'claimed', 'in_doubt', 'held', 'quarantined'))"
                  R"( GROUP BY "state")",
                  {push}))
    counts.push_back({push, state_in(row.at(0)), integer_in(row.at(1))});
}

std::int64_t count_since(Database& database, const std::string& push, State state, Instant since) {
  return integer_in(
      query_value(database,
                  R"(SELECT COUNT(*) FROM "survey_push" WHERE "push" = {key} AND "state" = {key})"
                  R"( AND "changed_at" >= {instant})",
                  {push, to_string(state), since}));
}

// Null: no number is kept.
const KeptCount* find_kept(const std::vector<KeptCount>& kept, const std::string& push,
                           const std::string& counted) {
  const auto found = std::ranges::find_if(
      kept, [&](const KeptCount& each) { return each.push == push && each.counted == counted; });
  return found == kept.end() ? nullptr : &*found;
}

std::int64_t count_of(Database& database, const std::vector<KeptCount>& kept,
                      const std::string& push, State state) {
  const KeptCount* number = find_kept(kept, push, to_string(state));
  if (number == nullptr) return Ledger(database).count(push, state);
  return number->rows + count_since(database, push, state, number->before);
}

void remove_kept(Database& database, const std::string& push, const std::string& counted) {
  run_statement(database,
                R"(DELETE FROM "survey_count" WHERE "push" = {key})"
                R"( AND "counted" = {key})",
                {push, counted});
}

}  // namespace

std::vector<KeptCount> kept_counts(Database& database) {
  return query_structs<KeptCount>(database, R"(SELECT "push", "counted", "rows", "before")"
                                            R"( FROM "survey_count" ORDER BY "push", "counted")");
}

void renew_kept_counts(Database& database, std::int64_t least) {
  const Instant before = database.now() - kCommittedWithin;
  std::vector<std::vector<Value>> rows;
  for (const auto& row :
       query_rows(database,
                  R"(SELECT "push", "state", COUNT(*) FROM "survey_push")"
                  R"( WHERE "state" IN ('sent', 'suppressed') AND "changed_at" < {instant})"
                  R"( GROUP BY "push", "state" HAVING COUNT(*) >= {integer})",
                  {before, least}))
    rows.push_back({text_in(row.at(0)), text_in(row.at(1)), integer_in(row.at(2)), before});
  Transaction transaction(database);
  for (const auto& old : kept_counts(database)) {
    const bool stays =
        std::ranges::any_of(rows, [&](const auto& row) { return row.at(0) == Value{old.push}; });
    if (!stays || old.counted != kNeverListed) remove_kept(database, old.push, old.counted);
  }
  upsert_rows(database, table_named("survey_count").table, rows);
  transaction.commit();
}

std::optional<std::chrono::microseconds> age_of_kept_counts(Database& database) {
  std::optional<Instant> oldest;
  for (const auto& each : kept_counts(database)) {
    if (each.counted == kNeverListed) continue;
    oldest = std::min(oldest.value_or(each.before), each.before);
  }
  if (!oldest) return std::nullopt;
  return database.now() - (*oldest + kCommittedWithin);
}

std::vector<Ledger::Count> count_by_kept(Database& database) {
  const auto kept = kept_counts(database);
  if (kept.empty()) return Ledger(database).counts();
  std::vector<Ledger::Count> counts;
  for (auto push = next_push(database, ""); push; push = next_push(database, *push)) {
    add_open_states(database, *push, counts);
    for (const State state : kFinal) {
      const auto rows = count_of(database, kept, *push, state);
      if (rows > 0) counts.push_back({*push, state, rows});
    }
  }
  std::ranges::sort(counts, {}, [](const Ledger::Count& count) {
    return std::pair{count.push, std::string(to_string(count.state))};
  });
  return counts;
}

void keep_never_listed(Database& database, const std::string& push,
                       const std::optional<std::int64_t>& rows) {
  const auto kept = kept_counts(database);
  if (rows && find_kept(kept, push, to_string(State::sent)) != nullptr) {
    upsert_structs<KeptCount>(database, table_named("survey_count").table,
                              {{push, kNeverListed, *rows, database.now()}});
  } else if (find_kept(kept, push, kNeverListed) != nullptr) {
    remove_kept(database, push, kNeverListed);
  }
}

std::optional<std::int64_t> kept_never_listed(Database& database, const std::string& push) {
  const auto kept = kept_counts(database);
  const KeptCount* number = find_kept(kept, push, kNeverListed);
  if (number == nullptr) return std::nullopt;
  return number->rows;
}

}  // namespace surveybridge::crm
