#include "connectors/crm/ledger/ledger.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/ledger/ledger_moves.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/erased_keys.hpp"

namespace surveybridge::crm {
namespace {

using Verdict = Ledger::Verdict;

void allow(State state, std::initializer_list<State> allowed, const char* what) {
  if (std::find(allowed.begin(), allowed.end(), state) == allowed.end()) {
    throw std::invalid_argument(std::string(what) + " cannot make a row " + to_string(state));
  }
}

std::vector<Verdict> verdicts_on(const std::vector<std::string>& keys, State state,
                                 const std::string& reason) {
  std::vector<Verdict> verdicts;
  for (const auto& key : keys)
    verdicts.push_back({key, state, reason});
  return verdicts;
}

void record_answer(Database& database, const std::string& batch, const Ledger::Answer& answer,
                   Instant now) {
  const bool is_erased = !erased_texts(database, {answer.detail}).empty();
  const std::string detail = is_erased ? std::string(kErased) : bounded(answer.detail);
  const Value status =
      answer.http_status == 0 ? Value{mapping::Null{}} : Value{std::int64_t{answer.http_status}};
  run_statement(database,
                R"(UPDATE "survey_batch" SET "outcome" = {key}, "http_status" = {integer},)"
                R"( "detail" = {text}, "settled_at" = {instant} WHERE "id" = {key})",
                {to_string(answer.outcome), status, detail, now, batch});
}

std::set<std::string> forgotten_among(Database& database, const std::vector<Claim>& rows) {
  return People(database).forgotten(persons_of(rows));
}

std::set<std::string> barred_among(Database& database, const NewBatch& batch,
                                   const std::vector<Claim>& rows) {
  auto kinds = batch.barring;
  kinds.push_back(FactKind::forgotten);
  return People(database).with_facts(persons_of(rows), kinds);
}

// The service's words about a batch may repeat addresses; whoever was forgotten while it was under
// way is not to come back by them.
bool has_forgotten(Database& database, const std::string& push,
                   const std::vector<Verdict>& verdicts) {
  return !People(database).transactions_of(push, keys_of(verdicts), {FactKind::forgotten}).empty();
}

std::int64_t move_in_one(Database& database, const std::string& push, From from,
                         const std::vector<Verdict>& verdicts) {
  LedgerTransaction transaction(database);
  const auto moved = move(database, push, from, verdicts, database.now());
  transaction.commit();
  return moved;
}

// No batch tells where these rows are to be looked up.
void note_places(Database& database, const std::string& push, const std::vector<std::string>& keys,
                 const std::map<std::string, Place>& places) {
  std::vector<std::vector<Value>> rows;
  for (const auto& [name, key] : by_stored_name(database, keys)) {
    const auto place = places.find(key);
    if (place == places.end()) continue;
    rows.push_back(
        {text_or_null(place->second.service), text_or_null(place->second.correlate), push, name});
  }
  run_each(database,
           R"(UPDATE "survey_push" SET "service" = {key}, "correlate" = {key})"
           R"( WHERE "push" = {key} AND "key" = {key})",
           rows);
}

struct DoubtedRows {
  std::int64_t count = 0;
  std::set<std::string> opted_out = {};  // persons of whom that was not known before
};

// Rows that the service lists, under their keys or under changed ones, as if they had been sent and
// their answer were lost. From then on the ledger knows the keys: a person may send one again
// although it is listed.
DoubtedRows doubt_listed_rows(Database& database, const NewBatch& batch,
                              const std::vector<Claim>& rows,
                              const std::set<std::string>& forgotten, Instant now) {
  const auto keys = keys_of(rows);
  const auto listed = listings(database, batch, keys);
  const auto former = sent_by_former(database, batch, rows);
  const auto alike = listed_alike(database, batch, rows);
  DoubtedRows doubted;
  std::vector<Fact> facts;
  Entering entering{.push = batch.push,
                    .state = State::claimed,
                    .owner = batch.owner,
                    .test = batch.test,
                    .now = now};
  for (const auto& row : rows) {
    const auto listing = listed.find(row.key);
    const bool by_key =
        listing != listed.end() || former.contains(row.key) || batch.lost.contains(row.key);
    if ((!by_key && !alike.contains(row.key)) || forgotten.contains(row.person)) continue;
    // What is listed under its key is looked up by that: a row without a transaction date of its
    // own would get another one now than it was sent with.
    entering.rows.push_back(
        {.key = row.key,
         .email = row.email,
         .transaction_date = by_key ? Value{mapping::Null{}} : Value{row.transaction_date},
         .person = text_or_null(row.person)});
    if (listing == listed.end() || row.person.empty()) continue;
    for (const auto customer : listing->second.opted_out) {
      facts.push_back({row.person, FactKind::opted_out, std::to_string(customer), now});
      doubted.opted_out.insert(row.person);
    }
  }
  if (entering.rows.empty()) return doubted;
  const auto entered = enter(database, entering);
  std::vector<Verdict> verdicts;
  for (const auto& key : entered) {
    if (const auto by_former = former.find(key); by_former != former.end()) {
      const auto& [name, place, same_column] = by_former->second;
      const std::string why = "[push." + name +
                              "], which is not configured any more, has sent it to this person, or "
                              "may have";
      verdicts.push_back({key, same_column ? State::in_doubt : State::held, why});
      continue;
    }
    verdicts.push_back({key, State::in_doubt,
                        listed.contains(key)
                            ? "the service lists it, and the ledger did not know it as sent"
                        : batch.lost.contains(key)
                            ? "it may have gone out before, and the ledger has lost its row"
                            : "the service lists a customer of this person and date under a key "
                              "that no transaction has"});
  }
  doubted.count = move(database, batch.push, From::claimed, verdicts, now);
  std::map<std::string, Place> places;
  for (const auto& [key, listing] : listed)
    if (!listing.read_at.service.empty()) places.emplace(key, listing.read_at);
  for (const auto& [key, sent] : former)
    places.emplace(key, sent.place);
  places.insert(alike.begin(), alike.end());
  for (const auto& key : batch.lost)
    places.emplace(key, Place{batch.service, batch.correlate});
  note_places(database, batch.push, entered, places);
  if (!facts.empty()) People(database).note(facts);
  forget_listed(database, batch.push, entered);
  return doubted;
}

// What waits already, and for the same reason, waits longer: that is no event. One a minute would
// fill the ledger. Of such rows the keys.
std::set<std::string> postpone(Database& database, const std::string& push,
                               std::vector<Ledger::Delay> delays, Instant now) {
  std::ranges::sort(delays, {}, &Ledger::Delay::key);  // two daemons wait for each other, no ring
  // A row that was changed by a clock that was ahead would be due at once again.
  RowChange change{R"(UPDATE "survey_push" AS t SET "not_before" = $not_before, "changed_at" =)"
                   R"( CASE WHEN t."changed_at" > $now THEN $now ELSE t."changed_at" END$rows)"
                   R"( WHERE t."push" = $push AND t."key" = $key AND t."state" = 'pending')"
                   R"( AND t."reason" = $reason)",
                   {{"push", {"key", push}}, {"now", {"instant", now}}},
                   {{"key", "key"}, {"reason", "text"}, {"not_before", "instant"}}};
  for (const auto& delay : delays)
    change.add({delay.key, bounded(delay.reason), delay.until});
  return change_rows(database, change);
}

}  // namespace

std::vector<std::string> Ledger::claim(const NewBatch& batch, const std::vector<Claim>& rows,
                                       const std::optional<Lease>& lease, const Quota& quota) {
  LedgerTransaction transaction(database_);
  if (lease) Leases(database_).confirm(*lease);
  const Instant now = database_.now();
  const auto barred = barred_among(database_, batch, rows);
  const auto forgotten =
      barred.empty() ? std::set<std::string>() : forgotten_among(database_, rows);
  const DoubtedRows doubted = doubt_listed_rows(database_, batch, rows, forgotten, now);
  Entering entering{.push = batch.push,
                    .state = State::claimed,
                    .batch = batch.id,
                    .owner = batch.owner,
                    .test = batch.test,
                    .now = now};
  const auto all = static_cast<std::int64_t>(rows.size());
  const std::int64_t most = quota.take ? quota.take(all) : all;
  for (const auto& row : rows) {
    if (barred.contains(row.person) || doubted.opted_out.contains(row.person)) continue;
    if (static_cast<std::int64_t>(entering.rows.size()) >= most) break;
    entering.rows.push_back({.key = row.key,
                             .email = row.email,
                             .transaction_date = row.transaction_date,
                             .person = text_or_null(row.person),
                             .digest = text_or_null(row.digest),
                             .quota = text_or_null(row.quota)});
  }
  auto ours = enter(database_, entering);
  const auto claimed = static_cast<std::int64_t>(ours.size());
  if (quota.give_back && claimed < most) quota.give_back(most - claimed);
  if (ours.empty()) {
    if (doubted.count > 0) transaction.commit();
    return ours;
  }
  run_statement(database_,
                R"(INSERT INTO "survey_batch" ("id", "push", "owner", "rows", "sent_at", "test",)"
                R"( "service", "correlate") VALUES ({key}, {key}, {key}, {integer}, {instant},)"
                R"( {boolean}, {key}, {key}))",
                {batch.id, batch.push, batch.owner, claimed, now, batch.test,
                 text_or_null(batch.service), text_or_null(batch.correlate)});
  transaction.commit();
  return ours;
}

std::int64_t Ledger::doubt_listed(const NewBatch& batch, const std::vector<Claim>& rows) {
  LedgerTransaction transaction(database_);
  const auto doubted =
      doubt_listed_rows(database_, batch, rows, forgotten_among(database_, rows), database_.now());
  transaction.commit();
  return doubted.count;
}

std::int64_t Ledger::settle(const std::string& push, const std::string& batch, const Answer& answer,
                            const std::vector<Verdict>& verdicts) {
  std::vector<Verdict> of_batch = verdicts;
  for (auto& verdict : of_batch) {
    allow(verdict.state,
          {State::sent, State::pending, State::in_doubt, State::quarantined, State::held},
          "settling");
    verdict.batch = batch;
  }
  LedgerTransaction transaction(database_);
  const Instant now = database_.now();
  Answer told = answer;
  if (transaction.has_forgotten() && has_forgotten(database_, push, of_batch)) {
    told.detail = kErased;
    for (auto& verdict : of_batch)
      if (!verdict.reason.empty()) verdict.reason = kErased;
  }
  record_answer(database_, batch, told, now);
  const auto moved = move(database_, push, From::claimed_or_doubt, of_batch, now);
  transaction.commit();
  return moved;
}

std::int64_t Ledger::set_aside(const std::string& push, State state,
                               const std::vector<SetAside>& rows) {
  allow(state, {State::quarantined, State::suppressed}, "setting aside");
  LedgerTransaction transaction(database_);
  Entering entering{.push = push, .state = state, .now = database_.now()};
  for (const auto& row : rows) {
    entering.rows.push_back({.key = row.key,
                             .reason = bounded(row.reason),
                             .person = text_or_null(row.person),
                             .digest = text_or_null(row.digest)});
  }
  const auto moved = enter(database_, entering).size();
  transaction.commit();
  return static_cast<std::int64_t>(moved);
}

std::int64_t Ledger::delay(const std::string& push, const std::vector<Delay>& rows) {
  LedgerTransaction transaction(database_);
  auto delays = rows;
  const auto erased = erased_keys(database_, keys_of(rows));
  for (auto& delay : delays)
    delay.key = name_in(erased, delay.key);
  Entering entering{.push = push, .now = database_.now()};
  const auto postponed = postpone(database_, push, delays, entering.now);
  for (const auto& delay : delays) {
    if (postponed.contains(delay.key)) continue;
    entering.rows.push_back({.key = delay.key,
                             .reason = bounded(delay.reason),
                             .person = text_or_null(delay.person),
                             .not_before = delay.until});
  }
  const auto moved = enter(database_, entering).size();
  transaction.commit();
  return static_cast<std::int64_t>(postponed.size() + moved);
}

std::int64_t Ledger::doubt_the_dead(const std::string& push, std::chrono::seconds longest) {
  LedgerTransaction transaction(database_);
  const Instant now = database_.now();
  const auto orphans = orphaned_claims(database_, push, now, longest);
  std::vector<Verdict> verdicts;
  for (const auto& [key, batch, owner, lives] : orphans) {
    verdicts.push_back(
        {key, State::in_doubt,
         "instance " + owner + (lives ? " did not settle it in time" : " ended before it settled"),
         std::nullopt, batch});
  }
  const auto moved = move(database_, push, From::claimed, verdicts, now);
  transaction.commit();
  return moved;
}

std::int64_t Ledger::resolve(const std::string& push, const std::vector<Verdict>& verdicts) {
  for (const auto& verdict : verdicts) {
    allow(verdict.state, {State::sent, State::pending, State::held, State::quarantined},
          "read-back");
  }
  return move_in_one(database_, push, From::doubt, verdicts);
}

std::int64_t Ledger::retry(const std::string& push, const std::vector<std::string>& keys,
                           const std::string& reason) {
  return move_in_one(database_, push, From::quarantine, verdicts_on(keys, State::pending, reason));
}

std::int64_t Ledger::mended(const std::string& push, const std::vector<Mendable>& rows,
                            const std::string& reason) {
  std::vector<Verdict> verdicts;
  for (const auto& row : rows)
    verdicts.push_back(
        {.key = row.key, .state = State::pending, .reason = reason, .digest = row.digest});
  return move_in_one(database_, push, From::quarantine_or_suppression, verdicts);
}

std::int64_t Ledger::judge_again(const std::string& push, const std::vector<std::string>& keys,
                                 const std::string& reason) {
  LedgerTransaction transaction(database_);
  const auto theirs =
      People(database_).transactions_of(push, keys, {FactKind::opted_out, FactKind::forgotten});
  std::vector<std::string> others;
  std::ranges::copy_if(keys, std::back_inserter(others), [&](const std::string& key) {
    return !theirs.contains({push, key});
  });
  const auto moved = move(database_, push, From::suppression,
                          verdicts_on(others, State::pending, reason), database_.now());
  transaction.commit();
  return moved;
}

std::int64_t Ledger::drop(const std::string& push, const std::vector<std::string>& keys,
                          const std::string& reason) {
  return move_in_one(database_, push, From::quarantine,
                     verdicts_on(keys, State::suppressed, reason));
}

std::int64_t Ledger::decide(const std::string& push, State state,
                            const std::vector<std::string>& keys, const std::string& reason,
                            const Attempts& seen) {
  allow(state, {State::sent, State::pending}, "an operator");
  const From from = state == State::sent ? From::held_or_doubt : From::held;
  auto verdicts = verdicts_on(keys, state, reason);
  for (auto& verdict : verdicts)
    if (const auto at = seen.find(verdict.key); at != seen.end()) verdict.attempts = at->second;
  return move_in_one(database_, push, from, verdicts);
}

std::int64_t Ledger::undo_sent(const std::string& push, const std::vector<std::string>& keys,
                               const std::string& reason) {
  LedgerTransaction transaction(database_);
  std::vector<std::vector<Value>> rows;
  for (const auto& [name, key] : by_stored_name(database_, keys))
    rows.push_back({push, name});
  run_each(database_,
           R"(UPDATE "survey_push" SET "doubt_since" = (SELECT MAX(e."at") FROM)"
           R"( "survey_push_event" e WHERE e."push" = "survey_push"."push")"
           R"( AND e."key" = "survey_push"."key" AND e."state" = 'in_doubt'))"
           R"( WHERE "push" = {key} AND "key" = {key} AND )" +
               is_from(From::marked_sent),
           rows);
  const auto moved = move(database_, push, From::marked_sent,
                          verdicts_on(keys, State::in_doubt, reason), database_.now());
  transaction.commit();
  return moved;
}

void Ledger::renew_statistics() {
  const auto renew = traits(database_.dialect()).renew_counts;
  if (!renew.empty()) run_statement(database_, std::string(renew) + R"("survey_push")");
}

}  // namespace surveybridge::crm
