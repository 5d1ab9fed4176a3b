// A new program on the tables of an earlier one, with 100,000 transactions in them; an older
// program on tables of a newer one; and commands that only read, on tables of an earlier version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "tests/program/bridge.hpp"
#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

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

// Read-only commands, before a daemon or sync has run.
class OlderTables : public BridgeAndCrm {
 protected:
  OlderTables() {
    auto rows = orders(4);
    rows[3].email = "nobody";
    crm_.insert(rows);
    bridge({"sync", "-c", config_});
  }
  // Removes what the first version did not have.
  void age() {
    for (const char* table : {"survey_pace", "survey_write", "survey_brake", "survey_person",
                              "survey_verify", "survey_seal", "survey_release"})
      crm_.execute(std::string("DROP TABLE ") + table);
    crm_.execute("ALTER TABLE survey_cursor DROP COLUMN ignored");
    crm_.execute("ALTER TABLE survey_push DROP COLUMN not_before");
  }
  struct Reading {
    Arguments words;
    int status;
    const char* says;
  };
  const std::vector<Reading> readings_ = {
      {{"status"}, 1, "quarantined"},
      {{"status", "--json"}, 1, "\"state\":\"sent\",\"rows\":3"},
      {{"explain", "1"}, 0, "push.orders: transaction 1: sent"},
      {{"quarantine", "list"}, 1, "not an address"},
      {{"doubt", "list"}, 0, ""},
      {{"suppressed"}, 0, ""},
      {{"verify"}, 0, "0  differences"},
      // Comes last, because it changes nothing. What those tables do not say is looked at again.
      {{"preview"}, 1, "quarantined: Email: not an address"},
  };
};

TEST_P(OlderTables, AreReadByEveryCommandThatReads) {
  for (const auto& [words, status, says] : readings_) {
    age();
    const auto done = command(words);
    EXPECT_EQ(done.status, status) << words.front() << ": " << done.out << done.err;
    EXPECT_NE(done.out.find(says), std::string::npos) << words.front() << ": " << done.out;
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, OlderTables, testing::Values(Server::sqlite), server_name);

// An account that may only read.
class ReadersTables : public OlderTables {
 protected:
  ReadersTables() {
    crm_.execute("DROP ROLE IF EXISTS reader");
    crm_.execute("CREATE ROLE reader LOGIN");
    crm_.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
  }
  ~ReadersTables() override {
    crm_.execute("DROP OWNED BY reader");
    crm_.execute("DROP ROLE reader");
  }
};

TEST_P(ReadersTables, AreReadAsTheyAreByAnAccountThatMayNotMendThem) {
  age();
  config_ =
      folder_.write("reader.toml",
                    configuration(replaced(crm_.connection(), "bridge", "reader"), sandbox_.url()));
  for (const auto& [words, status, says] : readings_) {
    if (words.front() == "preview") continue;  // works on copies of what is missing
    const auto done = command(words);
    EXPECT_EQ(done.status, status) << words.front() << ": " << done.out << done.err;
    EXPECT_NE(done.out.find(says), std::string::npos) << words.front() << ": " << done.out;
  }
  const auto told = command({"status"});
  EXPECT_NE(told.out.find("tables  of an earlier version"), std::string::npos) << told.out;
}

INSTANTIATE_TEST_SUITE_P(Databases, ReadersTables, testing::Values(Server::postgresql),
                         server_name);

}  // namespace
}  // namespace program
