// What a daemon notes of itself, on every database: alerts, brakes, counts, paces, sweeps, verify;
// and whether it can note it.
#include <gmock/gmock.h>

#include "connectors/crm/daemon_state/alert_store.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/daemon_state/count_store.hpp"
#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/daemon_state/pace_store.hpp"
#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "connectors/crm/daemon_state/verify_store.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/bridge_tables.hpp"
#include "tests/crm/ledgers.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class DaemonState : public OnOurTables {
 protected:
  static constexpr Instant kThen{std::chrono::sys_days{std::chrono::year{2026} / 11 / 1}};
  Database& database = open();
};
INSTANTIATE_TEST_SUITE_P(Databases, DaemonState, every_dialect(), server_name);

TEST_P(DaemonState, KeepsWhatEachReceiverWasTold) {
  AlertStore store(database);
  const Alert untold{"ops", "rows held orders", "2 held", "surveybridge doubt list", kThen,
                     kThen, std::nullopt};
  const Alert old{"ops", "brake orders", "the first run", "", kThen, kThen - std::chrono::hours{1},
                  kThen};
  Alert others = untold;
  others.receiver = "chat";
  store.put({untold, old, others});
  EXPECT_THAT(store.of("ops"), ElementsAre(old, untold));
  Alert told = untold;
  told.cause = "xx";
  EXPECT_FALSE(told.is_told());
  told.seen_at = kThen + std::chrono::minutes{2};
  told.tell(told.seen_at);
  EXPECT_TRUE(told.is_told());
  store.put({told});
  EXPECT_THAT(store.of("ops"), ElementsAre(old, told));
  EXPECT_THAT(store.of("chat"), ElementsAre(others));
  store.remove_unseen_since(kThen);
  EXPECT_THAT(store.of("ops"), ElementsAre(told));
  store.remove(told);
  EXPECT_THAT(store.of("ops"), IsEmpty());
  EXPECT_THAT(store.of("chat"), ElementsAre(others));
}

class BrakesTests : public Ledgers {
 protected:
  Brakes brakes{database};
};

TEST_P(BrakesTests, HoldUntilReleased) {
  EXPECT_FALSE(brakes.load("orders"));
  brakes.hold("orders", "a spike");
  EXPECT_EQ(brakes.load("orders")->reason, "a spike");
  EXPECT_TRUE(brakes.load("orders")->since);
  brakes.release("orders", "f", 7);
  EXPECT_EQ(brakes.load("orders")->reason, "");
  EXPECT_EQ(brakes.load("orders")->allowance, 7);
  EXPECT_FALSE(brakes.load("visits"));
}

TEST_P(BrakesTests, EndWithTheirReason) {
  brakes.hold("orders", "the first run");
  brakes.end("orders", "another reason");
  EXPECT_EQ(brakes.load("orders")->reason, "the first run");
  brakes.end("orders", "the first run");
  EXPECT_FALSE(brakes.load("orders")) << "the first run is asked about when it comes";
  brakes.pass("orders", "f", 3, "here");
  brakes.hold("orders", "a spike");
  brakes.release("orders", "g", 0, "there", "ann", "", "a spike");
  EXPECT_EQ(brakes.load("orders")->reason, "");
  EXPECT_FALSE(brakes.load("orders")->since);
  EXPECT_EQ(brakes.load("orders")->fingerprint, "f") << "nothing was let through";
  EXPECT_EQ(brakes.load("orders")->service, "here");
  EXPECT_EQ(brakes.releases("orders", 1).front().decided_by, "ann");
  EXPECT_EQ(brakes.releases("orders", 1).front().reason, "a spike");
}

TEST_P(BrakesTests, RememberWhoLetRowsGo) {
  EXPECT_TRUE(brakes.releases("orders", 3).empty());
  for (int rows = 1; rows <= 4; ++rows)
    brakes.release("orders", "f", rows, "", rows == 3 ? "" : "ann on pts/" + std::to_string(rows));
  brakes.release("visits", "f", 9, "", "bob");
  const auto releases = brakes.releases("orders", 2);
  ASSERT_EQ(releases.size(), 2u);
  EXPECT_EQ(releases[0].decided_by, "ann on pts/4");
  EXPECT_EQ(releases[0].rows, 4);
  EXPECT_GT(releases[0].at, Instant{});
  EXPECT_EQ(releases[1].decided_by, "");
}

