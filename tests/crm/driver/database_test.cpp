// Transactions, errors and lost connections on every database: the ledger relies on them.
#include <gmock/gmock.h>

#include "tests/crm/conformance.hpp"
#include "tests/support/servers.hpp"

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;
using testing::Not;
using Fault = DatabaseError::Kind;

class DatabaseTests : public OnEveryDatabase {
 protected:
  static void make_table(Database& database) {
    database.execute({"CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(100))", {}});
  }
  static std::int64_t insert(Database& database, std::int64_t id, const std::string& name) {
    return database.execute({"INSERT INTO t (id, name) VALUES (:p1, :p2)", {id, name}});
  }
  static std::size_t rows(Database& database) {
    return database.query({"SELECT id FROM t", {}}).rows.size();
  }
};
INSTANTIATE_TEST_SUITE_P(Databases, DatabaseTests, every_database(), server_name);

TEST_P(DatabaseTests, KeepsWhatATransactionCommits) {
  Database& database = open();
  make_table(database);
  {
    Transaction transaction(database);
    EXPECT_EQ(insert(database, 1 << 30, "Zoë"), 1);
    transaction.commit();
  }
  const Result result = open().query({"SELECT id, name FROM t", {}});
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0][0], Value(std::int64_t{1} << 30));
  EXPECT_EQ(result.rows[0][1], Value(std::string("Zoë")));
}

TEST_P(DatabaseTests, RepeatsAStatementOnATableThatHasChanged) {
  Database& database = open();
  make_table(database);
  const Statement everything{"SELECT * FROM t", {}};
  EXPECT_EQ(database.query(everything).columns.size(), 2u);
  open().execute({"ALTER TABLE t ADD more INTEGER", {}});
  EXPECT_EQ(database.query(everything).columns.size(), 3u);
  open().execute({"DROP TABLE t", {}});
  EXPECT_THROW(database.query(everything), DatabaseError);
}

TEST_P(DatabaseTests, RepeatsAStatementThatHasFailed) {
  Database& database = open();
  make_table(database);
  insert(database, 1, "one");
  EXPECT_THROW(insert(database, 1, "two"), DatabaseError);
  EXPECT_EQ(insert(database, 2, "two"), 1);
  const Statement one{"SELECT name FROM t WHERE id = :p1", {2}};
  EXPECT_EQ(database.query(one).rows.at(0).at(0), Value(std::string("two")));
  EXPECT_THROW(database.query({one.sql, {}}), DatabaseError);
}

TEST(Sqlite, ReadsTheSameWhileItReads) {
  const auto database = open_database("sqlite3://:memory:");
  database->execute({"CREATE TABLE t (id INTEGER)", {}});
  database->execute_each("INSERT INTO t (id) VALUES (:p1)", {{1}, {2}, {3}});
  const std::string sql = "SELECT id FROM t";
  std::size_t rows = 0;
  for (int i = 0; i < 2; ++i)
    database->read_each(sql, [&](const auto&) { rows += database->query({sql, {}}).rows.size(); });
  EXPECT_EQ(rows, 18u);
}

TEST_P(DatabaseTests, ForgetsWhatIsNotCommitted) {
  Database& database = open();
  make_table(database);
  {
    Transaction transaction(database);
    insert(database, 1, "one");
  }
  EXPECT_EQ(rows(database), 0u);
}

TEST_P(DatabaseTests, CountsTheRowsThatChanged) {
  Database& database = open();
  make_table(database);
  insert(database, 1, "one");
  insert(database, 2, "two");
  EXPECT_EQ(database.execute({"UPDATE t SET name = :p1", {std::string("x")}}), 2);
  EXPECT_EQ(database.execute({"CREATE TABLE other (id INTEGER)", {}}), 0);
  EXPECT_EQ(database.execute({"UPDATE t SET name = 'y' WHERE id = :p1", {std::int64_t{9}}}), 0);
  EXPECT_EQ(database.execute({"DELETE FROM t", {}}), 2);
}

