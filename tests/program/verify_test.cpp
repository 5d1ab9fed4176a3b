// `surveybridge verify` with real programs: no differences after a sync; every difference with its
// key.
#include <gtest/gtest.h>

#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

class Verify : public BridgeAndSqlite {
 protected:
  Verify() { crm_.insert(orders(250)); }
};

TEST_F(Verify, AgreesAfterASyncAndNamesEveryDifference) {
  EXPECT_EQ(command({"verify"}).status, 1) << "nothing has run yet";
  const auto synced = command({"sync", "push"});
  const auto succeeded = command({"verify"});
  EXPECT_EQ(succeeded.status, 0) << succeeded.out << succeeded.err << synced.out;
  EXPECT_NE(succeeded.out.find("250  eligible"), std::string::npos) << succeeded.out;
  EXPECT_NE(succeeded.out.find("0  differences"), std::string::npos) << succeeded.out;
  EXPECT_NE(succeeded.out.find("push.orders: all is accounted for\n"), std::string::npos);

  crm_.execute("UPDATE survey_push SET state = 'quarantined' WHERE key = '1'");
  crm_.execute(
      "UPDATE survey_push SET key = '900', changed_at = '2026-01-01 00:00:00' WHERE key = '2'");
  const auto differ = command({"verify"});
  EXPECT_EQ(differ.status, 1);
  EXPECT_NE(differ.out.find("3  differences"), std::string::npos) << differ.out;
  EXPECT_NE(differ.out.find("needs a person: 3 differences\n"), std::string::npos) << differ.out;
  for (const char* line : {"  1  quarantined, and the service lists it",
                           "  900  sent, and the service does not list it",
                           "  2  the service lists it, and the ledger does not know it"}) {
    EXPECT_NE(differ.out.find(line), std::string::npos) << line << "\n" << differ.out;
  }
  crm_.execute(
      "UPDATE survey_push SET reason = 'it had arrived, decided by jo', customer_id = NULL"
      " WHERE key = '900'");
  EXPECT_NE(command({"verify"})
                .out.find("  900  sent, as a person has decided, and the service "
                          "does not list it\n    if it was a mistake: `surveybridge doubt undo "
                          "900 -c " +
                          config_ + "`\n"),
            std::string::npos);
  const auto status = command({"status"});
  EXPECT_EQ(status.status, 1) << "differences are a person's business";
  EXPECT_NE(status.out.find("250 eligible, 0 not accounted for, 3 differences"), std::string::npos)
      << status.out;
  sandbox_.fault("before:403:v3/customer");
  EXPECT_NE(command({"verify"}).status, 0) << "the service did not say";
  const auto json = command({"verify", "--json"});
  EXPECT_EQ(json.status, 1);
  const auto parsed = nlohmann::json::parse(json.out);
  EXPECT_EQ(parsed["pushes"][0]["differences"].size(), 3u);
  EXPECT_EQ(parsed["pushes"][0]["eligible"], 250);
  EXPECT_TRUE(parsed["pushes"][0]["left_out"].is_null()) << json.out;
  const std::string wrong =
      folder_.write("wrong.toml", replaced(usual_, "env = \"BRIDGE_TOKEN\"", "env = \"PATH\""));
  EXPECT_EQ(bridge({"verify", "-c", wrong}).status, 78) << "the token";
  crm_.execute("UPDATE survey_push SET state = 'held' WHERE key = '3'");
  const auto held = command({"verify"}).out;
  EXPECT_NE(held.find("; 1 held row: `surveybridge doubt list -c "), std::string::npos) << held;
}

// The CRM was restored alone, and gives numbers again that have been mailed.
TEST_F(Verify, NamesAKeyThatIsOfAnotherPersonNow) {
  command({"sync", "push"});
  crm_.execute("UPDATE orders SET email = 'corrected@example.test' WHERE id = 5");
  EXPECT_EQ(command({"verify"}).status, 0);
  crm_.execute(
      "UPDATE orders SET email = 'new@example.test', delivered_at = '2026-09-05 10:00:00'"
      " WHERE id = 7");
  const auto verified = command({"verify"});
  EXPECT_EQ(verified.status, 1);
  EXPECT_NE(verified.out.find("  7  the service lists it for another address and another "
                              "transaction date than the CRM has\n"),
            std::string::npos)
      << verified.out;
  EXPECT_EQ(verified.out.find("  5  "), std::string::npos) << verified.out;
  EXPECT_EQ(verified.out.find("new@example.test"), std::string::npos);
}

TEST_F(Verify, FailsOverHeldRowsAlone) {
  config_ = folder_.write("alone.toml", replaced(usual_, "correlate = \"OrderNumber\"\n", ""));
  command({"sync", "push"});
  EXPECT_EQ(command({"verify"}).status, 0);
  crm_.execute("UPDATE survey_push SET state = 'held' WHERE key = '3'");
  const auto held = command({"verify"});
  EXPECT_EQ(held.status, 1);
  EXPECT_NE(held.out.find("push.orders: needs a person: 1 held row: `surveybridge doubt list -c "),
            std::string::npos)
      << held.out;
}

// The list takes longer than settle: a row that goes out meanwhile is in no page that was read.
TEST_F(Verify, TakesForYoungWhatWasSentWhileItReadTheList) {
  SandboxProgram slow({"--speed", "0", "--latency", "2s"});
  config_ = folder_.write("slow.toml", replaced(configuration(crm_.connection(), slow.url()),
                                                "settle    = \"5s\"", "settle    = \"3s\""));
  command({"forget", "--unknown", "nobody@example.test"});  // makes the tables
  auto& database = crm_.database();
  const auto now = database.now();
  database.execute(
      {"INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at)"
       " VALUES ('orders', '900', 'sent', 1, :p1, :p2)",
       {now, now}});
  const auto verified = command({"verify"});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("1 too young to be listed"), std::string::npos) << verified.out;
}

}  // namespace
}  // namespace program
