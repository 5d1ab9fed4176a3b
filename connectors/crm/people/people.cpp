#include "connectors/crm/people/people.hpp"

#include <algorithm>
#include <array>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/schema_version.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::array<const char*, 9> kKinds = {"opted_out",      "bounced_hard",  "bounced_soft",
                                               "invited",        "answered",      "forgotten",
                                               "unread_opt_out", "unread_bounce", "unread_contact"};

FactKind kind_in(const Value& cell) {
  const auto* found = std::find(kKinds.begin(), kKinds.end(), text_in(cell));
  if (found == kKinds.end()) {
    throw DatabaseError(DatabaseError::Kind::other, "survey_person holds a kind it does not know");
  }
  return static_cast<FactKind>(found - kKinds.begin());
}

const mapping::TableColumn kPerson{"person", ColumnType::key_text};

constexpr std::string_view kContacted =
    R"( AND "state" IN ('claimed', 'sent', 'in_doubt', 'held'))";

enum class Lock { none, shared, alone };

constexpr int kGateTries = 50;  // each page and each claim of another node may cost one

struct StoredSeal {
  std::string value;
  Value gate;  // DialectTraits::cluster_gate
};
std::optional<StoredSeal> seal_and_gate(Database& database, const char* name, Lock lock) {
  const DialectTraits& known = traits(database.dialect());
  const std::string clause(lock == Lock::none     ? ""
                           : lock == Lock::shared ? known.share_clause
                                                  : known.lock_clause);
  const std::string gate(known.cluster_gate.empty() ? "NULL" : known.cluster_gate);
  const std::string select =
      R"(SELECT "value", )" + gate + R"( FROM "survey_seal" WHERE "name" = {key})" + clause;
  const auto found = query_rows(database, select, {name});
  if (found.empty()) return std::nullopt;
  return StoredSeal{text_in(found.front().at(0)), found.front().at(1)};
}

std::optional<std::string> stored_seal(Database& database, const char* name, Lock lock) {
  auto found = seal_and_gate(database, name, lock);
  if (!found) return std::nullopt;
  return std::move(found->value);
}

// Of two transactions that write one gate on different nodes the cluster rolls one back, unless it
// has seen the other.
void write_gates(Database& database, const std::vector<std::string>& gates) {
  std::vector<std::vector<Value>> rows;
  for (const auto& gate : gates)
    rows.push_back({std::string(kForgetsSeal) + " " + gate});
  run_each(database, traits(database.dialect()).write_cluster_gate, rows);
}

// Within a transaction. The row is made by the first that asks for it where the tables were made by
// hand.
std::int64_t locked_forgets(Database& database, Lock lock) {
  if (const auto count = seal_and_gate(database, kForgetsSeal, lock)) {
    // Of two nodes neither sees the other's lock.
    if (lock == Lock::shared && !mapping::is_null(count->gate))
      write_gates(database, {text_in(count->gate)});
    return std::stoll(count->value);
  }
  try {
    insert_seal(database, kForgetsSeal, "0");
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::constraint) throw;
    throw DatabaseError(DatabaseError::Kind::busy, "another instance makes the same row");
  }
  return 0;
}

}  // namespace

