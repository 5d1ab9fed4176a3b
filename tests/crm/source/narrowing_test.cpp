// A query taken apart, and what its conditions leave out, on every database.
#include "connectors/crm/source/narrowing.hpp"

#include <gmock/gmock.h>

#include "connectors/crm/source/query_parts.hpp"
#include "tests/crm/conformance.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(QueryParts, AreTheRowsAndTheirConditions) {
  const auto parts = parts_of(
      Dialect::postgresql,
      "SELECT DISTINCT o.id, CASE WHEN a AND b THEN 1 END AS c, \"where\", o.order\n"
      "FROM orders o LEFT JOIN (SELECT x FROM y WHERE z) AS s ON s.x = o.x -- WHERE\n"
      "WHERE o.state = 'a  AND b' AND o.at BETWEEN 1 AND 2\n"
      "AND (o.a = 1 OR lower(o.b) = 'x') AND o.a IS DISTINCT FROM o.b /* AND */ ORDER BY o.id;");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->unconditional,
            "SELECT DISTINCT o.id, CASE WHEN a AND b THEN 1 END AS c, \"where\", o.order\n"
            "FROM orders o LEFT JOIN (SELECT x FROM y WHERE z) AS s ON s.x = o.x  ");
  EXPECT_THAT(parts->conditions,
              ElementsAre(" o.state = 'a  AND b' ", " o.at BETWEEN 1 AND 2\n",
                          " (o.a = 1 OR lower(o.b) = 'x') ", " o.a IS DISTINCT FROM o.b   "));
  const QueryParts few{"SELECT 1 FROM t ", {" a ", " b ", " c"}};
  EXPECT_EQ(without_condition(few, 0), "SELECT 1 FROM t WHERE b AND c");
  EXPECT_EQ(without_condition(few, 2), "SELECT 1 FROM t WHERE a AND b ");
  EXPECT_EQ(without_condition({"SELECT 1 FROM t ", {" a"}}, 0), "SELECT 1 FROM t ");
}

TEST(QueryParts, AreOneConditionWhereTheyAreNotJoinedByAndAlone) {
  for (const std::string of : {" a = 1 AND b = 2 OR c = 3", " CASE WHEN a AND b THEN c END = 1",
                               " a = 1 XOR b = 2 AND c = 1"}) {
    const auto parts = parts_of(Dialect::mariadb, "SELECT id FROM t WHERE" + of);
    ASSERT_TRUE(parts) << of;
    EXPECT_THAT(parts->conditions, ElementsAre(of));
  }
}

TEST(QueryParts, AreNotGuessed) {
  for (const std::string query : {
           "SELECT id FROM t",
           "SELECT id FROM t WHERE a UNION SELECT id FROM s WHERE b",
           "SELECT id FROM t WHERE a GROUP BY id",
           "SELECT id FROM t WHERE a ORDER BY id LIMIT 5",
           "SELECT id FROM t WHERE a FOR UPDATE",
           "WITH s AS (SELECT 1) SELECT id FROM s WHERE a",
           "SELECT id FROM t, s WHERE t.id = s.id",
           "SELECT id FROM t JOIN s WHERE t.id = s.id",
           "SELECT id FROM t NATURAL JOIN s WHERE a",
           "SELECT id FROM t CROSS JOIN s WHERE a",
           "SELECT mark_as_read(id) FROM t WHERE a",
           "SELECT id FROM t WHERE nextval('seq') > 5",
           "SELECT pg_catalog.set_config('a', 'b', false) FROM t WHERE a",
           "SELECT \"mark\"(id) FROM t WHERE a",
           "SELECT @n := @n + 1 AS id FROM t WHERE a",
           "SELECT id FROM t WHERE a = 'it\\'s'",
           "SELECT id FROM t WHERE a = 5--3 AND b",
           "SELECT /*! id */ FROM t WHERE a",
           "SELECT id FROM t WHERE (a = 1",
           "SELECT id FROM t WHERE a = 1) AND (b = 1",
           "SELECT id FROM t WHERE a; DELETE FROM t WHERE b",
           "UPDATE t SET a = 1 WHERE b",
       }) {
    EXPECT_FALSE(parts_of(Dialect::mariadb, query)) << query;
    EXPECT_FALSE(parts_of(Dialect::postgresql, query)) << query;
  }
}

class NarrowingTests : public OnEveryDatabase {
 protected:
  NarrowingTests() : database(open()) {
    const std::string when = speaks_mysql(GetParam()) ? "datetime" : "timestamp";
    database.execute(
        {"CREATE TABLE orders (id integer, email varchar(99), state varchar(99),"
         " paid integer, at " +
             when + ")",
         {}});
    order("1, 'a@example.test', 'delivered', 1, '2026-05-20 12:00:00'");
    order("2, NULL, 'shipped', 1, '2026-06-01 12:00:00'");
    order("3, NULL, 'shipped', 1, '2026-06-01 13:00:00'");
    order("4, NULL, 'shipped', 0, '2026-06-01 14:00:00'");
  }
  void order(const std::string& cells) {
    database.execute({"INSERT INTO orders VALUES (" + cells + ")", {}});
  }
  // Of the last two days. The database's clock is far behind the window's end.
  Narrowing found(const std::string& condition, seconds time = hours{24 * 365 * 20}) {
    const SourceQuery query{"orders", "SELECT id, email, at FROM orders" + condition, "id", "at",
                            "UTC"};
    return narrowing(database, query, {kUntil - 48h, kUntil}, time);
  }
  static constexpr Instant kUntil = sys_days(2026y / June / 2);
  Database& database;
};
INSTANTIATE_TEST_SUITE_P(Databases, NarrowingTests, every_dialect(), server_name);

TEST_P(NarrowingTests, NamesTheConditionThatLeavesRowsOut) {
  const auto of = found(" WHERE state = 'delivered' AND paid = 1 AND id > 0");
  EXPECT_EQ(of.rows, 0);
  EXPECT_EQ(of.unconditional, 3);
  ASSERT_EQ(of.conditions.size(), 1u);
  EXPECT_EQ(of.conditions[0].text, " state = 'delivered' ");
  EXPECT_EQ(of.conditions[0].place, 1u);
  EXPECT_EQ(of.conditions[0].rows, 2);
  EXPECT_EQ(of.latest, sys_days(2026y / May / 20) + 12h);
}

TEST_P(NarrowingTests, TellsColumnsThatAreEmptyNow) {
  EXPECT_THAT(found(" WHERE state = 'delivered'").empty_columns, ElementsAre("email"));
  EXPECT_THAT(found("").empty_columns, ElementsAre("email")) << "of the query's own rows";
  database.execute({"DELETE FROM orders WHERE id = 1", {}});
  EXPECT_THAT(found("").empty_columns, IsEmpty()) << "they were empty before";
}

TEST_P(NarrowingTests, LeavesOutWhatFailsAndWhatHasNoTime) {
  const auto of = found(" WHERE state = 'delivered' GROUP BY id, email, at");
  EXPECT_FALSE(of.unconditional) << "it cannot be taken apart";
  EXPECT_THAT(of.conditions, IsEmpty());
  const auto late = found(" WHERE state = 'shipped'", 0s);
  EXPECT_EQ(late.rows, 3);
  EXPECT_FALSE(late.unconditional);
  EXPECT_FALSE(late.latest);
}

}  // namespace
}  // namespace surveybridge::crm
