// The sessions of a daemon with many jobs, as the database counts them; a daemon with PgBouncer in
// transaction mode between itself and PostgreSQL; and a store where every transaction is
// SERIALIZABLE, as distributed databases that speak PostgreSQL have it.
#include <chrono>
#include <csignal>
#include <iostream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/pooler.hpp"

namespace program {
namespace {

constexpr int kPushes = 5;
constexpr int kShared = 200;

std::string column_of(int push) {
  return "Number" + std::to_string(push);
}

// Of the sandbox: each push has a column of its own for its key.
std::vector<std::string> columns() {
  std::vector<std::string> flags = {"--speed", "0"};
  for (int push = 0; push < kPushes; ++push) {
    flags.emplace_back("--column");
    flags.push_back(fmt::format("{}:{}", push + 1, column_of(push)));
  }
  return flags;
}

// A fifth of the orders.
std::string push_section(int push) {
  return fmt::format(R"(
[push.part{0}]
brake = false
every = "1s"
query = "SELECT * FROM orders WHERE id % {1} = {0}"
key = "id"
when = "delivered_at"
start = 2025-01-01
look_back = "3650d"
correlate = "{2}"
[push.part{0}.batch]
size = 10
ApproveAutomatically = true
BatchName = "part{0}"
[push.part{0}.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.part{0}.customer.Data]
{2} = "id"
)",
                     push, kPushes, column_of(push));
}

// Five pushes and three lists.
std::string many_jobs(const std::string& connection, const std::string& url, int connections) {
  const std::string one = configuration(connection, url);
  std::string text = replaced(one.substr(0, one.find("[push.orders]")), "[crm]\n",
                              "[crm]\nconnections = " + std::to_string(connections) + "\n");
  for (int push = 0; push < kPushes; ++push)
    text += push_section(push);
  const std::string pulls = one.substr(one.find("[pull.customers]"));
  return text + pulls.substr(0, pulls.find("[[pull.customers.write]]")) +
         pulls.substr(pulls.find("[pull.ratings]"));
}

class ManyJobs : public testing::Test {
 protected:
  explicit ManyJobs(std::vector<std::string> settings = {"log_connections=on",
                                                         "log_disconnections=on"})
      : server_(std::move(settings)) {
    crm_.insert(orders(kShared));
  }
  std::string config(int connections) {
    return folder_.write("bridge.toml", many_jobs(crm_.connection(), sandbox_.url(), connections));
  }
  // To the CRM, since the server was started.
  int connections() {
    int count = 0;
    const std::string log = server_.log(), word = "connection authorized: user=bridge database=crm";
    for (auto at = log.find(word); at != std::string::npos; at = log.find(word, at + 1))
      ++count;
    return count;
  }
  // Every order is sent and its customer read.
  bool all_done(int of) {
    if (sandbox_.customers().size() < static_cast<std::size_t>(of)) return false;
    return crm_.cell("SELECT count(*) FROM survey_customer") == std::to_string(of);
  }
  std::string sessions() {
    return crm_.cell(
        "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
        " AND pid <> pg_backend_pid()");
  }

  support::PostgresServer server_;
  Crm crm_{server_};
  SandboxProgram sandbox_{columns()};
  support::TemporaryFolder folder_;
};

// Looks whether the tables may be used, and ends before the first job begins.
constexpr int kLookAtStart = 1;

TEST_F(ManyJobs, ShareFourSessionsAndHaveThemReplacedWhenTheyAreLost) {
  const std::string path = config(4);
  const int before = connections();
  Daemon daemon(path);
  ASSERT_TRUE(daemon.until([&] { return all_done(kShared); }));
  EXPECT_LE(connections() - before, kLookAtStart + 4) << "none was opened that was closed since";
  crm_.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type ="
      " 'client backend' AND pid <> pg_backend_pid()");
  crm_.insert(orders(50, kShared + 1));
  EXPECT_TRUE(daemon.until([&] { return all_done(kShared + 50); }));
  EXPECT_LE(std::stoi(sessions()), 4);
  EXPECT_EQ(daemon.stop(), 0);
}

