// What verify counts while others send, queries with something behind them, and a ledger that lies
// in another database than the rows.
#include <functional>

#include <gmock/gmock.h>

#include "config/keys/query.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/source.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/forwarding_database.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using testing::ElementsAre;
using testing::Pair;

constexpr Instant kToday = sys_days(2026y / June / 1) + 12h;

// Orders 1 to 5, one an hour, the last at noon; 6 and 7 have no date.
class SourcesApart : public OnEveryDatabase {
 protected:
  SourcesApart() {
    make_schema(*store);
    const char* type = speaks_mysql(GetParam()) ? "DATETIME" : "TIMESTAMP";
    crm.execute({std::string("CREATE TABLE orders (id INTEGER, at ") + type + " NULL)", {}});
    for (std::int64_t id = 1; id <= 5; ++id)
      add(id, mapping::LocalTime((kToday - hours(id)).time_since_epoch()));
    add(6, mapping::Null{});
    add(7, mapping::Null{});
  }
  void add(std::int64_t id, Value at) {
    crm.execute({"INSERT INTO orders VALUES (:p1, :p2)", {id, std::move(at)}});
  }
  void send(const std::vector<std::string>& keys) {
    std::vector<Claim> rows;
    std::vector<Ledger::Verdict> verdicts;
    for (const auto& key : keys) {
      rows.push_back({key, key + "@example.test", kToday});
      verdicts.push_back({key, State::sent, ""});
    }
    Ledger ledger(*store);
    ledger.claim({"batch " + keys.front(), "orders", "one"}, rows);
    ledger.settle("orders", "batch " + keys.front(), {Outcome::accepted, 200, ""}, verdicts);
  }

  support::TemporaryFolder folder;
  Database& crm = open();
  std::unique_ptr<Database> store =
      open_database("sqlite3://" + folder.path() + "/store.db", kSessionZone);
  Source source{crm, *store, {"orders", "SELECT id, at FROM orders", "id", "at", "UTC"}};
};
INSTANTIATE_TEST_SUITE_P(Databases, SourcesApart, every_dialect(), server_name);

TEST_P(SourcesApart, LeaveOutWhatTheLedgerElsewhereKnows) {
  send({"2", "4"});
  const Chunk chunk = source.chunk({kToday - 100h, kToday}, {}, 100);
  EXPECT_THAT(chunk.keys, ElementsAre("5", "3", "1"));
  EXPECT_EQ(chunk.rows, 5);
  EXPECT_EQ(source.count(kToday - 100h, kToday), 3);
}

TEST_P(SourcesApart, ReadWholeRowsOfWhatIsPendingThere) {
  send({"2"});
  Ledger ledger(*store);
  ledger.delay("orders", {{"3", "later", kToday - 200h}, {"99", "later", kToday - 200h}});
  const auto pending = source.pending(10);
  ASSERT_EQ(pending.rows.rows.size(), 1u);
  EXPECT_EQ(pending.rows.rows.front().key, "3");
  EXPECT_THAT(pending.gone, ElementsAre("99"));
}

// What was put off while the database's clock was ahead is due once it goes right.
TEST_P(SourcesApart, ReadWhatWasPutOffByAClockThatWasAhead) {
  Ledger(*store).delay("orders", {{"3", "later", kToday + 24h * 36500}, {"4", "later", kToday}});
  ASSERT_THAT(source.pending(10).rows.rows, testing::SizeIs(1));
  run_statement(*store, R"(UPDATE "survey_push" SET "changed_at" = {instant} WHERE "key" = '3')",
                {kToday + 24h * 3650});
  EXPECT_THAT(source.pending(10).rows.rows, testing::SizeIs(2));
  Ledger(*store).delay("orders", {{"3", "later", kToday + 24h * 36500}});
  EXPECT_THAT(source.pending(10).rows.rows, testing::SizeIs(1)) << "it would be read for ever";
}

TEST_P(SourcesApart, FindRowsWithoutADate) {
  EXPECT_THAT(source.undated(10), ElementsAre("6", "7"));
  Ledger(*store).set_aside("orders", State::quarantined, {{"6", "when: no date"}});
  EXPECT_THAT(source.undated(10), ElementsAre("7"));
}

TEST_P(SourcesApart, CountEachKeyOnce) {
  add(2, mapping::LocalTime((kToday - 50h).time_since_epoch()));
  send({"2", "4"});
  Ledger(*store).set_aside("orders", State::suppressed, {{"5", "opted out"}});
  const auto account = source.account(kToday - 100h, kToday - 4h, kToday);
  EXPECT_EQ(account.tally.keys, 5);
  EXPECT_THAT(account.tally.by_state, ElementsAre(Pair("sent", 2), Pair("suppressed", 1)));
  EXPECT_EQ(account.waiting, 2);
  EXPECT_EQ(account.too_old, 0);
}

