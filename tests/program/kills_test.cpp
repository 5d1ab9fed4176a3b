// The programs over real sockets. The bridge is killed at random moments while orders keep coming,
// answers get lost and the database crashes once: nobody is invited twice, and nobody is forgotten.
// Two series of twenty-five kills: one for each value of `doubt`.
#include <iostream>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kKills = 25;
constexpr int kKillWithoutDatabase = 12;  // the daemon before this kill also loses the database
constexpr int kKillsOfClaims = 20;        // from here on kills come between a claim and its answer
constexpr std::int64_t kFirstLate = 1'000'000;

// Either an answer is lost after the service has processed the request, or the service has done
// nothing.
constexpr const char* kFaults[] = {
    "after:reset:customer/add",      "after:hang:customer/add",  "after:cut:customer/add",
    "after:504:customer/add",        "after:500:customer/add",   "before:reset:customer/add",
    "before:hang:customer/add",      "before:503:customer/add",  "before:429:customer/add",
    "before:503:customerdatacolumn", "before:reset:v3/customer", "after:cut:v3/customer",
};

// Many small batches, short waits.
std::string restless(std::string text, const std::string& doubt) {
  text = replaced(std::move(text), "size                 = 100", "size                 = 5");
  text = replaced(std::move(text), "timeout   = \"20s\"", "timeout   = \"1s\"");
  return replaced(std::move(text), "settle    = \"5s\"",
                  "settle    = \"5s\"\ndoubt     = \"" + doubt + "\"");
}

// An old order whose transaction is not committed yet.
class LateOrder {
 public:
  LateOrder(const Crm& crm, std::int64_t id) : database_(crm.open()), transaction_(*database_) {
    Order order = orders(1).front();
    order.id = id;
    order.email = fmt::format("late-{}@{}", id, kDomain);
    insert_into(*database_, {order});
  }
  void commit() { transaction_.commit(); }

 private:
  std::unique_ptr<surveybridge::crm::Database> database_;
  surveybridge::crm::Transaction transaction_;
};

class Kills : public testing::TestWithParam<const char*> {
 protected:
  Kills() {
    // The tests' server may lose its last commits in a crash; a CRM's server does not.
    crm_.execute("ALTER DATABASE " + crm_.cell("SELECT current_database()") +
                 " SET synchronous_commit = on");
    crm_.reconnect();
  }

  int draw(int from, int to) { return std::uniform_int_distribution<>(from, to)(random_); }

  // Adds orders one by one while the daemon runs.
  void keep_ordering(Daemon& daemon, Clock::duration length) {
    for (const auto end = Clock::now() + length; Clock::now() < end;) {
      crm_.insert(orders(1, orders_++ + 1));
      ASSERT_EQ(daemon.child().wait(15ms), std::nullopt) << "the daemon ended by itself";
    }
  }

  void live_and_be_killed(int kill) {
    Daemon daemon(config_);
    for (int faults = draw(0, 2); faults > 0; --faults)
      sandbox_.fault(kFaults[draw(0, std::size(kFaults) - 1)]);
    if (draw(0, 9) != 0) {
      ASSERT_TRUE(daemon.says("started with"));
    }
    if (kill == kKillWithoutDatabase) lose_database(daemon);
    keep_ordering(daemon, std::chrono::milliseconds(draw(0, 900)));
    if (kill >= kKillsOfClaims) wait_for_claim(daemon);
    daemon.child().signal(SIGKILL);
    ASSERT_EQ(daemon.child().wait(10s), 128 + SIGKILL);
    left_claimed_ += claimed();
  }

  // The answer to the next add never comes: there is time to kill between a claim and its answer.
  void wait_for_claim(Daemon& daemon) {
    sandbox_.fault("after:hang:customer/add");
    for (const auto end = Clock::now() + 3s; claimed() == 0 && Clock::now() < end;)
      keep_ordering(daemon, 15ms);
  }