const char* to_string(FactKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

std::string People::hash_key(const std::string& proposed) {
  if (auto stored = stored_seal(database_, kPersonSeal, Lock::none)) return *std::move(stored);
  try {
    insert_seal(database_, kPersonSeal, proposed);
  } catch (const DatabaseError& error) {
    if (error.kind != DatabaseError::Kind::constraint) throw;  // else another was quicker
  }
  return stored_seal(database_, kPersonSeal, Lock::none).value();
}

std::optional<std::string> People::stored_hash_key() {
  return stored_seal(database_, kPersonSeal, Lock::none);
}

// Each key once, in the order of keys: so a statement never meets a row twice, and two instances
// wait for each other, not in a ring.
void People::note(const std::vector<Fact>& facts) {
  std::map<std::array<std::string, 3>, Instant> once;
  for (const auto& fact : facts) {
    auto& at = once[{fact.person, to_string(fact.kind), fact.ref}];
    at = std::max(at, fact.at);
  }
  std::vector<std::vector<Value>> rows;
  for (const auto& [key, at] : once)
    rows.push_back({key[0], key[1], key[2], at});
  upsert_rows(database_, table_named("survey_person").table, rows);
}

void People::note_read(const std::vector<std::string>& refs, bool of_bouncers) {
  const std::string kinds = of_bouncers ? "'unread_bounce'" : "'unread_opt_out', 'unread_contact'";
  const std::string condition = R"("kind" IN ()" + kinds + R"() AND "ref" = {key})";
  for (const auto& ref : refs) {
    const auto told = query_rows(
        database_, R"(SELECT DISTINCT "person" FROM "survey_person" WHERE )" + condition, {ref});
    for (const auto& person : texts_in(told))
      drop_supposed(person, condition, ref);
  }
}

void People::note_read_keyless(const std::vector<std::string>& persons) {
  for (const auto& person : persons)
    drop_supposed(person,
                  R"("kind" IN ('unread_opt_out', 'unread_bounce', 'unread_contact') AND "ref")"
                  R"( LIKE {key})",
                  std::string(kKeylessRecord) + "%");
}

void People::drop_supposed(const std::string& person, const std::string& condition,
                           const std::string& ref) {
  const std::string remove = R"(DELETE FROM "survey_person" WHERE "person" = {key} AND )";
  if (run_statement(database_, remove + condition, {person, ref}) == 0) return;
  run_statement(database_,
                R"(UPDATE "survey_push" SET "not_before" = NULL WHERE)"
                R"( "person" = {key} AND "state" = 'pending')",
                {person});
}

std::set<std::string> People::forgotten(const std::vector<std::string>& persons) {
  return with_facts(persons, {FactKind::forgotten});
}

std::set<std::string> People::with_facts(const std::vector<std::string>& persons,
                                         const std::vector<FactKind>& kinds) {
  std::string among;
  for (const FactKind kind : kinds)
    among += (among.empty() ? "'" : ", '") + std::string(to_string(kind)) + "'";
  return text_set_in(rows_with_keys(database_, R"(SELECT "person" FROM "survey_person")", kPerson,
                                    {persons.begin(), persons.end()},
                                    R"( AND "kind" IN ()" + among + R"() GROUP BY "person")"));
}

std::map<std::string, People::Owner> People::owners_of(const std::string& push,
                                                       const std::vector<std::string>& keys) {
  std::map<std::string, Owner> owners;
  // The ledger's own rows last: they know better than the service's list.
  for (const char* table : {"survey_listed", "survey_push"}) {
    const std::string select = R"(SELECT "key", "person", "customer_id" FROM ")";
    for (const auto& [key, row] :
         rows_of_keys(database_, select + table + "\"", keys,
                      R"( AND "push" = {key} AND "person" IS NOT NULL)", {push})) {
      Owner& owner = owners[key];
      owner.person = text_in(row.at(1));
      if (const auto id = integer_or_none(row.at(2))) owner.customer_id = id;
    }
  }
  return owners;
}

// Two look-ups by primary key. As one statement it may become a scan of all facts about people.
std::set<TransactionKey> People::transactions_of(const std::string& push,
                                                 const std::vector<std::string>& keys,
                                                 const std::vector<FactKind>& kinds) {
  const auto owners = owners_of(push, keys);
  std::vector<std::string> all;
  for (const auto& [of, owner] : owners)
    all.push_back(owner.person);
  const auto those = with_facts(all, kinds);
  std::set<TransactionKey> found;
  for (const auto& [of, owner] : owners)
    if (those.contains(owner.person)) found.emplace(push, of);
  return found;
}

std::int64_t People::forgets() {
  return seals().forgets;
}

People::Seals People::seals() {
  const auto found = read_seals(database_, {kPersonSeal, kForgetsSeal});
  Seals seals;
  if (const auto key = found.find(kPersonSeal); key != found.end()) seals.hash_key = key->second;
  if (const auto runs = found.find(kForgetsSeal); runs != found.end())
    seals.forgets = std::stoll(runs->second);
  return seals;
}

std::int64_t People::keep_forget_waiting() {
  return locked_forgets(database_, Lock::shared);
}

