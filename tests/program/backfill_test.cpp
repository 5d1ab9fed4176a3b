// `surveybridge backfill` with real programs: complete, also when it is killed and started again.
#include <gtest/gtest.h>

#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

class Backfill : public BridgeAndCrm {
 protected:
  Backfill() : BridgeAndCrm({"--speed", "500000000", "--latency", "20ms"}) {
    // After a kill the walk is free in two time-outs and ten seconds.
    write(replaced(usual_, "timeout   = \"20s\"", "timeout   = \"1s\""));
    crm_.insert(orders(600));
    EXPECT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  }
  Arguments backfill(const Arguments& more = {}) const {
    Arguments words = {"backfill", "customers", "--from", "2025-01-01", "-c", config_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string stored() { return crm_.cell("SELECT COUNT(*) FROM survey_customer"); }
  int ended(const Arguments& more, int signal, int status);
  int killed(const Arguments& more) { return ended(more, SIGKILL, 128 + SIGKILL); }
  std::string walks() {
    return crm_.cell("SELECT COUNT(*) FROM survey_cursor WHERE walk LIKE 'backfill %'");
  }

  std::string said_;  // by the one that was ended
};

TEST_P(Backfill, BringsTheWholePast) {
  const auto done = bridge(backfill());
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find("600 customers, 32 of 32 windows"), std::string::npos) << done.out;
  EXPECT_EQ(stored(), "600");
  EXPECT_EQ(walks(), "0") << "the next one begins anew";
}

TEST_P(Backfill, TellsAProgramWhatItTellsPeople) {
  const auto done = bridge(backfill({"--json"}));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, R"({"list":"customers","done":600,"windows":32,"walked":32,"reason":null})"
                      "\n");
}

// Ends it after it has stored something; returns how much is stored.
int Backfill::ended(const Arguments& more, int signal, int status) {
  support::ChildProcess child(bridge_program(backfill(more)));
  for (int tries = 0; tries < 2000 && stored() == "0"; ++tries)
    EXPECT_EQ(child.wait(std::chrono::milliseconds(5)), std::nullopt);
  child.signal(signal);
  EXPECT_EQ(child.wait(std::chrono::seconds(10)), status);
  said_ = child.err();
  const int before = std::stoi(stored());
  EXPECT_LT(before, 600);
  return before;
}

TEST_P(Backfill, GoesOnWhereItWasKilled) {
  const Arguments to = {"--to", "2030-01-01", "--parallel", "1"};
  const int before = killed(to);
  EXPECT_NE(walks(), "0");
  const auto done = bridge(backfill({"--to", "2030-01-01", "--parallel", "4"}));
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(stored(), "600");
  EXPECT_NE(done.out.find(std::to_string(600 - before) + " customers"), std::string::npos)
      << "what was stored is not asked for again: " << done.out;
}

TEST_P(Backfill, GoesOnWhereItWasKilledWhenNobodySaysHowFar) {
  const int before = killed({"--parallel", "1"});
  const auto done = bridge(backfill());
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.err.find("goes on with the one that was begun"), std::string::npos) << done.err;
  EXPECT_EQ(stored(), "600");
  EXPECT_NE(done.out.find(std::to_string(600 - before) + " customers"), std::string::npos)
      << done.out;
  EXPECT_EQ(walks(), "0");
}

TEST_P(Backfill, GoesOnWhereItWasStoppedAndSaysSo) {
  const int before = ended({"--parallel", "1"}, SIGINT, 1);
  EXPECT_NE(said_.find("backfill: stopped; the same command goes on from here\n"),
            std::string::npos)
      << said_;
  const auto done = bridge(backfill());
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_NE(done.out.find(std::to_string(600 - before) + " customers"), std::string::npos)
      << done.out;
}

TEST_P(Backfill, SaysWhatIsWrong) {
  EXPECT_EQ(bridge({"backfill", "orders", "--from", "2025-01-01", "-c", config_}).status, 2);
  EXPECT_EQ(bridge({"backfill", "customers", "--from", "soon", "-c", config_}).status, 2);
  EXPECT_EQ(bridge(backfill({"--to", "2024-01-01"})).status, 2);
  EXPECT_EQ(bridge(backfill({"--parallel", "99"})).status, 2);
}

TEST_P(Backfill, KeepsNothingThatIsTooOld) {
  const std::string keep = folder_.write(
      "keep.toml", replaced(usual_, "[pull.customers]", "[pull.customers]\nkeep = \"30d\""));
  EXPECT_EQ(bridge(backfill()).status, 0);
  crm_.execute(
      "UPDATE survey_customer SET last_activity_date = '2025-06-01 00:00:00', digest = 'x'"
      " WHERE id <= (SELECT MIN(id) + 9 FROM survey_customer)");
  crm_.execute("DELETE FROM survey_cursor");
  EXPECT_EQ(bridge({"sync", "customers", "-c", keep}).status, 0);
  EXPECT_EQ(stored(), "600") << "the service says that they were active lately";
  crm_.execute(
      "UPDATE survey_customer SET last_activity_date = '2025-06-01 00:00:00'"
      " WHERE id <= (SELECT MIN(id) + 9 FROM survey_customer)");
  EXPECT_EQ(bridge({"sync", "customers", "-c", keep}).status, 0);
  EXPECT_EQ(stored(), "590");
  EXPECT_EQ(crm_.cell("SELECT COUNT(*) FROM survey_customer_data WHERE customer_id NOT IN"
                      " (SELECT id FROM survey_customer)"),
            "0");
}

INSTANTIATE_TEST_SUITE_P(Databases, Backfill, testing::Values(Server::sqlite, Server::postgresql),
                         server_name);

}  // namespace
}  // namespace program