TEST_P(BrakesTests, UseUpWhatWasLetThrough) {
  EXPECT_EQ(brakes.take("orders", 5), 0) << "nobody has let anything through";
  brakes.release("orders", "f", 7);
  EXPECT_EQ(brakes.take("orders", 5), 5);
  EXPECT_EQ(brakes.load("orders")->allowance, 2);
  EXPECT_EQ(brakes.take("orders", 5), 2);
  EXPECT_EQ(brakes.take("orders", 5), 0);
  brakes.give_back("orders", 3);
  EXPECT_EQ(brakes.load("orders")->allowance, 3);
}

TEST_P(BrakesTests, EndWhatIsLeftOfAReleaseUnlessAnotherCameMeanwhile) {
  brakes.release("orders", "f", 7);
  EXPECT_EQ(brakes.take("orders", 5), 5);
  brakes.lapse("orders", 7);
  EXPECT_EQ(brakes.load("orders")->allowance, 2) << "another number is left";
  brakes.lapse("visits", 2);
  EXPECT_EQ(brakes.load("orders")->allowance, 2);
  brakes.lapse("orders", 2);
  EXPECT_EQ(brakes.load("orders")->allowance, 0);
}

TEST_P(BrakesTests, CountWhatPassesAndLeaveTheRestAlone) {
  brakes.pass("orders", "f", 5);
  EXPECT_EQ(brakes.load("orders")->passed, 5);
  brakes.release("orders", "f", 7);
  brakes.hold("orders", "a spike");
  brakes.pass("orders", "f", 1);
  EXPECT_EQ(brakes.load("orders")->allowance, 7);
  brakes.pass("orders", "g", 5);
  EXPECT_EQ(brakes.load("orders")->fingerprint, "g");
  EXPECT_EQ(brakes.load("orders")->passed, 11);
  EXPECT_EQ(brakes.load("orders")->allowance, 0) << "it was let through under another query";
  EXPECT_EQ(brakes.load("orders")->reason, "a spike") << "another has seen it meanwhile";
  brakes.release("orders", "g", 7, "", "", "of one database");
  brakes.pass("orders", "g", 1, "", "of one database");
  EXPECT_EQ(brakes.load("orders")->allowance, 7);
  brakes.pass("orders", "g", 1, "", "of another database");
  EXPECT_EQ(brakes.load("orders")->allowance, 0);
}

TEST_P(BrakesTests, CountWhatWentOutOrMayHave) {
  const Instant begun = database.time;
  EXPECT_TRUE(brakes.flow("orders", begun).ledger_empty);
  claim("b1", {"1", "2"});
  settle("b1", "1", State::sent);
  database.advance(2h);
  claim("b2", {"3"});
  claim("b3", {"4"});
  ledger.settle("orders", "b3", {Outcome::refused, 400, "no"}, {{"4", State::pending, ""}});
  const Flow flow = brakes.flow("orders", database.time);
  EXPECT_FALSE(flow.ledger_empty);
  EXPECT_EQ(flow.last_hour, 1) << "what was refused did not go out";
  EXPECT_EQ(flow.usual, 3);
  ASSERT_TRUE(flow.first_batch);
  EXPECT_LT(*flow.first_batch, begun + 1h);
  EXPECT_EQ(brakes.flow("visits", database.time).usual, 0);
}

TEST_P(BrakesTests, DoNotCountTheFirstRunAsUsual) {
  brakes.release("visits", "f", 3);
  brakes.release("orders", "f", 9);
  brakes.release("orders", "f", 2);  // instead of the nine
  brakes.release("orders", "f", 2);  // said twice
  database.advance(1s);
  claim("b1", {"1", "2", "3"});
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 1);
  database.advance(24h);
  brakes.release("orders", "f", 1);
  database.advance(1s);
  claim("b2", {"4"});
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 2)
      << "what is let through later comes again: an import each night, say";
  database.advance(28 * 24h - 1h);
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 1) << "the first run was long ago";
}