bool People::pass_all_gates() {
  if (traits(database_.dialect()).cluster_gate.empty()) return false;
  const auto count = seal_and_gate(database_, kForgetsSeal, Lock::none);
  if (!count || mapping::is_null(count->gate)) return false;
  std::vector<std::string> gates;
  for (int gate = 0; gate < kClusterGates; ++gate)
    gates.push_back(std::to_string(gate));
  for (int tries = 1;; ++tries) {
    try {
      Transaction transaction(database_);
      write_gates(database_, gates);
      transaction.commit();
      return true;
    } catch (const DatabaseError& error) {
      if (error.kind != DatabaseError::Kind::busy || tries == kGateTries) throw;
    }
  }
}

void People::count_forget() {
  const std::string next = std::to_string(locked_forgets(database_, Lock::alone) + 1);
  run_statement(database_, R"(UPDATE "survey_seal" SET "value" = {key} WHERE "name" = {key})",
                {next, kForgetsSeal});
}

void People::wait_as_forget() {
  locked_forgets(database_, Lock::alone);
}

std::optional<Instant> People::fed(const std::string& list, const std::vector<std::string>& walks) {
  std::map<std::string, std::optional<Instant>> finished;
  for (const auto& row : query_rows(
           database_, R"(SELECT "walk", "finished_at" FROM "survey_cursor" WHERE "list" = {key})",
           {list}))
    finished[text_in(row.at(0))] = instant_in(row.at(1));
  std::optional<Instant> oldest;
  const Instant now = database_.now();
  for (const std::string& walk : walks) {
    const auto& at = finished[walk];
    if (!at || *at > now) return std::nullopt;
    oldest = std::min(oldest.value_or(*at), *at);
  }
  return oldest;
}

std::map<std::string, ContactHistory> People::contact_histories(
    const std::vector<std::string>& persons, Asked asked) {
  const std::vector<Value> keys(persons.begin(), persons.end());
  std::map<std::string, ContactHistory> histories;
  for (const auto& row : rows_with_keys(
           database_, R"(SELECT "person", "kind", COUNT(*), MAX("at") FROM "survey_person")",
           kPerson, keys, R"( GROUP BY "person", "kind")")) {
    histories[text_in(row.at(0))].facts[kind_in(row.at(1))] = {
        integer_in(row.at(2)), instant_in(row.at(3)).value_or(Instant{})};
  }
  if (asked == Asked::facts) return histories;
  for (const auto& row : rows_with_keys(
           database_, R"(SELECT "person", "push", "state", MAX("changed_at") FROM "survey_push")",
           kPerson, keys, std::string(kContacted) + R"( GROUP BY "person", "push", "state")")) {
    histories[text_in(row.at(0))].pushes[text_in(row.at(1))].latest[state_in(row.at(2))] =
        instant_in(row.at(3)).value_or(Instant{});
  }
  // What a ledger that was restored has lost counts from its transaction's date, until its customer
  // says when it was invited.
  for (const auto& row : rows_with_keys(
           database_,
           R"(SELECT "person", "push", MAX(COALESCE("transaction_date", "seen_at")) FROM)"
           R"( "survey_listed")",
           kPerson, keys, R"( GROUP BY "person", "push")")) {
    auto& sent = histories[text_in(row.at(0))].pushes[text_in(row.at(1))].latest[State::sent];
    sent = std::max(sent, instant_in(row.at(2)).value_or(Instant{}));
  }
  if (asked == Asked::transactions) return histories;
  for (const auto& row : rows_with_keys(
           database_,
           R"(SELECT "person", "push", "kind", MAX("at") FROM "survey_push" JOIN (SELECT "person")"
           R"( AS "whose", "kind", "ref", "at" FROM "survey_person" WHERE "kind" IN ('invited',)"
           R"( 'answered')) AS "fact" ON "whose" = "person" AND "ref" = )" +
               traits(database_.dialect()).key(R"("customer_id")"),
           kPerson, keys, std::string(kContacted) + R"( GROUP BY "person", "push", "kind")")) {
    histories[text_in(row.at(0))].pushes[text_in(row.at(1))].customers[kind_in(row.at(2))] =
        instant_in(row.at(3)).value_or(Instant{});
  }
  return histories;
}

}  // namespace surveybridge::crm
