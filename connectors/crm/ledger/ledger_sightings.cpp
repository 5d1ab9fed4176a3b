// The ledger meets the customers that the service lists: what it thought unsent may be there after
// all, and what it sent once may be there twice.
#include <algorithm>
#include <map>
#include <set>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/ledger/ledger_moves.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "mapping/values/service_copy.hpp"

namespace surveybridge::crm {
namespace {

using Ids = std::set<std::int64_t>;

const mapping::TableColumn kKey{"key", ColumnType::key_text};
const std::string kOfPush = R"( AND "push" = {key})";

struct KnownRow {
  std::string key;
  State state;
  std::string reason, batch, person;
  std::optional<std::int64_t> customer_id;
  std::int64_t attempts = 0;
  bool test = false;
  static auto cells(auto& of) {
    return std::tie(of.key, of.state, of.reason, of.batch, of.customer_id, of.attempts, of.person,
                    of.test);
  }
};

std::vector<KnownRow> known_rows(Database& database, const std::string& push,
                                 const std::vector<std::string>& keys) {
  std::vector<KnownRow> known;
  for (const auto& [key, row] : rows_of_keys(database,
                                             R"(SELECT "key", "state", "reason", "batch",)"
                                             R"( "customer_id", "attempts", "person", "test" FROM)"
                                             R"( "survey_push")",
                                             keys, kOfPush, {push})) {
    known.push_back(struct_in<KnownRow>(row));
    known.back().key = key;
  }
  return known;
}

// Where a row was refused with a batch and is at the service none the less.
void mark_kept(Database& database, const std::string& push, const std::string& key) {
  run_statement(
      database,
      R"(UPDATE "survey_batch" SET "outcome" = {key} WHERE "outcome" = {key})"
      R"( AND "id" IN (SELECT "batch" FROM "survey_push_event")"
      R"( WHERE "push" = {key} AND "key" = {key}))",
      {to_string(Outcome::kept), to_string(Outcome::refused), push, stored_key(database, key)});
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

// Customers with this key that may be this row's. One of a test is not that of a row that is none.
// Of a doubt the read-back leaves to a person what is of the other kind, and so does this.
Ids ids_of(const std::vector<Ledger::Sighting>& customers, const KnownRow& row) {
  const bool doubted = row.state == State::in_doubt || row.state == State::held;
  Ids ids;
  for (const auto& one : customers) {
    const bool other = !one.person.empty() && !row.person.empty() && one.person != row.person;
    const bool other_kind = one.test && *one.test != row.test && (doubted || *one.test);
    if (!other && !other_kind) ids.insert(one.customer_id);
  }
  return ids;
}

// Does the ledger know what became of the row at the service, or will it or a person look? The key
// of any other row that is listed is remembered: the service has it from somebody else, from a
// ledger that is lost, or has kept what it refused. By a person's word a row goes again all the
// same.
bool is_accounted_for(const KnownRow& row) {
  if (row.state == State::pending) return row.reason.starts_with(kSentAgain);
  return row.state != State::quarantined && row.state != State::suppressed;
}

using ListedId = std::pair<std::string, std::int64_t>;  // the stored key, the customer

struct ListedPerson {
  Value person = mapping::Null{};
  bool opted_out = false;
};

// Those who are remembered with these keys, by stored name.
std::map<ListedId, ListedPerson> listed_persons(Database& database, const std::string& push,
                                                const std::vector<std::string>& names) {
  std::map<ListedId, ListedPerson> persons;
  for (auto& row : rows_with_keys(
           database, R"(SELECT "key", "customer_id", "person", "opted_out" FROM "survey_listed")",
           kKey, {names.begin(), names.end()}, kOfPush, {push}))
    persons[{text_in(row.at(0)), integer_in(row.at(1))}] = {std::move(row.at(2)),
                                                            boolean_in(row.at(3))};
  return persons;
}

// Whose a customer is stays as it was told first: the service may mask the address later. So does
// that the customer has opted out.
void remember_listed(Database& database, const std::string& push,
                     const std::vector<Ledger::Sighting>& customers, const Place& read_at,
                     Instant now) {
  const auto keys = keys_of(customers);
  const auto erased = erased_keys(database, keys);
  std::vector<std::string> names;
  for (const auto& key : std::set<std::string>(keys.begin(), keys.end()))
    if (key.size() <= kKeyBytesMax) names.push_back(name_in(erased, key));
  auto persons = listed_persons(database, push, names);
  std::map<ListedId, std::vector<Value>> rows;
  for (const auto& one : customers) {
    if (one.key.size() > kKeyBytesMax) continue;  // no row of ours has it
    const ListedId id{name_in(erased, one.key), one.customer_id};
    ListedPerson& known = persons[id];
    if (mapping::is_null(known.person)) known.person = text_or_null(one.person);
    known.opted_out = known.opted_out || one.opted_out;
    rows[id] = {push,
                id.first,
                one.customer_id,
                known.person,
                or_null(one.transaction_date),
                now,
                known.opted_out,
                text_or_null(read_at.service),
                text_or_null(read_at.correlate)};
  }
  std::vector<std::vector<Value>> all;
  for (auto& [key, row] : rows)
    all.push_back(std::move(row));
  upsert_rows(database, listed_table(), all);
}

// What a meeting changes, gathered first.
struct Changes {
  std::vector<std::vector<Value>> ids;  // customer id, push, key
  std::vector<Ledger::Verdict> arrived, twice, doubts, doubts_twice;
};

std::vector<Ledger::Sighting> without_forgotten(Database& database,
                                                const LedgerTransaction& transaction,
                                                std::vector<Ledger::Sighting> customers) {
  if (!transaction.has_forgotten()) return customers;
  const auto forgotten = People(database).forgotten(persons_of(customers));
  std::erase_if(customers, [&](const auto& one) { return forgotten.contains(one.person); });
  return customers;
}

void compare(Database& database, const std::string& push, const KnownRow& row, Ids ids,
             Changes& changes) {
  const std::int64_t id = *ids.begin();
  // One that was set aside or delayed since is no batch's any more.
  const bool tried = row.attempts > 0;
  const bool unsent =
      row.state == State::pending || row.state == State::quarantined || row.state == State::held;
  if (tried && (unsent || row.state == State::in_doubt)) {
    const std::string found = "in the service's list after all: customer " + std::to_string(id);
    auto& verdicts = unsent            ? changes.arrived
                     : ids.size() == 1 ? changes.doubts
                                       : changes.doubts_twice;
    verdicts.push_back({row.key, State::sent, ids.size() == 1 ? found : told(ids), id, row.batch});
    return;
  }
  if (row.state != State::sent) return;
  if (!row.customer_id) changes.ids.push_back({id, push, stored_key(database, row.key)});
  if (row.customer_id) ids.insert(*row.customer_id);
  if (ids.size() > 1 && !is_told(row.reason, ids))
    changes.twice.push_back({row.key, State::sent, told(ids), row.customer_id, row.batch});
}

bool may_read_invitations(Database& database) {
  const std::string ask(traits(database.dialect()).may_read_invitations);
  return ask.empty() || integer_in(database.query({ask, {}}).rows.at(0).at(0)) != 0;
}

// By the customers that are stored, whatever the ledger knew when they were pulled. What it has
// tried it judges by itself: a person may have sent that again.
std::map<std::string, Listing> pulled(Database& database, const NewBatch& batch,
                                      const std::vector<std::string>& keys) {
  std::map<std::string, Listing> found;
  if (!may_read_invitations(database)) return found;
  for (const auto& [key, row] : rows_of_keys(
           database, R"(SELECT "key", "customer_id", "opted_out" FROM "survey_invitation")", keys,
           kOfPush + R"( AND "test" <= {integer})",
           {batch.push, std::int64_t{batch.test ? 1 : 0}})) {
    Listing& listing = found[key];
    listing.read_at = {batch.service, batch.correlate};
    if (integer_in(row.at(2)) != 0) listing.opted_out.insert(integer_in(row.at(1)));
  }
  if (found.empty()) return found;
  for (const auto& row : known_rows(database, batch.push, keys))
    if (row.attempts > 0) found.erase(row.key);
  return found;
}

// It was looked up then, or a person has decided.
bool was_doubted(Database& database, const std::string& push, const std::string& key) {
  return has_row(database,
                 R"(SELECT 1 FROM "survey_push_event" WHERE "push" = {key})"
                 R"( AND "key" = {key} AND "state" = 'in_doubt')",
                 {push, stored_key(database, key)});
}

}  // namespace

Ledger::SightingResult Ledger::settle_listed(const std::string& push,
                                             const std::vector<Sighting>& customers,
                                             const Place& read_at) {
  std::map<std::string, std::vector<Sighting>> by_key;
  for (const auto& met : customers)
    by_key[met.key].push_back(met);
  std::vector<std::string> keys;
  for (const auto& [key, met] : by_key)
    keys.push_back(key);
  Changes changes;
  LedgerTransaction transaction(database_);
  std::set<std::string> accounted_for;
  for (const auto& row : known_rows(database_, push, keys)) {
    if (is_accounted_for(row)) accounted_for.insert(row.key);
    const auto met = by_key.find(row.key);
    if (met == by_key.end()) continue;
    auto ids = ids_of(met->second, row);
    if (!ids.empty()) compare(database_, push, row, std::move(ids), changes);
  }
  const Instant now = database_.now();
  run_each(database_,
           R"(UPDATE "survey_push" SET "customer_id" = {integer} WHERE "push" = {key})"
           R"( AND "key" = {key})",
           changes.ids);
  for (const auto& verdict : changes.arrived)
    accounted_for.insert(verdict.key);
  std::vector<Sighting> strangers;
  for (const auto& met : customers)
    if (!accounted_for.contains(met.key)) strangers.push_back(met);
  remember_listed(database_, push, without_forgotten(database_, transaction, strangers), read_at,
                  now);
  SightingResult result;
  const auto tell = [&](From from, const std::vector<Verdict>& verdicts, std::int64_t& count,
                        std::string* first) {
    count += move(database_, push, from, verdicts, now);
    if (first != nullptr && first->empty() && !verdicts.empty()) *first = verdicts.front().key;
  };
  tell(From::unsent, changes.arrived, result.arrived, &result.first_arrived);
  tell(From::sent, changes.twice, result.twice, &result.first_twice);
  tell(From::doubt, changes.doubts_twice, result.twice, &result.first_twice);
  tell(From::doubt, changes.doubts, result.doubts, nullptr);
  for (const auto* verdicts : {&changes.arrived, &changes.twice}) {
    for (const auto& verdict : *verdicts)
      mark_kept(database_, push, verdict.key);
  }
  transaction.commit();
  return result;
}

std::map<std::int64_t, std::pair<std::string, std::string>> Ledger::stored_transactions(
    const std::vector<std::int64_t>& customers) {
  std::map<std::int64_t, std::pair<std::string, std::string>> found;
  if (customers.empty() || !may_read_invitations(database_)) return found;
  for (const auto& row :
       rows_with_keys(database_, R"(SELECT "customer_id", "push", "key" FROM "survey_invitation")",
                      {"customer_id", ColumnType::integer}, {customers.begin(), customers.end()},
                      R"( AND "push" IS NOT NULL)"))
    found.emplace(integer_in(row.at(0)), std::pair{text_in(row.at(1)), text_in(row.at(2))});
  return found;
}

std::set<std::string> Ledger::listed(const std::string& push,
                                     const std::vector<std::string>& keys) {
  NewBatch batch;
  batch.push = push;
  std::set<std::string> listed;
  for (const auto& [key, listing] : listings(database_, batch, keys))
    listed.insert(key);
  return listed;
}

std::map<std::string, Listing> listings(Database& database, const NewBatch& batch,
                                        const std::vector<std::string>& keys) {
  auto found = pulled(database, batch, keys);
  for (const auto& [key, row] :
       rows_of_keys(database,
                    R"(SELECT "key", "customer_id", "opted_out", "service",)"
                    R"( "correlate" FROM "survey_listed")",
                    keys, kOfPush + R"( ORDER BY "seen_at")", {batch.push})) {
    Listing& listing = found[key];
    if (boolean_in(row.at(2))) listing.opted_out.insert(integer_in(row.at(1)));
    if (!mapping::is_null(row.at(3))) listing.read_at = {text_in(row.at(3)), text_in(row.at(4))};
  }
  return found;
}

std::map<std::string, Place> listed_alike(Database& database, const NewBatch& batch,
                                          const std::vector<Claim>& rows) {
  std::multimap<std::string, const Claim*> by_person;
  std::set<std::string> persons;
  for (const auto& row : rows) {
    if (row.person.empty()) continue;
    by_person.emplace(row.person, &row);
    persons.insert(row.person);
  }
  Ledger ledger(database);
  std::map<std::string, Place> alike;
  for (const auto& listed :
       rows_with_keys(database,
                      R"(SELECT "person", "key", "customer_id", "transaction_date", "service",)"
                      R"( "correlate" FROM "survey_listed")",
                      {"person", ColumnType::key_text}, {persons.begin(), persons.end()}, kOfPush,
                      {batch.push})) {
    const auto at = instant_in(listed.at(3));
    const auto [first, last] = by_person.equal_range(text_in(listed.at(0)));
    for (auto row = first; row != last && at; ++row) {
      const std::string& key = row->second->key;
      if (stored_key(database, key) == text_in(listed.at(1)) ||
          !mapping::may_be_date(*at, row->second->transaction_date))
        continue;
      if (!was_doubted(database, batch.push, key) &&
          !ledger.knows_customer(batch.pushes, text_in(listed.at(1)), integer_in(listed.at(2))))
        alike.emplace(key, Place{text_in(listed.at(4)), text_in(listed.at(5))});
    }
  }
  return alike;
}

namespace {

// Of the row's batch, or of the row that has none.
std::string of_batch(const std::string& column) {
  return R"(COALESCE((SELECT b.")" + column +
         R"(" FROM "survey_batch" b WHERE b."id" = "survey_push"."batch"), "survey_push".")" +
         column + R"("))";
}

