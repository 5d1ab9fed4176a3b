// What verify counts while others send, and queries with something behind them; on every database.
#include <functional>

#include <gmock/gmock.h>

#include "config/keys/query.hpp"
#include "connectors/crm/source/source.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;

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
