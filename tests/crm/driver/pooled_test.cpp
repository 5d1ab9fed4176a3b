// PgBouncer in transaction mode gives sessions of the server away between transactions. Here it has
// two, and other clients leave them with other settings.
#include <set>

#include <gmock/gmock.h>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/driver/notifications.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/rows/snapshot.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/pooler.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Pooled : public testing::Test {
 protected:
  std::string text(Database& database, const std::string& sql) {
    const auto found = database.query({sql, {}});
    const Value& cell = found.rows.at(0).at(0);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return std::to_string(*number);
    const auto* words = std::get_if<std::string>(&cell);
    return words == nullptr ? "" : *words;
  }
  std::string setting(Database& database, const std::string& name) {
    return text(database, "SELECT current_setting('" + name + "')");
  }
  // Another client of the pool; what it prints.
  std::string other(const std::string& sql) {
    const std::string text = pooler_.native(name_);
    const auto done =
        support::run({{"psql", "-XqAt", text.substr(text.find("host=")), "-c", sql}, {}});
    EXPECT_EQ(done.status, 0) << done.err;
    return done.out;
  }
  // Tells it to both sessions of the pool: a transaction keeps the one, so that the other is given.
  void spoil(const std::string& settings) {
    other(settings);
    Transaction keeps(*holder_);
    holder_->query({"SELECT 1", {}});
    other(settings);
  }
  std::unique_ptr<Database> open(const SessionUse& use = {}, const std::string& zone = "UTC") {
    return open_database(pooler_.native(name_), zone, use);
  }

  support::PostgresServer& server_ = support::PostgresServer::shared();
  const std::string name_ = server_.create_database();
  support::Pooler pooler_{server_};
  std::unique_ptr<Database> straight_ = open_database(server_.native(name_));
  std::unique_ptr<Database> holder_ = open();
};

TEST_F(Pooled, StatementsHaveTheirSettingsWhateverOthersLeaveBehind) {
  straight_->execute({"CREATE SCHEMA bridge", {}});
  const auto database =
      open({.schema = "bridge", .statement_timeout = 7'000ms, .lock_timeout = 2'000ms},
           "Europe/Amsterdam");
  spoil(
      "SET synchronous_commit = 'off'; SET TIME ZONE 'Asia/Tokyo'; SET statement_timeout = '3s';"
      " SET search_path = 'pg_catalog'; SET bytea_output = 'escape'; SET datestyle = 'German';"
      " SET application_name = 'another'; SET idle_in_transaction_session_timeout = '1s';"
      " SET extra_float_digits = 0; SET standard_conforming_strings = off;"
      " SET IntervalStyle = 'iso_8601'; SET transform_null_equals = on");
  for (int turn = 0; turn < 4; ++turn) {
    std::optional<Transaction> keeps;  // one of the two
    if (turn % 2 == 1) keeps.emplace(*holder_);
    EXPECT_EQ(other("SHOW bytea_output"), "escape\n") << "the session is spoilt";
    EXPECT_EQ(setting(*database, "synchronous_commit"), "on");
    EXPECT_EQ(setting(*database, "TimeZone"), "Europe/Amsterdam");
    EXPECT_EQ(setting(*database, "statement_timeout"), "7s");
    EXPECT_EQ(setting(*database, "lock_timeout"), "2s");
    EXPECT_EQ(setting(*database, "search_path"), "bridge");
    EXPECT_EQ(setting(*database, "bytea_output"), "hex");
    EXPECT_THAT(setting(*database, "datestyle"), HasSubstr("ISO"));
    EXPECT_EQ(setting(*database, "application_name"), "surveybridge");
    EXPECT_EQ(setting(*database, "idle_in_transaction_session_timeout"), "1min");
    EXPECT_EQ(setting(*database, "extra_float_digits"), "3");
    EXPECT_EQ(setting(*database, "standard_conforming_strings"), "on");
    EXPECT_EQ(setting(*database, "IntervalStyle"), "postgres");
    EXPECT_EQ(setting(*database, "transform_null_equals"), "off");
  }
}

TEST_F(Pooled, ASchemaMayBeNamedLikeTheStatement) {
  straight_->execute({"CREATE SCHEMA \"the SET one\"", {}});
  const auto database = open({.schema = "the SET one"});
  EXPECT_EQ(setting(*database, "search_path"), "\"the SET one\"");
}

TEST_F(Pooled, NothingIsLeftToOthers) {
  const auto database = open({.reads_only = true}, "Europe/Amsterdam");
  database->query({"SELECT 1", {}});
  {
    Snapshot snapshot(*database);
    database->query({"SELECT 1", {}});
  }
  for (int turn = 0; turn < 4; ++turn) {
    const std::string said = other(
        "SELECT current_setting('TimeZone') || ' ' ||"
        " current_setting('default_transaction_read_only') || ' ' ||"
        " current_setting('default_transaction_isolation') || ' ' ||"
        " current_setting('statement_timeout')");
    EXPECT_THAT(said, HasSubstr(" off read committed 0"));
    EXPECT_THAT(said, testing::Not(HasSubstr("Amsterdam")));
  }
}

