// || in the operator's queries: refused where it is OR, taken where it joins texts; and the query
// that docs/GUIDE.md shows runs on every database.
#include "connectors/crm/source/pipes.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "connectors/crm/source/blocklist.hpp"
#include "connectors/crm/source/source.hpp"
#include "tests/crm/conformance.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::crm {
namespace {

using testing::HasSubstr;

TEST(Pipes, AreLookedForOutsideOfTextsAndComments) {
  const auto in = [](const std::string& query) { return may_mean_or(Dialect::mariadb, query); };
  EXPECT_TRUE(in("SELECT 'visit-' || id FROM visits"));
  EXPECT_TRUE(in("SELECT a||b"));
  EXPECT_FALSE(in("SELECT 'a || b', \"||\", `||` FROM t -- ||\n/* || */ # ||"));
  EXPECT_FALSE(in("SELECT a | b FROM t WHERE c = '|' OR d = '\\'||'"));
  EXPECT_FALSE(in("|"));
  EXPECT_FALSE(may_mean_or(Dialect::postgresql, "SELECT a || b"));
}

class PipesTests : public OnEveryDatabase {
 protected:
  PipesTests() : database(open()) {
    database.execute({"CREATE TABLE visits (id integer, email varchar(99), at timestamp)", {}});
  }
  // Why the query of a push, and of [suppress], is refused.
  std::string refused() {
    return refusal_of([&] {
      Source(database,
             {"visits", "SELECT 'visit-' || id AS id, email, at FROM visits", "id", "at", "UTC"})
          .columns();
    });
  }
  std::string refused_list() {
    return refusal_of([&] {
      Blocklist(database, {"", {}, "SELECT email || '' AS email FROM visits", "", {}});
    });
  }
  Database& database;
};
INSTANTIATE_TEST_SUITE_P(Databases, PipesTests, every_dialect(), server_name);

TEST_P(PipesTests, AreRefusedWhereTheyAreOr) {
  if (speaks_mysql(GetParam())) {
    EXPECT_THAT(refused(), HasSubstr("write CONCAT(a, b)"));
    EXPECT_THAT(refused_list(), HasSubstr("write CONCAT(a, b)"));
    database.execute({"SET SESSION sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT')", {}});
  }
  EXPECT_EQ(refused(), "");
  EXPECT_EQ(refused_list(), "");
}

// The text between `query = """` and `"""`.
std::string query_of_the_guide() {
  std::stringstream page;
  page << std::ifstream(support::source_dir() + "/docs/GUIDE.md").rdbuf();
  const std::string text = page.str(), begin = "```toml-example\nquery = \"\"\"\n";
  const auto start = text.find(begin) + begin.size();
  return text.substr(start, text.find("\"\"\"", start) - start);
}

TEST_P(PipesTests, AreNotInTheQueryOfTheGuideWhichRunsOnEveryDatabase) {
  for (const char* sql :
       {"CREATE TABLE customers (id integer, private_email varchar(99), work_email varchar(99),"
        " sex char(1), country char(2))",
        "CREATE TABLE orders (id integer, customer_id integer, state varchar(20),"
        " delivered_at timestamp)",
        "CREATE TABLE order_lines (order_id integer)",
        "INSERT INTO customers VALUES (1, NULL, 'w@example.test', 'f', 'NL')",
        "INSERT INTO orders VALUES (10, 1, 'delivered', '2026-11-20 10:00:00')",
        "INSERT INTO order_lines VALUES (10)", "INSERT INTO order_lines VALUES (10)"})
    database.execute({sql, {}});
  Source orders(database, {"orders", query_of_the_guide(), "id", "delivered_at", "UTC"});
  const auto rows = orders.by_key({"10"}).rows;
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].cells.at(2), Value(std::string("w@example.test")));
  EXPECT_EQ(rows[0].cells.at(3), Value(std::string("Ms")));
  EXPECT_EQ(rows[0].cells.at(4), Value(std::int64_t{2}));
}

}  // namespace
}  // namespace surveybridge::crm