constexpr Instant kNow = sys_days(2026y / June / 1) + 12h;
constexpr const char* kQuery = "SELECT id, at FROM orders";

// Orders 1, 2, … one an hour, the last at noon.
class SourceAccounts : public OnOurTables {
 protected:
  SourceAccounts() {
    const char* type = speaks_mysql(GetParam()) ? "DATETIME" : "TIMESTAMP";
    database.execute({std::string("CREATE TABLE orders (id INTEGER, at ") + type + ")", {}});
    std::vector<std::vector<Value>> rows;
    for (std::int64_t id = 1; id <= 40; ++id)
      rows.push_back({id, mapping::LocalTime((kNow - hours(id)).time_since_epoch())});
    database.execute_each("INSERT INTO orders VALUES (:p1, :p2)", rows);
  }
  static SourceQuery orders(const std::string& query) {
    return {"orders", query, "id", "at", "UTC"};
  }

  Database& database = open();
};
INSTANTIATE_TEST_SUITE_P(Databases, SourceAccounts, every_dialect(), server_name);

TEST_P(SourceAccounts, TakeAQueryWithASemicolonAndACommentBehindIt) {
  for (const char* end :
       {";", "; -- all of them", ";\n-- it's all;\n", " -- all; of them", "; ;"}) {
    const auto read = config::read_query(kQuery + std::string(end));
    ASSERT_TRUE(std::holds_alternative<std::string>(read)) << end;
    Source source(database, orders(std::get<std::string>(read)));
    EXPECT_EQ(source.next(kNow - 3h, kNow, 100).rows.size(), 3u) << end;
  }
}

// A daemon that sends meanwhile: after each question another row is in the ledger.
class Busy final : public support::ForwardingDatabase {
 public:
  Busy(Database& inner, std::function<void()> send)
      : ForwardingDatabase(inner), send_(std::move(send)) {}
  Result query(const Statement& statement) override {
    Result result = inner().query(statement);
    send_();
    return result;
  }

 private:
  std::function<void()> send_;
};

class ServerSourceAccounts : public SourceAccounts {};
INSTANTIATE_TEST_SUITE_P(Databases, ServerSourceAccounts, every_server(), server_name);

TEST_P(ServerSourceAccounts, HoldEveryRowThoughOthersGoOutMeanwhile) {
  Database& daemon = open();
  int sent = 0;
  Busy busy(database,
            [&] { put_in_ledger(daemon, "orders", std::to_string(++sent), "sent", kNow, kNow); });
  const auto account = Source(busy, orders(kQuery)).account(kNow - 100h, kNow - 20h, kNow);
  std::int64_t known = 0;
  for (const auto& [state, keys] : account.tally.by_state)
    known += keys;
  EXPECT_GT(sent, 3);
  EXPECT_EQ(account.tally.keys, 40);
  EXPECT_EQ(known + account.waiting + account.too_old, 40);
}

// NOW() of the query is read as a clock of the CRM, and the session's clock is the CRM's.
TEST_P(ServerSourceAccounts, FindWhatTheQueryItselfDates) {
  const bool mariadb = speaks_mysql(GetParam());
  const std::string query = std::string("SELECT 1 AS id, ") +
                            (mariadb ? "NOW(6) AS at FROM DUAL" : "LOCALTIMESTAMP AS at");
  const Instant now = database.now();
  const auto found = [&](Database& session) {
    Source source(session, {"orders", query, "id", "at", kSessionZone});
    return source.next(now - 10min, now + 10min, 10).rows.size();
  };
  EXPECT_EQ(found(database), 1u);
  EXPECT_EQ(found(*open_database(connection())), 0u) << "its clock is UTC";
}

// With another zone, or by ODBC after the clocks were put back, the key would be another one.
TEST_P(ServerSourceAccounts, TakeNoTimeForAKey) {
  const std::string type = speaks_mysql(GetParam()) ? "TIMESTAMP" : "TIMESTAMPTZ";
  database.execute({"CREATE TABLE visits (id " + type + " NULL, at " + type + " NULL)", {}});
  Source source(database, orders("SELECT * FROM visits"));
  EXPECT_THROW(source.columns(), DatabaseError);
}

}  // namespace
}  // namespace surveybridge::crm