TEST_F(Pooled, ASessionThatReadsRefusesToWrite) {
  straight_->execute({"CREATE TABLE t (id bigint)", {}});
  const auto reader = open({.reads_only = true});
  EXPECT_THROW(reader->execute({"INSERT INTO t VALUES (1)", {}}), DatabaseError);
  {
    Transaction transaction(*reader);
    EXPECT_THROW(reader->execute({"INSERT INTO t VALUES (1)", {}}), DatabaseError);
  }
  EXPECT_EQ(text(*reader, "SELECT count(*) FROM t"), "0");
  EXPECT_EQ(open()->execute({"INSERT INTO t VALUES (1)", {}}), 1) << "others may";
}

TEST_F(Pooled, RowsAreWrittenAndNoNameIsLeftPrepared) {
  const auto database = open();
  database->execute({"CREATE TABLE t (id bigint PRIMARY KEY)", {}});
  const std::string insert = "INSERT INTO t VALUES (CAST(:p1 AS bigint))";
  EXPECT_EQ(database->execute_each(insert, {{std::int64_t{1}}, {std::int64_t{2}}}), 2);
  EXPECT_THROW(database->execute_each(insert, {{std::int64_t{3}}, {std::int64_t{1}}}),
               DatabaseError);
  {
    Transaction transaction(*database);
    EXPECT_EQ(database->execute_each(insert, {{std::int64_t{4}}, {std::int64_t{5}}}), 2);
    transaction.commit();
  }
  {
    Transaction rolled_back(*database);
    database->execute_each(insert, {{std::int64_t{6}}, {std::int64_t{7}}});
  }
  EXPECT_TRUE(database->copy("COPY t (id) FROM STDIN", {{std::int64_t{8}}, {std::int64_t{9}}}));
  EXPECT_EQ(text(*database, "SELECT string_agg(CAST(id AS text), ' ' ORDER BY id) FROM t"),
            "1 2 4 5 8 9");
  EXPECT_EQ(text(*database, "SELECT count(*) FROM pg_prepared_statements WHERE name <> ''"), "0");
}

TEST_F(Pooled, AnErrorLeavesNoTransactionOpen) {
  const auto database = open();
  EXPECT_THROW(database->query({"SELECT 1 / 0", {}}), DatabaseError);
  EXPECT_EQ(text(*database, "SELECT 1"), "1");
  EXPECT_EQ(text(*straight_,
                 "SELECT count(*) FROM pg_stat_activity WHERE state LIKE"
                 " 'idle in transaction%' AND datname = current_database()"),
            "0");
}

TEST_F(Pooled, ASnapshotSeesOneMoment) {
  straight_->execute({"CREATE TABLE t (id bigint)", {}});
  const auto database = open();
  {
    Snapshot snapshot(*database);
    EXPECT_EQ(text(*database, "SELECT count(*) FROM t"), "0");
    straight_->execute({"INSERT INTO t VALUES (1)", {}});
    EXPECT_EQ(text(*database, "SELECT count(*) FROM t"), "0");
  }
  EXPECT_EQ(text(*database, "SELECT count(*) FROM t"), "1");
  Transaction later(*database);
  EXPECT_EQ(text(*database, "SELECT count(*) FROM t"), "1");
  straight_->execute({"INSERT INTO t VALUES (2)", {}});
  EXPECT_EQ(text(*database, "SELECT count(*) FROM t"), "2");
}

// The pool may end its session while the daemon that took the lease runs.
TEST_F(Pooled, ALeaseHasNoSessionByWhoseEndAnotherDaemonWouldTakeIt) {
  const auto database = open();
  make_schema(*database);
  ASSERT_TRUE(Leases(*database).take("instance:one", "one", 60s));
  ASSERT_TRUE(Leases(*straight_).take("instance:two", "two", 60s));
  const std::string named =
      "SELECT string_agg(name, ' ') FROM survey_lease WHERE session IS NOT NULL";
  EXPECT_EQ(text(*straight_, named), "instance:two");
}

TEST_F(Pooled, AZoneOrASchemaThatIsNotThereIsSaid) {
  EXPECT_THROW(open({}, "Europe/Nowhere"), DatabaseError);
  EXPECT_THAT(error_of([&] { open({.schema = "nowhere"}); }).what(),
              HasSubstr("there is no schema \"nowhere\""));
}

// What is notified would go to whoever has the session.
TEST_F(Pooled, NotificationsAreRefused) {
  EXPECT_THAT(error_of([&] { Notifications(pooler_.native(name_), {"orders"}); }).what(),
              HasSubstr("a pool such as PgBouncer is between"));
  EXPECT_NO_THROW(Notifications(server_.native(name_), {"orders"}));
}

}  // namespace
}  // namespace surveybridge::crm
