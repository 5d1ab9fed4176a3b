// A new program on the tables of an earlier one, with 100,000 transactions in them; and an older
// program on tables of a newer one.
#include <gmock/gmock.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

namespace crm = surveybridge::crm;
using testing::HasSubstr;

// A query of the numbers 1 to 100,000, as `n`.
std::string numbers(Server server) {
  if (server == Server::mariadb) return "(SELECT seq AS n FROM seq_1_to_100000) AS numbers";
  if (server == Server::sqlite)
    return "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100000)"
           " SELECT n FROM c) AS numbers";
  return "(SELECT n FROM generate_series(1, 100000) AS n) AS numbers";
}

class Upgrade : public BridgeAndCrm {
 protected:
  Upgrade() {
    const auto dialect = crm_.database().dialect();
    crm::make_schema(crm_.database());
    for (const char* table : {"survey_release", "survey_unwritten"})
      crm_.execute(std::string("DROP TABLE ") + table);
    crm_.execute("ALTER TABLE survey_batch DROP COLUMN service");
    crm_.execute("DELETE FROM survey_seal WHERE name = 'schema'");
    const std::string key = speaks_mysql(GetParam()) ? "CAST(n AS CHAR)" : "CAST(n AS TEXT)";
    const std::string at = "'2026-11-01 12:00:00'";
    crm_.execute(
        "INSERT INTO orders (id, email, first_name, last_name, phone, amount, delivered_at,"
        " priority) SELECT n, 'somebody@example.test', 'Ann', 'Example', '1', 1, " +
        at + ", 1 FROM " + numbers(GetParam()));
    crm_.execute(crm::in_dialect(dialect,
                                 R"(INSERT INTO "survey_push" ("push", "key", "state",)"
                                 R"( "attempts", "seen_at", "changed_at") SELECT 'orders', )") +
                 key + ", 'sent', 1, " + at + ", " + at + " FROM " + numbers(GetParam()));
  }
};

TEST_P(Upgrade, SendsNothingASecondTimeAndRefusesToGoBack) {
  const auto synced = command({"sync"});
  EXPECT_EQ(synced.status, 0) << synced.err;
  EXPECT_EQ(sandbox_.customers().size(), 0u) << "all have gone out before";
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"), "100000");
  crm_.execute("DELETE FROM survey_push WHERE push = 'orders' AND " +
               std::string(speaks_mysql(GetParam()) ? "`key`" : "key") + " = '77'");
  EXPECT_EQ(command({"sync"}).status, 0);
  EXPECT_EQ(sandbox_.customers().size(), 1u) << "the only one that is not in the ledger";

  EXPECT_THAT(command({"explain", "5"}).out, HasSubstr("sent (its events are no longer kept)"))
      << "an earlier version wrote none";
  crm_.execute("UPDATE survey_seal SET value = '99' WHERE name = 'schema'");
  for (const char* word : {"sync", "check", "status", "verify", "preview"}) {
    Arguments words{word};
    if (words.front() == "preview") words.push_back("orders");
    const auto refused = command(words);
    EXPECT_NE(refused.status, 0) << word;
    EXPECT_THAT(refused.err, HasSubstr("a newer surveybridge has made or changed its tables here"))
        << word;
  }
  EXPECT_EQ(sandbox_.customers().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Databases, Upgrade,
                         testing::Values(Server::postgresql, Server::mariadb, Server::sqlite),
                         server_name);

}  // namespace
}  // namespace program