// Of the first batch of a push ("MIN") or of the last one ("MAX"); empty: it has none.
std::optional<Instant> batch_time(Database& database, const std::string& which,
                                  const std::string& push) {
  return instant_in(query_value(
      database, "SELECT " + which + R"(("sent_at") FROM "survey_batch" WHERE "push" = {key})",
      {push}));
}

}  // namespace

std::map<std::string, SentByFormer> sent_by_former(Database& database, const NewBatch& batch,
                                                   const std::vector<Claim>& rows) {
  std::map<std::string, SentByFormer> found;
  auto configured = batch.pushes;
  configured.push_back(batch.push);
  const auto former = former_pushes(database, configured);
  if (former.empty()) return found;
  std::map<std::string, std::string> persons;  // by key
  for (const auto& row : rows)
    persons.emplace(row.key, row.person);
  const auto first = batch_time(database, "MIN", batch.push);
  for (const auto& push : former) {
    // One that goes on is of another file on this store.
    const auto last = batch_time(database, "MAX", push);
    const bool is_over = !first || !last || *last < *first;
    for (const auto& [key, row] : rows_of_keys(
             database,
             R"(SELECT "key", "person", )" + of_batch("service") + ", " + of_batch("correlate") +
                 R"(, "test" FROM "survey_push")",
             keys_of(rows), kOfPush + R"( AND "state" IN ('claimed', 'in_doubt', 'held', 'sent'))",
             {push})) {
      const Place place{text_in(row.at(2)), text_in(row.at(3))};
      const bool same_column = !place.correlate.empty() && place.correlate == batch.correlate;
      const bool same_person = is_over && !persons[key].empty() &&
                               persons[key] == text_in(row.at(1)) &&
                               boolean_in(row.at(4)) == batch.test;
      if (same_column || same_person) found.emplace(key, SentByFormer{push, place, same_column});
    }
  }
  Ledger ledger(database);
  std::erase_if(found, [&](const auto& of) {  // a person may have sent it all the same
    const auto entry = ledger.find(batch.push, of.first);
    return entry && entry->attempts > 0;
  });
  return found;
}

