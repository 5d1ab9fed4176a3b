// A `move` that is killed at each of its points: it is typed again, and nobody is invited twice or
// forgotten.
#include <set>

#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using testing::HasSubstr;

constexpr int kBefore = 300, kAll = 310, kInDoubt = 100, kArrived = kAll - kInDoubt;

// The move waits for a lock that the test holds, and is killed there.
struct Point {
  const char* name;
  bool at_new_place;
  const char *table, *lock;
  bool old_place_works;
};

std::ostream& operator<<(std::ostream& out, const Point& each) {
  return out << each.name;
}

class KilledMove : public testing::TestWithParam<Point> {
 protected:
  static support::Finished command(Arguments words, const std::string& config) {
    words.insert(words.end(), {"-c", config});
    return bridge(words);
  }
  void kill_a_move() {
    Crm& locked = GetParam().at_new_place ? store_ : crm_;
    const auto holder = locked.open();
    const surveybridge::crm::Transaction lock(*holder);
    holder->execute(
        {std::string("LOCK TABLE ") + GetParam().table + " IN " + GetParam().lock + " MODE", {}});
    support::ChildProcess move(
        bridge_program({"move", "--confirm", "--from", before_, "-c", after_}));
    const auto waits = [&] {
      return locked.cell(
                 "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
                 " (SELECT oid FROM pg_database WHERE datname = current_database())") != "0";
    };
    bool reached = false;
    while (!(reached = waits()) && !move.wait(std::chrono::milliseconds{20})) {
    }
    EXPECT_TRUE(reached) << "the move has not come to the lock: " << move.err();
    move.signal(SIGKILL);
    move.wait(std::chrono::seconds(10));
  }

  Crm crm_{Server::postgresql}, store_{Server::postgresql};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string text_ = replaced(configuration(crm_.connection(), sandbox_.url()),
                               "settle    = \"5s\"", "settle    = \"1h\"");
  std::string before_ = folder_.write("before.toml", text_);
  std::string after_ = folder_.write(
      "after.toml", text_ + "[store]\nconnection = \"" + store_.connection() + "\"\n");
};

TEST_P(KilledMove, IsDoneAgainAndSendsNothingTwice) {
  auto rows = orders(kAll);
  const std::vector<Order> late(rows.begin() + kBefore, rows.end());
  rows.resize(kBefore);
  crm_.insert(rows);
  sandbox_.fault("before:reset:customer/add:1");
  command({"sync", "push"}, before_);
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'in_doubt'"),
            std::to_string(kInDoubt));
  command({"sync", "pull"}, before_);
  EXPECT_EQ(command({"move", "--from", before_}, after_).status, 1) << "makes the new tables";

  kill_a_move();
  crm_.insert(late);
  const auto old = command({"sync", "push"}, before_);
  if (GetParam().old_place_works) {
    EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push"), std::to_string(kAll)) << old.err;
  } else {
    EXPECT_NE(old.status, 0);
    EXPECT_THAT(old.out + old.err, HasSubstr("were moved from here to another place"));
    const auto early = command({"sync", "push"}, after_);
    EXPECT_NE(early.status, 0);
    EXPECT_THAT(early.out + early.err, HasSubstr("are being moved to here"));
  }
  const auto again = command({"move", "--confirm", "--from", before_}, after_);
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_NE(command({"sync", "push"}, before_).status, 0);
  command({"sync", "push"}, after_);
  EXPECT_EQ(store_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"),
            std::to_string(kArrived));
  EXPECT_EQ(store_.cell("SELECT count(*) FROM survey_push"), std::to_string(kAll));
  std::multiset<std::string> sent;
  for (const auto& customer : sandbox_.customers())
    sent.insert(customer.at("data").at("OrderNumber"));
  EXPECT_EQ(sent.size(), static_cast<std::size_t>(kArrived)) << "none forgotten, none twice";
  EXPECT_EQ(std::set<std::string>(sent.begin(), sent.end()).size(), sent.size()) << "none twice";
}

INSTANTIATE_TEST_SUITE_P(
    Points, KilledMove,
    testing::Values(
        Point{"before_anything", true, "survey_seal", "EXCLUSIVE", true},
        Point{"before_the_old_place_is_closed", false, "survey_seal", "EXCLUSIVE", true},
        Point{"while_the_ledger_is_renamed", false, "survey_push", "ACCESS SHARE", true},
        Point{"in_the_middle_of_the_rows", true, "survey_push_event", "EXCLUSIVE", false},
        Point{"at_the_last_rows", true, "survey_report_state", "EXCLUSIVE", false}),
    [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace program
