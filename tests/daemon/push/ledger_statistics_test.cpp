// A first run fills a ledger for which PostgreSQL has no statistics yet.
#include "tests/daemon/shop.hpp"
#include "tests/support/servers.hpp"

namespace {

using namespace surveybridge;

class FirstRun : public in_process::Shop {
 protected:
  FirstRun()
      : Shop(still(), support::PostgresServer::shared().native(
                          support::PostgresServer::shared().create_database())) {
    query("SELECT id, email, TIMESTAMP '2026-11-09 12:00:00' AS delivered_at FROM orders");
    settings_.pulls.clear();
  }
};

TEST_F(FirstRun, LetsTheDatabaseCountWhatTheLedgerHas) {
  sql("INSERT INTO orders SELECT 'order' || i, 'person' || i || '@example.test', '5'"
      " FROM generate_series(1, 1200) AS i");
  sync();
  ASSERT_EQ(service_.customers().size(), 1200u);
  EXPECT_GE(number("SELECT CAST(reltuples AS bigint) FROM pg_class WHERE relname = 'survey_push'"),
            1000);
}

}  // namespace
