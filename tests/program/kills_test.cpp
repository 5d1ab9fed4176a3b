// Real processes that end or stand still at bad moments: a daemon that is killed 15 times, half a
// second after each start, with answers that get lost, and whose successor settles everything
// within thirty seconds; one that is stopped (SIGSTOP) in the middle of a POST and goes on after
// another has taken over; and a primary of a PostgreSQL with synchronous replication that is killed
// ten times while orders flow. Nobody is invited twice, and nobody is forgotten.
#include <iostream>
#include <map>
#include <random>

#include <fmt/format.h>

#include "tests/program/world.hpp"

namespace program {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int kKills = 15, kFailovers = 10;
constexpr auto kSettledWithin = 30s;
constexpr const char* kFaults[] = {
    "after:reset:customer/add",  "after:504:customer/add",    "after:500:customer/add",
    "before:reset:customer/add", "before:503:customer/add",   "after:cut:customer/add",
    "before:reset:v3/customer",  "before:429:customer/add:1",
};

// A lease lasts two time-outs and ten seconds.
std::string impatient(std::string text) {
  return replaced(std::move(text), "timeout   = \"20s\"", "timeout   = \"1s\"");
}

std::string in_fives(std::string text) {
  return replaced(std::move(text), "size                 = 100", "size                 = 5");
}

// A daemon that is killed soon has not made its tables yet.
bool has_ledger(Crm& crm) {
  return crm.cell("SELECT CASE WHEN to_regclass('survey_push') IS NULL THEN 0 ELSE 1 END") == "1";
}

// Each order that is sent is at the service once, and one that is held is not. How many are held.
int expect_each_once(const SandboxProgram& sandbox, surveybridge::crm::Database& crm) {
  std::map<std::string, int> times;
  for (const auto& customer : sandbox.customers())
    ++times[customer.at("data").at("OrderNumber")];
  int held = 0;
  const auto rows = crm.query({"SELECT key, state FROM survey_push", {}}).rows;
  for (const auto& row : rows) {
    const std::string key = plain(row.at(0)), state = plain(row.at(1));
    EXPECT_EQ(times[key], state == "sent" ? 1 : 0) << key << " " << state;
    held += state == "held" ? 1 : 0;
  }
  EXPECT_EQ(times.size(), rows.size()) << "the service has one that the ledger does not know";
  return held;
}

TEST(QuickRestarts, LeaveNothingThatHoldsTheNextOneUp) {
  BridgeOn on(Server::postgresql);
  on.write(in_fives(impatient(on.usual_)));
  std::mt19937 random{20261122};
  int made = 0;
  for (int kill = 0; kill < kKills; ++kill) {
    on.sandbox_.fault(kFaults[std::uniform_int_distribution<std::size_t>(0, 7)(random)]);
    Daemon daemon(on.config_);
    for (const auto end = Clock::now() + 500ms; Clock::now() < end;) {
      on.crm_.insert(orders(1, ++made));
      ASSERT_EQ(daemon.child().wait(40ms), std::nullopt) << "kill " << kill << ": it has ended";
    }
    daemon.child().signal(SIGKILL);
    ASSERT_EQ(daemon.child().wait(10s), 128 + SIGKILL);
  }
  on.sandbox_.post("/sandbox/forget", nlohmann::json::object());

  Daemon daemon(on.config_);
  const auto calm = Clock::now();
  const auto settled = [&] {
    return has_ledger(on.crm_) &&
           on.crm_.count("survey_push WHERE state IN ('sent', 'held')") == std::to_string(made);
  };
  while (!settled()) {
    ASSERT_LT(Clock::now(), calm + kSettledWithin) << daemon.child().err();
    ASSERT_EQ(daemon.child().wait(200ms), std::nullopt) << daemon.child().err();
  }
  const auto took = std::chrono::duration<double>(Clock::now() - calm).count();
  EXPECT_EQ(daemon.stop(), 0);
  expect_each_once(on.sandbox_, on.crm_.database());
  std::cout << fmt::format("{} kills, {} orders, settled after {:.1f} s\n", kKills, made, took);
}

struct Paused : BridgeAndPostgresql {
  Paused() {
    crm_.insert(orders(3));
    write(impatient(usual_));
  }
  bool until_rows(const std::string& state, int count, Daemon& watched) {
    return watched.until(
        [&] { return has_ledger(crm_) && in_state(state) == std::to_string(count); });
  }
  // How often it was claimed, and the states after that.
  std::string story(int key) {
    const std::string is = " WHERE key = '" + std::to_string(key) + "'";
    std::string all = crm_.cell("SELECT attempts FROM survey_push" + is) + " ";
    for (const auto& row : crm_.rows("SELECT state FROM survey_push_event" + is + " ORDER BY id"))
      all += row[0] + " ";
    return all;
  }
};

TEST_F(Paused, ComesBackAndWritesNothing) {
  sandbox_.fault("after:hang:customer/add");  // the service has stored them and never answers
  Daemon first(config_);
  ASSERT_TRUE(until_rows("claimed", 3, first));
  ASSERT_TRUE(first.until([&] { return sandbox_.adds() > 0; }));
  first.child().signal(SIGSTOP);

  Daemon second(config_);
  crm_.insert(orders(3, 4));
  ASSERT_TRUE(until_rows("sent", 6, second)) << "the first one's claims are still its own";
  EXPECT_EQ(story(1), "1 in_doubt sent ");

  first.child().signal(SIGCONT);
  ASSERT_TRUE(first.says("no certain answer"));
  crm_.insert(orders(1, 7));
  ASSERT_TRUE(until_rows("sent", 7, second));
  EXPECT_EQ(sandbox_.customers().size(), 7u) << "somebody was invited twice";
  for (int key = 1; key <= 3; ++key)
    EXPECT_EQ(story(key), "1 in_doubt sent ") << key;
  EXPECT_EQ(first.stop(), 0);
  EXPECT_EQ(second.stop(), 0);
}

struct Failover : testing::Test {
  Failover() {
    // The tests' server does not wait for the disk; here a commit waits for the standby.
    primary_->sql(database_, "ALTER DATABASE " + database_ + " SET synchronous_commit = on");
    follow();
    crm_ = open();
  }
  // A standby for the primary; from now on each commit waits for it.
  void follow() {
    standby_ = support::PostgresServer::standby_of(*primary_);
    primary_->sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = '*'");
    primary_->sql("postgres", "SELECT pg_reload_conf()");
  }
  std::unique_ptr<surveybridge::crm::Database> open() const {
    return surveybridge::crm::open_database(primary_->native(database_));
  }
  std::string both_hosts() const {
    return fmt::format(
        "postgresql://host=127.0.0.1,127.0.0.1 port={},{} user=bridge dbname={}"
        " target_session_attrs=read-write",
        primary_->port(), standby_->port(), database_);
  }
  // An order that the CRM was told is committed is one that must go out.
  void keep_ordering(Daemon& daemon, Clock::duration length) {
    for (const auto end = Clock::now() + length; Clock::now() < end;) {
      insert_into(*crm_, orders(1, ++orders_));
      ASSERT_EQ(daemon.child().wait(15ms), std::nullopt) << "the daemon ended by itself";
    }
  }
  void fail_over() {
    crm_.reset();
    primary_->kill();
    standby_->promote();
    primary_ = std::move(standby_);
    crm_ = open();
  }
  // Every order has its last state.
  bool rests() {
    const std::string query = "SELECT count(*) FROM survey_push WHERE state IN ('sent', 'held')";
    return plain(crm_->query({query, {}}).rows.at(0).at(0)) == std::to_string(orders_);
  }