TEST_P(BrakesTests, DoNotCountMoreOfAFirstRunThanWentOut) {
  brakes.release("orders", "f", 9);
  database.advance(1s);
  claim("b1", {"1"});
  EXPECT_EQ(brakes.flow("orders", database.time).usual, 0);
}

INSTANTIATE_TEST_SUITE_P(Databases, BrakesTests, every_dialect(), server_name);

class CountStoreTests : public DaemonState {
 protected:
  void set_row(const std::string& push, const std::string& key, State state, Instant at) {
    run_statement(database, R"(DELETE FROM "survey_push" WHERE "push" = {key} AND "key" = {key})",
                  {push, key});
    put_in_ledger(database, push, key, to_string(state), at, at);
  }
  std::vector<std::string> shown(const std::vector<Ledger::Count>& counts) {
    std::vector<std::string> lines;
    for (const auto& count : counts)
      lines.push_back(count.push + " " + to_string(count.state) + " " + std::to_string(count.rows));
    return lines;
  }
  std::vector<std::string> kept() {
    std::vector<std::string> lines;
    for (const auto& each : kept_counts(database))
      lines.push_back(each.push + " " + each.counted + " " + std::to_string(each.rows));
    return lines;
  }
  void expect_like_a_count() {
    EXPECT_EQ(shown(count_by_kept(database)), shown(Ledger(database).counts()));
  }
  const Instant now_ = database.now();
  const Instant old_ = now_ - 1h;
};
INSTANTIATE_TEST_SUITE_P(Databases, CountStoreTests, every_dialect(), server_name);

TEST_P(CountStoreTests, KeepNumbersOfStatesThatNoRowLeaves) {
  for (const char* key : {"1", "2", "3"})
    set_row("orders", key, State::sent, old_);
  set_row("orders", "4", State::suppressed, old_);
  set_row("orders", "5", State::suppressed, old_);
  for (const char* key : {"6", "7", "8"})
    set_row("orders", key, State::quarantined, old_);
  set_row("visits", "1", State::sent, old_);
  renew_kept_counts(database, 2);
  EXPECT_THAT(kept(), ElementsAre("orders sent 3", "orders suppressed 2"));
  expect_like_a_count();
}

TEST_P(CountStoreTests, AddWhatCameSince) {
  for (const char* key : {"1", "2", "3"})
    set_row("orders", key, State::sent, old_);
  set_row("orders", "4", State::pending, old_);
  set_row("orders", "5", State::quarantined, old_);
  set_row("orders", "6", State::sent, now_ - 1min);  // too young to be in the number
  renew_kept_counts(database, 1);
  EXPECT_THAT(kept(), ElementsAre("orders sent 3"));
  expect_like_a_count();
  set_row("orders", "4", State::sent, now_);
  set_row("orders", "5", State::suppressed, now_);
  set_row("orders", "7", State::in_doubt, now_);
  set_row("a push that is new", "1", State::held, now_);
  set_row("visits", "1", State::claimed, now_);
  expect_like_a_count();
  EXPECT_THAT(shown(count_by_kept(database)),
              ElementsAre("a push that is new held 1", "orders in_doubt 1", "orders sent 5",
                          "orders suppressed 1", "visits claimed 1"));
}

TEST_P(CountStoreTests, CountWhereNoNumberIsKept) {
  EXPECT_THAT(count_by_kept(database), IsEmpty());
  set_row("orders", "1", State::sent, old_);
  renew_kept_counts(database);
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_EQ(age_of_kept_counts(database), std::nullopt);
  expect_like_a_count();
}

TEST_P(CountStoreTests, RenewNumbersAndRemoveThoseOfOtherRows) {
  set_row("orders", "1", State::sent, old_);
  set_row("visits", "1", State::sent, old_);
  renew_kept_counts(database, 1);
  const auto age = age_of_kept_counts(database);
  ASSERT_TRUE(age);
  EXPECT_LT(*age, 1min);
  EXPECT_GE(*age, 0s);
  keep_never_listed(database, "orders", 1);
  keep_never_listed(database, "visits", 0);
  set_row("orders", "2", State::sent, old_);
  renew_kept_counts(database, 2);
  EXPECT_THAT(kept(), ElementsAre("orders never listed 1", "orders sent 2"));
}