TEST_P(DatabaseTests, ExecutesOneStatementForEachRow) {
  Database& database = open();
  make_table(database);
  const std::string insert_one = "INSERT INTO t (id, name) VALUES (:p1, :p2)";
  EXPECT_EQ(database.execute_each(insert_one, {{std::int64_t{1}, std::string("one")},
                                               {std::int64_t{2}, mapping::Null{}},
                                               {std::int64_t{3}, std::string("three")}}),
            3);
  EXPECT_EQ(database.execute_each(insert_one, {}), 0);
  EXPECT_EQ(database.execute_each("UPDATE t SET name = :p1 WHERE id > :p2",
                                  {{std::string("a"), std::int64_t{0}},
                                   {std::string("b"), std::int64_t{2}},
                                   {std::string("c"), std::int64_t{3}}}),
            4);
  const Result result = database.query({"SELECT name FROM t ORDER BY id", {}});
  EXPECT_EQ(result.rows[1][0], Value(std::string("a")));
  EXPECT_EQ(result.rows[2][0], Value(std::string("b")));
}

TEST_P(DatabaseTests, CanPrepareManyStatementsOneAfterAnother) {
  Database& database = open();
  make_table(database);
  for (std::int64_t i = 0; i < 50; ++i) {
    database.execute_each("INSERT INTO t (id, name) VALUES (:p1, :p2)",
                          {{2 * i, std::string("even")}, {2 * i + 1, std::string("odd")}});
  }
  EXPECT_EQ(rows(database), 100u);
}

TEST_P(DatabaseTests, TellsTheTime) {
  Database& database = open();
  const auto before = std::chrono::system_clock::now() - std::chrono::seconds(5);
  const Instant now = database.now();
  EXPECT_GT(now, before);
  EXPECT_LT(now, before + std::chrono::seconds(65));
  EXPECT_GE(database.now(), now);
}

TEST_P(DatabaseTests, CallsABrokenConstraintByItsNameAndShowsNoValue) {
  Database& database = open();
  make_table(database);
  insert(database, 7654321, "Zoë");
  const DatabaseError error = error_of([&] { insert(database, 7654321, "Zoë"); });
  EXPECT_EQ(error.kind, Fault::constraint);
  EXPECT_THAT(error.what(), Not(HasSubstr("7654321")));
  EXPECT_THAT(error.what(), Not(HasSubstr("Zo")));
  EXPECT_THAT(error.what(), Not(HasSubstr("soci")));
  EXPECT_THAT(error.what(), Not(HasSubstr("backend")));
  const std::string sentence = "a value that must be unique is there already";
  switch (database.dialect()) {
    case Dialect::postgresql:
      EXPECT_EQ(error.what(), sentence + ": t_pkey (SQLSTATE 23505)");
      break;
    case Dialect::mariadb:
    case Dialect::mysql:
      EXPECT_EQ(error.what(), sentence + " (SQLSTATE 23000)");
      break;
    default:
      EXPECT_STREQ(error.what(), "UNIQUE constraint failed: t.id");
  }
}

class StatementsOfMariadb : public DatabaseTests {};
INSTANTIATE_TEST_SUITE_P(Databases, StatementsOfMariadb, testing::Values(Server::mariadb),
                         server_name);

// Its driver calls an error of SQLSTATE class 01 a success.
TEST_P(StatementsOfMariadb, FailWhereTheDriverSaysOtherwise) {
  Database& database = open();
  database.execute({"CREATE TABLE words (id integer, word enum('open', 'done'))", {}});
  const auto state_of = [&](const auto& run) {
    const auto code = error_of(run).code;
    return code.sqlstate + " " + std::to_string(code.number);
  };
  EXPECT_EQ(state_of([&] {
              database.execute({"INSERT INTO words VALUES (1, :p1)", {std::string("gone")}});
            }),
            "01000 1265");
  EXPECT_EQ(state_of([&] {
              database.execute_each("INSERT INTO words VALUES (1, :p1)",
                                    {{std::string("open")}, {std::string("gone")}});
            }),
            "01000 1265");
}

