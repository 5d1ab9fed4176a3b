// The ledger meets the customers that the service lists: what it thought unsent may be there after
// all, and what it sent once may be there twice.
#include <algorithm>
#include <map>
#include <set>

#include "connectors/crm/dialect/arrays.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/ledger/ledger_moves.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {
namespace {

using Ids = std::set<std::int64_t>;

struct KnownRow {
  std::string key;
  State state;
  std::string reason, batch, person;
  std::optional<std::int64_t> customer_id;
  std::int64_t attempts = 0;
};

std::vector<KnownRow> known_rows(Database& database, const std::string& push,
                                 const std::vector<Value>& keys) {
  const Dialect dialect = database.dialect();
  const mapping::TableColumn key{"key", ColumnType::key_text};
  std::vector<KnownRow> known;
  for (auto& run : key_chunks(dialect, keys)) {
    const std::string push_is = quoted(dialect, "push") + " = :p" + std::to_string(run.size() + 1);
    const std::string sql =
        in_dialect(dialect, R"(SELECT "key", "state", "reason", "batch", "customer_id",)"
                            R"( "attempts", "person" FROM)"
                            R"( "survey_push" WHERE )") +
        one_of(dialect, key, run.size()) + " AND " + push_is;
    run.emplace_back(push);
    for (const auto& row : database.query({sql, std::move(run)}).rows) {
      const bool no_id = mapping::is_null(row.at(4));
      known.push_back({text_in(row.at(0)), state_in(row.at(1)), text_in(row.at(2)),
                       text_in(row.at(3)), text_in(row.at(6)),
                       no_id ? std::nullopt : std::optional(integer_in(row.at(4))),
                       integer_in(row.at(5))});
    }
  }
  return known;
}

// Where a row was refused with a batch and is at the service none the less.
void mark_kept(Database& database, const std::string& push, const std::string& key) {
  const std::string sql = in_dialect(
      database.dialect(), R"(UPDATE "survey_batch" SET "outcome" = {key} WHERE "outcome" = {key})"
                          R"( AND "id" IN (SELECT "batch" FROM "survey_push_event")"
                          R"( WHERE "push" = {key} AND "key" = {key}))");
  database.execute({sql, {to_string(Outcome::kept), to_string(Outcome::refused), push, key}});
}

constexpr std::string_view kTwice = "FOUND MORE THAN ONCE in the service's list: customers";

std::string told(const Ids& ids) {
  std::string text(kTwice);
  for (const auto id : ids)
    text += " " + std::to_string(id);
  return text;
}

bool is_told(const std::string& reason, const Ids& ids) {
  return reason.starts_with(kTwice) && std::ranges::all_of(ids, [&](std::int64_t id) {
           return (reason + " ").find(" " + std::to_string(id) + " ") != std::string::npos;
         });
}

// Customers with this key that may be this person's.
Ids ids_of(const std::vector<Ledger::Sighting>& customers, const std::string& person) {
  Ids ids;
  for (const auto& one : customers) {
    const bool other = !one.person.empty() && !person.empty() && one.person != person;
    if (!other) ids.insert(one.customer_id);
  }
  return ids;
}

// What a meeting changes, gathered first.
struct Changes {
  std::vector<std::vector<Value>> ids;  // customer id, push, key
  std::vector<Ledger::Verdict> arrived, twice;
};

void compare(const std::string& push, const KnownRow& row, Ids ids, Changes& changes) {
  const std::int64_t id = *ids.begin();
  // One that was set aside or delayed since is no batch's any more.
  const bool tried = row.attempts > 0;
  const bool unsent =
      row.state == State::pending || row.state == State::quarantined || row.state == State::held;
  if (unsent && tried) {
    changes.arrived.push_back({row.key, State::sent,
                               "in the service's list after all: customer " + std::to_string(id),
                               id, row.batch});
    return;
  }
  if (row.state != State::sent) return;
  if (!row.customer_id) changes.ids.push_back({id, push, row.key});
  if (row.customer_id) ids.insert(*row.customer_id);
  if (ids.size() > 1 && !is_told(row.reason, ids))
    changes.twice.push_back({row.key, State::sent, told(ids), row.customer_id, row.batch});
}

}  // namespace

Ledger::SightingResult Ledger::settle_listed(const std::string& push,
                                             const std::vector<Sighting>& customers) {
  std::map<std::string, std::vector<Sighting>> by_key;
  for (const auto& met : customers)
    by_key[met.key].push_back(met);
  std::vector<Value> keys;
  for (const auto& [key, met] : by_key)
    keys.emplace_back(key);
  Changes changes;
  LedgerTransaction transaction(database_);
  for (const auto& row : known_rows(database_, push, keys)) {
    const auto met = by_key.find(row.key);
    if (met == by_key.end()) continue;
    auto ids = ids_of(met->second, row.person);
    if (!ids.empty()) compare(push, row, std::move(ids), changes);
  }
  const Instant now = database_.now();
  database_.execute_each(
      in_dialect(database_.dialect(), R"(UPDATE "survey_push" SET "customer_id" = {integer})"
                                      R"( WHERE "push" = {key} AND "key" = {key})"),
      changes.ids);
  const auto first = [](const std::vector<Verdict>& verdicts) {
    return verdicts.empty() ? "" : verdicts.front().key;
  };
  const SightingResult result{move(database_, push, From::unsent, changes.arrived, now),
                              move(database_, push, From::sent, changes.twice, now),
                              first(changes.arrived), first(changes.twice)};
  for (const auto* verdicts : {&changes.arrived, &changes.twice}) {
    for (const auto& verdict : *verdicts)
      mark_kept(database_, push, verdict.key);
  }
  transaction.commit();
  return result;
}

std::vector<std::string> Ledger::claimable(const std::string& push,
                                           const std::vector<std::string>& keys) {
  std::set<std::string> left(keys.begin(), keys.end());
  const std::vector<Value> values(left.begin(), left.end());
  for (const auto& row : known_rows(database_, push, values)) {
    if (row.state != State::pending) left.erase(row.key);
  }
  return {left.begin(), left.end()};
}

std::optional<Instant> Ledger::last_claim(const std::string& push) {
  const auto found = database_.query(
      {in_dialect(database_.dialect(),
                  R"(SELECT MAX("sent_at") FROM "survey_batch" WHERE "push" = {key})"),
       {push}});
  return instant_in(found.rows.at(0).at(0));
}

bool Ledger::knows_batch(const std::string& id) {
  const auto found = database_.query(
      {in_dialect(database_.dialect(), R"(SELECT 1 FROM "survey_batch" WHERE "id" = {key})"),
       {id}});
  return !found.rows.empty();
}

}  // namespace surveybridge::crm
