#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

class DatabaseTests : public OnEveryDatabase {};
INSTANTIATE_TEST_SUITE_P(Databases, DatabaseTests, every_database(), database_name);

TEST_P(DatabaseTests, KeepsWhatATransactionCommits) {
  Database& database = open();
  database.execute({"CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(100))", {}});
  {
    Transaction transaction(database);
    EXPECT_EQ(database.execute({"INSERT INTO t (id, name) VALUES (:p1, :p2)",
                                {std::int64_t{1} << 30, std::string("Zoë")}}),
              1);
    transaction.commit();
  }
  const Result result = open().query({"SELECT id, name FROM t", {}});
  ASSERT_EQ(result.rows.size(), 1u);
  EXPECT_EQ(result.rows[0][0], Value(std::int64_t{1} << 30));
  EXPECT_EQ(result.rows[0][1], Value(std::string("Zoë")));
}

TEST_P(DatabaseTests, ForgetsWhatIsNotCommitted) {
  Database& database = open();
  database.execute({"CREATE TABLE t (id INTEGER)", {}});
  {
    Transaction transaction(database);
    database.execute({"INSERT INTO t (id) VALUES (:p1)", {std::int64_t{1}}});
  }
  EXPECT_TRUE(database.query({"SELECT id FROM t", {}}).rows.empty());
}

TEST_P(DatabaseTests, TellsTheTime) {
  Database& database = open();
  const auto before = std::chrono::system_clock::now() - std::chrono::seconds(5);
  const Instant now = database.now();
  EXPECT_GT(now, before);
  EXPECT_LT(now, before + std::chrono::seconds(65));
}

}  // namespace
}  // namespace surveybridge::crm