TEST_P(DatabaseTests, RefusesAStatementThatIsWrong) {
  Database& database = open();
  for (const char* sql : {"SELEC 1", "SELECT nothing FROM nowhere", "", "SELECT 'never ends"}) {
    const DatabaseError error = error_of([&] { database.query({sql, {}}); });
    EXPECT_EQ(error.kind, Fault::other) << sql << ": " << error.what();
  }
  EXPECT_THAT(error_of([&] {
                database.query({"SELECT 1 FROM nowhere", {}});
              }).what(),
              HasSubstr("nowhere"));
}

TEST_P(DatabaseTests, RefusesParametersThatDoNotMatch) {
  Database& database = open();
  const Value one = std::int64_t{1};
  EXPECT_EQ(error_of([&] { database.query({"SELECT :p1", {}}); }).kind, Fault::other);
  EXPECT_EQ(error_of([&] { database.query({"SELECT 1", {one}}); }).kind, Fault::other);
  EXPECT_EQ(error_of([&] { database.query({"SELECT :p1", {one, one}}); }).kind, Fault::other);
  EXPECT_THROW(database.execute_each("SELECT :p1", {{one}, {one, one}}), std::logic_error);
}

TEST_P(DatabaseTests, AllowsOnlyRollbackAfterAnErrorInATransaction) {
  Database& database = open();
  make_table(database);
  database.begin();
  insert(database, 1, "one");
  error_of([&] { insert(database, 1, "again"); });
  EXPECT_EQ(error_of([&] { insert(database, 2, "two"); }).kind, Fault::other);
  EXPECT_EQ(error_of([&] { database.commit(); }).kind, Fault::other);
  database.rollback();
  EXPECT_EQ(rows(database), 0u);
  Transaction transaction(database);
  insert(database, 1, "one");
  transaction.commit();
  EXPECT_EQ(rows(database), 1u);
}

TEST_P(DatabaseTests, HoldsItsCallerToOneTransactionAtATime) {
  Database& database = open();
  EXPECT_THROW(database.commit(), std::logic_error);
  database.rollback();
  database.begin();
  EXPECT_THROW(database.begin(), std::logic_error);
  database.commit();
}

TEST_P(DatabaseTests, LetsOneReadWhileAnotherWrites) {
  Database& writer = open();
  make_table(writer);
  Transaction transaction(writer);
  insert(writer, 1, "one");
  Database& reader = open();
  EXPECT_EQ(rows(reader), 0u);
  transaction.commit();
  EXPECT_EQ(rows(reader), 1u);
}

// Two sessions want one row: the second gives up after its lock time-out.
TEST_P(DatabaseTests, CallsALockedRowBusy) {
  Database& first = open();
  make_table(first);
  insert(first, 1, "one");
  Transaction transaction(first);
  first.execute({"UPDATE t SET name = 'first' WHERE id = 1", {}});
  Database& second = open();
  second.query({no_patience(second.dialect()), {}});
  const DatabaseError error = error_of([&] {
    Transaction waiting(second);
    second.execute({"UPDATE t SET name = 'second' WHERE id = 1", {}});
  });
  EXPECT_EQ(error.kind, Fault::busy) << error.what();
  transaction.commit();
  EXPECT_EQ(second.execute({"UPDATE t SET name = 'second' WHERE id = 1", {}}), 1);
}

TEST_P(DatabaseTests, RefusesMoreThanAHundredThousandRows) {
  Database& database = open();
  count_far(database);
  const std::string numbers =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :p1) "
      "SELECT i FROM n";
  EXPECT_EQ(database.query({numbers, {std::int64_t{100'000}}}).rows.size(), 100'000u);
  const auto error = error_of([&] { database.query({numbers, {std::int64_t{100'001}}}); });
  EXPECT_EQ(error.kind, Fault::other);
  EXPECT_THAT(error.what(), HasSubstr("100,000"));
}

}  // namespace
}  // namespace surveybridge::crm