// Nobody could look at the ledger, or send and read everything else, if it were.
TEST_F(ManyJobs, ShareOneSessionAndKeepItForNoRequest) {
  sandbox_.fault("after:hang:customer/add:1");
  const std::string path = config(1);
  const int before = connections();
  Daemon daemon(path);
  const auto in_state = [&](const std::string& state) {
    return std::stoi(crm_.cell("SELECT count(*) FROM survey_push WHERE state = '" + state + "'"));
  };
  EXPECT_TRUE(daemon.until([&] {
    return sandbox_.customers().size() >= kShared * (kPushes - 1) / kPushes &&
           in_state("sent") >= kShared * (kPushes - 1) / kPushes;
  }));
  // Another job may be between two statements of its transaction at this moment.
  EXPECT_TRUE(daemon.until([&] {
    return crm_.cell("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%'") == "0";
  }));
  EXPECT_GT(in_state("claimed"), 0) << "the request still hangs";
  EXPECT_EQ(connections() - before, kLookAtStart + 1);
}

// The test has a session, too.
class ManyJobsOfASmallServer : public ManyJobs {
 protected:
  ManyJobsOfASmallServer()
      : ManyJobs({"max_connections=4", "superuser_reserved_connections=0", "max_wal_senders=0"}) {}
};

TEST_F(ManyJobsOfASmallServer, WorkWithTheSessionsThatThereAre) {
  Daemon daemon(config(8));
  EXPECT_TRUE(daemon.until([&] { return all_done(kShared); }));
  EXPECT_EQ(daemon.stop(), 0);
}

// By ODBC, where a session is told other things when it begins.
class ManyJobsByOdbc : public testing::TestWithParam<Server> {
 protected:
  ManyJobsByOdbc() { crm_.insert(orders(kShared)); }
  bool all_done(int of) {
    return sandbox_.customers().size() >= static_cast<std::size_t>(of) &&
           crm_.cell("SELECT count(*) FROM survey_customer") == std::to_string(of);
  }
  std::vector<std::vector<std::string>> sessions() {
    return crm_.rows(speaks_mysql(GetParam())
                         ? "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND"
                           " id <> CONNECTION_ID()"
                         : "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND"
                           " pid <> pg_backend_pid()");
  }
  void end_sessions() {
    for (const auto& session : sessions())
      crm_.execute(speaks_mysql(GetParam()) ? "KILL " + session.at(0)
                                            : "SELECT pg_terminate_backend(" + session.at(0) + ")");
  }

  Crm crm_{GetParam()};
  SandboxProgram sandbox_{columns()};
  support::TemporaryFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Servers, ManyJobsByOdbc, testing::Values(Server::odbc, Server::mariadb),
                         server_name);

TEST_P(ManyJobsByOdbc, ShareFourSessionsAndReplaceThoseThatAreLost) {
  Daemon daemon(folder_.write("bridge.toml", many_jobs(crm_.connection(), sandbox_.url(), 4)));
  ASSERT_TRUE(daemon.until([&] { return all_done(kShared); }));
  EXPECT_LE(sessions().size(), 4u);
  end_sessions();
  crm_.insert(orders(50, kShared + 1));
  EXPECT_TRUE(daemon.until([&] { return all_done(kShared + 50); }));
  EXPECT_LE(sessions().size(), 4u);
  EXPECT_EQ(daemon.stop(), 0);
}

constexpr int kPooledOrders = 300;