  std::unique_ptr<support::PostgresServer> primary_ =
      std::make_unique<support::PostgresServer>(std::vector<std::string>{"wal_keep_size=64"});
  std::unique_ptr<support::PostgresServer> standby_;
  std::string database_ = primary_->create_database();
  std::unique_ptr<surveybridge::crm::Database> crm_;
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  int orders_ = 0;
};

TEST_F(Failover, InvitesNobodyTwiceAndForgetsNobody) {
  crm_->execute({table_of_orders(Server::postgresql), {}});
  for (int i = 0; i < kFailovers; ++i) {
    // Hosts differ each time: a standby is made anew on a port of its own.
    Daemon daemon(
        folder_.write("bridge.toml", in_fives(configuration(both_hosts(), sandbox_.url()))));
    ASSERT_TRUE(daemon.says("started with")) << daemon.child().err();
    ASSERT_NO_FATAL_FAILURE(keep_ordering(daemon, 700ms)) << "before failover " << i;
    fail_over();
    follow();
    ASSERT_NO_FATAL_FAILURE(keep_ordering(daemon, 300ms)) << "after failover " << i;
    // Two minutes at most.
    ASSERT_TRUE(daemon.until([&] { return rests(); }) || daemon.until([&] { return rests(); }))
        << "failover " << i << ": " << daemon.child().err();
    EXPECT_EQ(daemon.stop(), 0);
  }
  const int held = expect_each_once(sandbox_, *crm_);
  EXPECT_EQ(plain(crm_->query({"SELECT count(*) FROM survey_push", {}}).rows.at(0).at(0)),
            std::to_string(orders_));
  std::cout << fmt::format("{} failovers, {} orders, {} held, 0 twice\n", kFailovers, orders_,
                           held);
}

}  // namespace
}  // namespace program