  // An immediate stop: the server recovers from its log as after a crash.
  void lose_database(Daemon& daemon) {
    keep_ordering(daemon, 300ms);
    server_.stop();
    ASSERT_TRUE(daemon.says("database: "));
    server_.start();
    crm_.reconnect();
    ASSERT_TRUE(daemon.says("database: works again"));
  }

  int rows_in(const std::string& states) {
    return std::stoi(crm_.cell("SELECT count(*) FROM survey_push WHERE state IN (" + states + ")"));
  }

  int claimed() {
    const bool made = crm_.cell("SELECT to_regclass('survey_push') IS NOT NULL") == "1";
    return made ? rows_in("'claimed'") : 0;
  }

  // Runs until every order has its final state.
  void run_to_rest() {
    sandbox_.post("/sandbox/forget", nlohmann::json::object());
    const auto end = Clock::now() + 90s;
    do {
      ASSERT_LT(Clock::now(), end) << "no rest";
      bridge({"sync", "-c", config_, "push"});
    } while (rows_in("'sent', 'held'") != orders_ + late_);
    EXPECT_EQ(rows_in("'claimed', 'pending', 'in_doubt', 'quarantined', 'refused'"), 0);
  }

  support::PostgresServer server_;
  Crm crm_{server_};
  SandboxProgram sandbox_{{"--speed", "0", "--visible-after", "2s"}};
  support::TemporaryFolder folder_;
  std::string config_ = folder_.write(
      "bridge.toml", restless(configuration(crm_.connection(), sandbox_.url()), GetParam()));
  std::mt19937 random_{20261121};
  int orders_ = 0, late_ = 0, left_claimed_ = 0;
};

// How often the service has stored each order.
std::map<std::string, int> times_held(const std::vector<nlohmann::json>& customers) {
  std::map<std::string, int> times;
  for (const auto& customer : customers)
    ++times[customer.at("data").at("OrderNumber")];
  return times;
}

TEST_P(Kills, InviteNobodyTwiceAndForgetNobody) {
  const auto begun = Clock::now();
  std::optional<LateOrder> late;
  for (int kill = 0; kill < kKills; ++kill) {
    if (kill % 5 == 0) late.emplace(crm_, kFirstLate + late_++);
    ASSERT_NO_FATAL_FAILURE(live_and_be_killed(kill)) << "kill " << kill;
    if (kill % 5 == 1) late->commit();
  }
  ASSERT_NO_FATAL_FAILURE(run_to_rest());

  const auto customers = sandbox_.customers();
  auto times = times_held(customers);
  int held = 0;
  for (const auto& row : crm_.rows("SELECT key, state, reason FROM survey_push")) {
    const bool sent = row[1] == "sent";
    EXPECT_EQ(times[row[0]], sent ? 1 : 0) << row[0] << " " << row[1] << " " << row[2];
    held += sent ? 0 : 1;
  }
  EXPECT_EQ(customers.size(), static_cast<std::size_t>(orders_ + late_ - held));
  EXPECT_GT(left_claimed_, 0) << "no kill came between a claim and its answer";
  if (GetParam() == std::string("resend")) {
    EXPECT_EQ(held, 0) << crm_.cell("SELECT max(reason) FROM survey_push WHERE state = 'held'");
  }
  // The service lists a customer two seconds after it was added.
  sandbox_.post("/sandbox/clock", {{"advance", "3s"}});
  EXPECT_EQ(bridge({"sync", "-c", config_, "pull"}).status, held == 0 ? 0 : 1);
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_customer"), std::to_string(customers.size()));

  std::cout << fmt::format(
      "{} kills, {} orders ({} of them late): {} invited once, {} held, 0 twice; {} rows left "
      "claimed by kills; {} adds; {:.0f} s\n",
      kKills, orders_ + late_, late_, customers.size(), held, left_claimed_, sandbox_.adds(),
      std::chrono::duration<double>(Clock::now() - begun).count());
}

INSTANTIATE_TEST_SUITE_P(Doubt, Kills, testing::Values("resend", "hold"),
                         [](const auto& doubt) { return std::string(doubt.param); });

}  // namespace
}  // namespace program