TEST_P(CountStoreTests, KeepWhatWasNeverListedOfALargeLedgerOnly) {
  set_row("orders", "1", State::sent, old_);
  keep_never_listed(database, "orders", 1);
  EXPECT_EQ(kept_never_listed(database, "orders"), std::nullopt);
  renew_kept_counts(database, 1);
  keep_never_listed(database, "orders", 1);
  keep_never_listed(database, "orders", 7);
  EXPECT_EQ(kept_never_listed(database, "orders"), 7);
  EXPECT_EQ(kept_never_listed(database, "visits"), std::nullopt);
  keep_never_listed(database, "orders", std::nullopt);
  EXPECT_EQ(kept_never_listed(database, "orders"), std::nullopt);
}

class PaceTests : public DaemonState {
 protected:
  PaceStore paces{database};
};

PaceRow row_of(const std::string& owner, double edge) {
  return {owner,
          {0.98 * edge, edge},
          {{2 * edge, 3 * edge}},
          2,
          Instant{1'700'000'000s},
          std::nullopt,
          {},
          {},
          "push.a"};
}

TEST_P(PaceTests, KeepsWhatAnInstanceKnows) {
  EXPECT_TRUE(paces.load("service").empty());
  paces.save("service", row_of("one", 19.5), 30s);
  const auto rows = paces.load("service");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].owner, "one");
  EXPECT_NEAR(rows[0].all.per_second, 19.11, 0.001);
  EXPECT_NEAR(rows[0].all.edge, 19.5, 0.001);
  ASSERT_TRUE(rows[0].read);
  EXPECT_NEAR(rows[0].read->per_second, 39, 0.001);
  EXPECT_NEAR(rows[0].read->edge, 58.5, 0.001);
  EXPECT_EQ(rows[0].share, 2);
  EXPECT_EQ(rows[0].refused_at, Instant{1'700'000'000s});
  EXPECT_FALSE(rows[0].held_until);
  EXPECT_EQ(rows[0].waiting, "push.a");
  EXPECT_EQ(rows[0].live_until - rows[0].seen_at, 30s);
}

TEST_P(PaceTests, HasOneRowAnInstanceAndService) {
  paces.save("service", row_of("one", 10), 30s);
  paces.save("service", row_of("one", 20), 0s);
  paces.save("service", row_of("two", 30), 30s);
  paces.save("another", row_of("one", 40), 30s);
  const auto rows = paces.load("service");
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows)
    EXPECT_NEAR(row.all.edge, row.owner == "one" ? 20 : 30, 0.001);
  EXPECT_EQ(paces.load("another").size(), 1u);
}