class PooledProgram : public testing::Test {
 protected:
  std::string pooled() {
    const std::string straight = crm_.connection();
    return configuration(pooler_.native(straight.substr(straight.rfind('=') + 1)), sandbox_.url());
  }
  std::string sent() { return crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"); }
  std::string pulled() { return crm_.cell("SELECT count(*) FROM survey_customer"); }

  Crm crm_{Server::postgresql};
  support::Pooler pooler_{support::PostgresServer::shared()};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
};

TEST_F(PooledProgram, TwoDaemonsSendEachOrderOnce) {
  const std::string config = folder_.write("bridge.toml", pooled());
  ASSERT_EQ(bridge({"sync", "push", "-c", config}).status, 0);  // makes the tables
  Daemon one(config), two(config);
  ASSERT_TRUE(one.says("started with"));
  ASSERT_TRUE(two.says("started with"));
  for (int first = 1; first < kPooledOrders; first += 100) {
    crm_.insert(orders(100, first));
    const std::string all = std::to_string(first + 99);
    ASSERT_TRUE(one.until([&] { return sent() == all; })) << all;
  }
  EXPECT_TRUE(one.until([&] { return pulled() == std::to_string(kPooledOrders); }));
  EXPECT_EQ(one.stop(), 0);
  EXPECT_EQ(two.stop(), 0);
  ASSERT_EQ(bridge({"sync", "-c", config}).status, 0);
  EXPECT_EQ(pulled(), std::to_string(kPooledOrders)) << "more: an order was sent twice";
}

// The pool hides that its session has ended; on one machine the kernel knows that the process has.
TEST_F(PooledProgram, LooksUpWhatAKilledDaemonHadSent) {
  const std::string config = folder_.write("bridge.toml", pooled());
  ASSERT_EQ(bridge({"sync", "push", "-c", config}).status, 0);
  sandbox_.fault("after:hang:customer/add");  // the service has stored them and never answers
  crm_.insert(orders(3));
  Daemon first(config);
  ASSERT_TRUE(first.until([&] { return sandbox_.adds() == 1; }));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'claimed'"), "3");
  first.child().signal(SIGKILL);
  ASSERT_EQ(first.child().wait(std::chrono::seconds{10}), 128 + SIGKILL);

  Daemon second(config);
  EXPECT_TRUE(second.until([&] { return sent() == "3"; }));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push_event WHERE state = 'in_doubt'"), "3");
  EXPECT_EQ(sandbox_.customers().size(), 3u) << "an order was sent twice";
  EXPECT_EQ(second.stop(), 0);
}

TEST_F(PooledProgram, RefusesNotifyAndPolls) {
  const std::string config = folder_.write(
      "bridge.toml", replaced(pooled(), "brake = false\nevery     = \"1s\"",
                              "brake = false\nevery = \"1s\"\nnotify = \"orders_changed\""));
  ASSERT_EQ(bridge({"sync", "push", "-c", config}).status, 0);
  Daemon daemon(config);
  EXPECT_TRUE(daemon.says("a pool such as PgBouncer is between: leave notify out"));
  crm_.insert(orders(1));
  EXPECT_TRUE(daemon.until([&] { return sent() == "1"; })) << "polling goes on";
  EXPECT_EQ(daemon.stop(), 0);
}

constexpr int kRows = 10'000, kSome = 1'000;

TEST(SerializableStore, IsSharedByTwoDaemons) {
  support::PostgresServer server;
  Crm crm(server);
  int orders = 0;
  const auto order = [&](int more) {
    crm.execute(
        "INSERT INTO orders (id, email, first_name, last_name, phone, amount, delivered_at,"
        " priority) SELECT n, 'person' || n || '@example.test', 'Ann', 'Example', '1', 1,"
        " TIMESTAMP '2026-10-01' + n * INTERVAL '1 second', 1 FROM generate_series(" +
        std::to_string(orders + 1) + ", " + std::to_string(orders + more) + ") AS n");
    orders += more;
  };
  order(kSome);
  const std::string name = crm.cell("SELECT current_database()");
  crm.execute("ALTER DATABASE " + name + " SET default_transaction_isolation = 'serializable'");
  SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url());
  const std::string config = folder.write("bridge.toml", text);
  const auto sent = [&] {
    return crm.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'") ==
           std::to_string(orders);
  };
  const auto both_have_sent = [&] {
    const bool both = crm.cell("SELECT count(DISTINCT owner) FROM survey_batch") == "2";
    if (!both && orders < kRows && sent()) order(kSome);
    return both;
  };
  {
    Daemon one(config), two(config);
    ASSERT_TRUE(one.until([&] {
      return crm.cell("SELECT count(*) FROM pg_tables WHERE tablename = 'survey_push'") == "1";
    }));
    EXPECT_TRUE(one.until(both_have_sent));
    order(kRows - orders);
    EXPECT_TRUE(one.until(sent));
    EXPECT_EQ(one.stop(), 0);
    EXPECT_EQ(two.stop(), 0);
  }
  EXPECT_TRUE(sent());
  const auto customers = sandbox.customers();
  std::set<std::string> numbers;
  for (const auto& customer : customers)
    numbers.insert(customer.at("data").at("OrderNumber"));
  EXPECT_EQ(customers.size(), static_cast<std::size_t>(kRows)) << "none twice";
  EXPECT_EQ(numbers.size(), customers.size()) << "none forgotten";
  const std::string retries =
      crm.cell("SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()");
  EXPECT_NE(retries, "0") << "or nothing has met";
  std::cout << retries << " transactions were rolled back and done again\n";
}

}  // namespace
}  // namespace program