void forget_listed(Database& database, const std::string& push,
                   const std::vector<std::string>& keys) {
  std::vector<std::vector<Value>> rows;
  for (const auto& [name, key] : by_stored_name(database, keys))
    rows.push_back({push, name});
  run_each(database, R"(DELETE FROM "survey_listed" WHERE "push" = {key} AND "key" = {key})", rows);
}

std::vector<std::string> Ledger::claimable(const std::string& push,
                                           const std::vector<std::string>& keys) {
  std::set<std::string> left(keys.begin(), keys.end());
  for (const auto& row : known_rows(database_, push, keys)) {
    if (row.state != State::pending) left.erase(row.key);
  }
  return {left.begin(), left.end()};
}

std::set<std::string> Ledger::missing(const std::string& push,
                                      const std::vector<std::string>& keys) {
  std::set<std::string> left(keys.begin(), keys.end());
  for (const auto& row : known_rows(database_, push, keys))
    left.erase(row.key);
  return left;
}

std::optional<Instant> Ledger::last_claim(const std::string& push) {
  return instant_in(query_value(
      database_, R"(SELECT MAX("sent_at") FROM "survey_batch" WHERE "push" = {key})", {push}));
}

std::optional<Instant> Ledger::oldest_unsent(const std::string& push) {
  return instant_in(
      query_value(database_,
                  R"(SELECT MIN("seen_at") FROM "survey_push" WHERE "push" = {key})"
                  R"( AND "state" IN ('pending', 'quarantined', 'held', 'suppressed'))",
                  {push}));
}

bool Ledger::knows_batch(const std::string& id) {
  return has_row(database_, R"(SELECT 1 FROM "survey_batch" WHERE "id" = {key})", {id});
}

}  // namespace surveybridge::crm