TEST_P(PaceTests, ForgetsWhoHasBeenGoneForADay) {
  paces.save("service", row_of("long gone", 10), std::chrono::seconds{-90'000});
  paces.save("service", row_of("just gone", 10), 0s);
  paces.save("service", row_of("here", 10), 30s);
  const auto rows = paces.load("service");
  ASSERT_EQ(rows.size(), 2u);
  for (const auto& row : rows)
    EXPECT_NE(row.owner, "long gone");
}

INSTANTIATE_TEST_SUITE_P(Databases, PaceTests, every_dialect(), server_name);

class PacesOfTwoSessions : public PaceTests {};
INSTANTIATE_TEST_SUITE_P(Databases, PacesOfTwoSessions, every_server(), server_name);

// Two that wait for each other's new row are a deadlock.
TEST_P(PacesOfTwoSessions, AreSavedWithoutAWaitForTheRowOfAnother) {
  Database& other = open();
  const Table& table = table_named("survey_pace").table;
  const auto row = [](const std::string& owner, Instant live_until) {
    const Value none = mapping::Null{};
    const std::int64_t one = 1;
    return std::vector<Value>{"service", owner, one,        one,  one,  none,
                              none,      kThen, live_until, none, none, none};
  };
  upsert_rows(database, table, {row("long gone", kThen - std::chrono::days{400})});
  database.execute({no_patience(database.dialect()), {}});
  other.begin();
  upsert_rows(other, table, {row("two", other.now() + 30s)});
  paces.save("service", row_of("one", 10), 30s);
  other.commit();
  std::vector<std::string> owners;
  for (const auto& each : paces.load("service"))
    owners.push_back(each.owner);
  EXPECT_THAT(owners, testing::UnorderedElementsAre("one", "two"));
}

TEST_P(DaemonState, KnowsTheLastSweepOfEachPush) {
  using namespace std::chrono_literals;
  const Swept first{"orders", kThen, kThen + 3s, 1000, std::nullopt};
  const Swept visits{"visits", kThen, kThen + 1s, 0, 60};
  store_sweep(database, first);
  store_sweep(database, visits);
  EXPECT_THAT(sweeps(database), ElementsAre(first, visits));
  const Swept next{"orders", kThen + 5min, kThen + 6min, 1001, 360};
  store_sweep(database, next);
  EXPECT_THAT(sweeps(database), ElementsAre(next, visits));
}

TEST_P(DaemonState, KnowsSinceWhenAPushRuns) {
  using namespace std::chrono_literals;
  EXPECT_FALSE(swept_or_met(database, "orders"));
  note_first_run(database, "orders", kThen);
  note_first_run(database, "orders", kThen + 24h);
  EXPECT_EQ(swept_or_met(database, "orders"), kThen);
  EXPECT_FALSE(last_sweep(database, "orders"));
  EXPECT_TRUE(sweeps(database).at(0).only_met());
  store_sweep(database, {"orders", kThen + 48h, kThen + 49h, 0, std::nullopt});
  note_first_run(database, "orders", kThen + 72h);
  EXPECT_EQ(swept_or_met(database, "orders"), kThen + 48h);
  EXPECT_EQ(last_sweep(database, "orders"), kThen + 48h);
  EXPECT_FALSE(sweeps(database).at(0).only_met());
}

TEST_P(DaemonState, KnowsTheLastResultOfEachPush) {
  EXPECT_THAT(verify_results(database), IsEmpty());
  const Verified orders{"orders", kThen, 40, 1, 3, "2 rows have no key"},
      visits{"visits", kThen, 0, 0, std::nullopt};
  store_verify_result(database, orders);
  store_verify_result(database, visits);
  EXPECT_THAT(verify_results(database), ElementsAre(orders, visits));
  const Verified later{"orders", kThen + std::chrono::hours{1}, 41, 0, 0};
  store_verify_result(database, later);
  EXPECT_THAT(verify_results(database), ElementsAre(later, visits));
}

TEST_P(DaemonState, IsTriedByAWriteThatChangesNothing) {
  const auto count = [&] { return number_in(database, "SELECT count(*) FROM survey_lease"); };
  const auto before = count();
  try_write(database, true);
  EXPECT_EQ(count(), before);
  try_write(database, false);
}

// As on a standby.
TEST_P(DaemonState, CannotBeWrittenWhereTheDatabaseTakesNoWrites) {
  const auto reader = open_database(connection(), kSessionZone, {.reads_only = true});
  EXPECT_THROW(try_write(*reader, true), DatabaseError);
}

class PostgresqlRights : public DaemonState {};
INSTANTIATE_TEST_SUITE_P(Databases, PostgresqlRights, testing::Values(Server::postgresql),
                         server_name);

TEST_P(PostgresqlRights, ToWriteAreMissed) {
  database.execute({"DROP ROLE IF EXISTS only_reads", {}});
  database.execute({"CREATE ROLE only_reads", {}});
  database.execute({"GRANT SELECT ON survey_lease TO only_reads", {}});
  Database& session = open();
  session.execute({"SET ROLE only_reads", {}});
  EXPECT_THROW(try_write(session, true), DatabaseError);
  session.execute({"RESET ROLE", {}});
  database.execute({"DROP OWNED BY only_reads", {}});
  database.execute({"DROP ROLE only_reads", {}});
}

}  // namespace
}  // namespace surveybridge::crm
