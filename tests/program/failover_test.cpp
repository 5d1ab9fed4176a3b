// The primary of a PostgreSQL with synchronous replication is killed while orders flow, its standby
// is promoted, and the daemon finds it by its connection string with two hosts; ten times. Nobody
// is invited twice, and nobody is forgotten.
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

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
