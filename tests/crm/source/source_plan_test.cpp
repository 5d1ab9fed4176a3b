// A push's query must stay fast on a large table: checks the database's query plan.
#include <gmock/gmock.h>

#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/source.hpp"
#include "connectors/crm/source/source_sql.hpp"
#include "mapping/values/dates.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr Instant kFirst = sys_days(2026y / January / 1);

// 50,000 orders, one every ten minutes; all but the last thousand are in the ledger.
class PlanTests : public OnEveryDatabase {
 protected:
  static constexpr std::int64_t kOrders = 50'000;

  void fill(Database& database) {
    const bool sqlite = GetParam() == Server::sqlite;
    make_schema(database);
    run_statement(database,
                  std::string("CREATE TABLE orders (id INTEGER PRIMARY KEY, email VARCHAR(99),"
                              " at ") +
                      (sqlite ? "TEXT" : "TIMESTAMPTZ") + ")");
    const std::string at = sqlite ? "strftime('%Y-%m-%dT%H:%M:%fZ', :p2, (i * 10) || ' minutes')"
                                  : "CAST(:p2 AS timestamptz) + i * CAST('10 minutes' AS interval)";
    database.execute(
        {"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n"
         " WHERE i + 1 < :p1) INSERT INTO orders SELECT i, 'a@example.test', " +
             at + " FROM n",
         {kOrders, kFirst}});
    database.execute(
        {"INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at)"
         " SELECT 'orders', CAST(id AS VARCHAR(20)), 'sent', 1, at, at FROM orders"
         " WHERE id < :p1",
         {kOrders - 1000}});
    database.execute({"CREATE INDEX orders_at ON orders (at)", {}});
    database.execute({"ANALYZE", {}});
  }
  static Instant at(std::int64_t id) { return kFirst + minutes(10 * id); }

  static std::string plan(Database& database, Statement statement) {
    const bool sqlite = database.dialect() == Dialect::sqlite;
    statement.sql = (sqlite ? "EXPLAIN QUERY PLAN " : "EXPLAIN ") + statement.sql;
    std::string lines;
    for (const auto& row : database.query(statement).rows) {
      lines += std::get<std::string>(row.back()) + "\n";
    }
    return lines;
  }
  static Windowed source() {
    return {"orders",
            "SELECT id, email, at FROM orders WHERE email <> ''",
            {"id", ColumnKind::integer},
            {"at", ColumnKind::instant},
            "UTC"};
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, PlanTests, testing::Values(Server::sqlite, Server::postgresql),
                         server_name);

TEST_P(PlanTests, IndexesServeTheSweepTheLedgerAndTheKeys) {
  Database& database = open();
  fill(database);
  const Dialect dialect = database.dialect();
  const Instant until = at(kOrders), since = until - days(300);
  const Position from{mapping::Value(dialect == Dialect::sqlite
                                         ? Value(mapping::write_instant(until - days(7)))
                                         : Value(until - days(7)))};
  const std::string sweep = plan(database, window_keys(dialect, source(), since, until, from, 100));
  const bool arrays = dialect == Dialect::postgresql;
  const Statement known{
      known_keys(dialect, arrays ? 1 : 2, LedgerCell::none),
      arrays ? std::vector<Value>{"{7,8}", "orders"} : std::vector<Value>{"7", "8", "orders"}};
  const std::string ledger = plan(database, known);
  const std::string by_key =
      plan(database, rows_by_key_within(dialect, source(), {"7", "8"}, since, until, 9));
  if (dialect == Dialect::sqlite) {
    EXPECT_THAT(sweep, HasSubstr("SEARCH orders USING INDEX orders_at (at>? AND at<?)"));
    EXPECT_THAT(sweep, Not(HasSubstr("TEMP B-TREE")));
    EXPECT_THAT(ledger, ContainsRegex("SEARCH t .*\\(push=\\? AND key=\\?\\)"));
    EXPECT_THAT(by_key, HasSubstr("SEARCH orders USING INTEGER PRIMARY KEY"));
  } else {
    EXPECT_THAT(sweep, AllOf(HasSubstr("Index Scan using orders_at on orders"),
                             ContainsRegex("Index Cond: \\(\\(at >= .*\\) AND \\(at < "),
                             Not(HasSubstr("Sort"))));
    EXPECT_THAT(ledger, AllOf(HasSubstr("survey_push_pkey"), Not(HasSubstr("Seq Scan"))));
    EXPECT_THAT(by_key, AllOf(HasSubstr("orders_pkey"), Not(HasSubstr("Seq Scan"))));
  }
}

// Only there is a type of that name.
class PostgresqlPlanTests : public PlanTests {};
INSTANTIATE_TEST_SUITE_P(Databases, PostgresqlPlanTests, testing::Values(Server::postgresql),
                         server_name);

TEST_P(PostgresqlPlanTests, AnIndexServesKeysThatAreUuids) {
  Database& database = open();
  for (const char* sql :
       {"CREATE TABLE visits (id uuid PRIMARY KEY, at timestamptz)",
        "INSERT INTO visits SELECT CAST(md5(CAST(i AS text)) AS uuid), now() - i * interval '1 s'"
        " FROM generate_series(1, 20000) AS i",
        "ANALYZE visits"})
    database.execute({sql, {}});
  Source source(database, {"visits", "SELECT id, at FROM visits", "id", "at", "UTC"});
  const std::string key = "c4ca4238-a0b9-2382-0dcc-509a6f75849b";  // the md5 of 1
  EXPECT_EQ(source.by_key({key}).rows.size(), 1u);
  const Windowed windowed{"visits",
                          "SELECT id, at FROM visits",
                          {"id", ColumnKind::other},
                          {"at", ColumnKind::instant},
                          "UTC",
                          true};
  EXPECT_THAT(plan(database, rows_by_key(Dialect::postgresql, windowed, {key}, 9)),
              HasSubstr("using visits_pkey"));
}

}  // namespace
}  // namespace surveybridge::crm
