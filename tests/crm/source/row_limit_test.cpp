#include "connectors/crm/source/row_limit.hpp"

#include <gtest/gtest.h>

namespace surveybridge::crm {
namespace {

TEST(RowLimit, IsLookedForAtTheEndOfTheWholeQuery) {
  for (const char* query : {"SELECT id FROM orders ORDER BY id DESC LIMIT 5",
                            "select id from orders limit/* some */10, 5",
                            "SELECT a FROM t UNION SELECT a FROM u LIMIT\n5 OFFSET 2 -- five",
                            "SELECT id FROM orders OFFSET 1 ROWS FETCH FIRST 2 ROWS ONLY",
                            "SELECT id FROM orders FETCH NEXT ROW ONLY"})
    EXPECT_TRUE(limits_rows(Dialect::postgresql, query)) << query;
  for (const char* query :
       {"SELECT id, (SELECT s FROM log ORDER BY at DESC LIMIT 1) FROM orders",
        "SELECT o.limit, 5 FROM orders o", "SELECT a AS limit, 5 FROM t",
        "SELECT 'limit 5', \"limit 5\" FROM t -- limit 5", "SELECT limit5 FROM t",
        "SELECT id FROM orders LIMIT ALL", "SELECT id FROM orders", ""})
    EXPECT_FALSE(limits_rows(Dialect::postgresql, query)) << query;
}

TEST(RowLimit, IsReadByTheDatabasesRulesOfNames) {
  EXPECT_TRUE(limits_rows(Dialect::postgresql, "SELECT a$$b$ FROM t LIMIT 5"));
  EXPECT_FALSE(limits_rows(Dialect::postgresql, "SELECT $A$ $a$ LIMIT 5 $A$ FROM t"));
  EXPECT_FALSE(limits_rows(Dialect::postgresql, "SELECT id FROM crm . fetch first"));
}

}  // namespace
}  // namespace surveybridge::crm
