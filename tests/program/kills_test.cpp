// Real processes that end or stand still at bad moments: a daemon that is killed 25 times, half a
// second after each start, with answers that get lost, and whose successor settles everything
// within thirty seconds; one that is stopped (SIGSTOP) in the middle of a POST and goes on after
// another has taken over; and a primary of a PostgreSQL with synchronous replication that is killed
// ten times while orders flow. Nobody is invited twice, and nobody is forgotten.
#include <chrono>
#include <iostream>
#include <map>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/bridge_and_crm.hpp"

namespace program {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr int kKills = 25;
constexpr auto kSettledWithin = 30s;
constexpr const char* kFaults[] = {
    "after:reset:customer/add",  "after:504:customer/add",    "after:500:customer/add",
    "before:reset:customer/add", "before:503:customer/add",   "after:cut:customer/add",
    "before:reset:v3/customer",  "before:429:customer/add:1",
};

std::string hasty(std::string text) {
  text = replaced(std::move(text), "size                 = 100", "size                 = 5");
  return replaced(std::move(text), "timeout   = \"20s\"", "timeout   = \"1s\"");
}

bool has_ledger(Crm& crm) {
  return crm.cell("SELECT CASE WHEN to_regclass('survey_push') IS NULL THEN 0 ELSE 1 END") == "1";
}

class QuickRestarts : public BridgeAndPostgresql {
 protected:
  QuickRestarts() { write(hasty(usual_)); }
  void live_and_be_killed() {
    sandbox_.fault(kFaults[std::uniform_int_distribution<std::size_t>(0, 7)(random_)]);
    Daemon daemon(config_);
    for (const auto end = Clock::now() + 500ms; Clock::now() < end;) {
      crm_.insert(orders(1, ++orders_));
      ASSERT_EQ(daemon.child().wait(40ms), std::nullopt) << "the daemon ended by itself";
    }
    daemon.child().signal(SIGKILL);
    ASSERT_EQ(daemon.child().wait(10s), 128 + SIGKILL);
  }

  // A daemon that is killed soon has not made its tables yet.
  int settled() {
    if (!has_ledger(crm_)) return 0;
    return std::stoi(crm_.cell("SELECT count(*) FROM survey_push WHERE state IN ('sent', 'held')"));
  }

  std::mt19937 random_{20261122};
  int orders_ = 0;
};

TEST_F(QuickRestarts, LeaveNothingThatHoldsTheNextOneUp) {
  for (int kill = 0; kill < kKills; ++kill)
    ASSERT_NO_FATAL_FAILURE(live_and_be_killed()) << "kill " << kill;
  sandbox_.post("/sandbox/forget", nlohmann::json::object());

  Daemon daemon(config_);
  const auto calm = Clock::now();
  while (settled() < orders_) {
    ASSERT_LT(Clock::now(), calm + kSettledWithin)
        << settled() << " of " << orders_ << ": " << daemon.child().err();
    ASSERT_EQ(daemon.child().wait(200ms), std::nullopt) << daemon.child().err();
  }
  const auto took = std::chrono::duration<double>(Clock::now() - calm).count();
  EXPECT_EQ(daemon.stop(), 0);

  std::map<std::string, int> times;
  for (const auto& customer : sandbox_.customers())
    ++times[customer.at("data").at("OrderNumber")];
  for (const auto& row : crm_.rows("SELECT key, state FROM survey_push"))
    EXPECT_EQ(times[row[0]], row[1] == "sent" ? 1 : 0) << row[0] << " " << row[1];
  std::cout << fmt::format("{} kills, {} orders, settled after {:.1f} s\n", kKills, orders_, took);
}

// A lease lasts two time-outs and ten seconds.
std::string impatient(std::string text) {
  return replaced(std::move(text), "timeout   = \"20s\"", "timeout   = \"1s\"");
}

class Paused : public BridgeAndPostgresql {
 protected:
  Paused() {
    crm_.insert(orders(3));
    write(impatient(usual_));
  }

  // False if it took more than a minute.
  bool until_rows(const std::string& state, int count, Daemon& watched) {
    for (const auto end = Clock::now() + 60s; Clock::now() < end;) {
      if (has_ledger(crm_) && crm_.cell("SELECT count(*) FROM survey_push WHERE state = '" + state +
                                        "'") == std::to_string(count)) {
        return true;
      }
      if (watched.child().wait(20ms)) return false;
    }
    return false;
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
  for (const auto end = Clock::now() + 30s; sandbox_.adds() == 0 && Clock::now() < end;) {
    ASSERT_EQ(first.child().wait(5ms), std::nullopt);
  }
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

constexpr int kFailovers = 10;

class Failover : public testing::Test {
 protected:
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
  void order() { insert_into(*crm_, orders(1, ++orders_)); }

  void keep_ordering(Daemon& daemon, Clock::duration length) {
    for (const auto end = Clock::now() + length; Clock::now() < end;) {
      order();
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

  std::string cell(const std::string& sql) {
    return plain(crm_->query({sql, {}}).rows.at(0).at(0));
  }

  // Until every order has its last state; false: not in time.
  bool comes_to_rest(Daemon& daemon) {
    for (const auto end = Clock::now() + 120s; Clock::now() < end;) {
      if (cell("SELECT count(*) FROM survey_push WHERE state IN ('sent', 'held')") ==
          std::to_string(orders_)) {
        return true;
      }
      if (daemon.child().wait(200ms)) return false;
    }
    return false;
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
  Crm::make_orders(*crm_);
  for (int i = 0; i < kFailovers; ++i) {
    // Hosts differ each time: a standby is made anew on a port of its own.
    auto text = configuration(both_hosts(), sandbox_.url());
    text = replaced(std::move(text), "size                 = 100", "size                 = 5");
    const auto config = folder_.write("bridge.toml", text);
    Daemon daemon(config);
    ASSERT_TRUE(daemon.says("started with")) << daemon.child().err();
    ASSERT_NO_FATAL_FAILURE(keep_ordering(daemon, 700ms)) << "before failover " << i;
    fail_over();
    follow();
    ASSERT_NO_FATAL_FAILURE(keep_ordering(daemon, 300ms)) << "after failover " << i;
    ASSERT_TRUE(comes_to_rest(daemon)) << "failover " << i << ": " << daemon.child().err();
    EXPECT_EQ(daemon.stop(), 0);
  }

  std::map<std::string, int> times;
  for (const auto& customer : sandbox_.customers())
    ++times[customer.at("data").at("OrderNumber")];
  int held = 0;
  for (const auto& row : crm_->query({"SELECT key, state FROM survey_push", {}}).rows) {
    const std::string key = plain(row.at(0)), state = plain(row.at(1));
    EXPECT_EQ(times[key], state == "sent" ? 1 : 0) << key << " " << state;
    held += state == "held" ? 1 : 0;
  }
  EXPECT_EQ(times.size(), static_cast<std::size_t>(orders_));
  std::cout << fmt::format("{} failovers, {} orders, {} held, 0 twice\n", kFailovers, orders_,
                           held);
}

}  // namespace
}  // namespace program
