// The sessions of a daemon with many jobs, as PostgreSQL counts them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"

namespace program {
namespace {

constexpr int kPushes = 5;
constexpr int kOrders = 200;

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
    crm_.insert(orders(kOrders));
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

TEST_F(ManyJobs, ShareFourSessions) {
  const std::string path = config(4);
  const int before = connections();
  Daemon daemon(path);
  EXPECT_TRUE(daemon.until([&] { return all_done(kOrders); }));
  EXPECT_LE(connections() - before, kLookAtStart + 4) << "none was opened that was closed since";
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(ManyJobs, ShareOneSession) {
  const std::string path = config(1);
  const int before = connections();
  Daemon daemon(path);
  EXPECT_TRUE(daemon.until([&] { return all_done(kOrders); }));
  EXPECT_EQ(connections() - before, kLookAtStart + 1);
  EXPECT_EQ(daemon.stop(), 0);
}

// Nobody could look at the ledger, or send and read everything else, if it were.
TEST_F(ManyJobs, KeepNoSessionWhileARequestIsOnItsWay) {
  sandbox_.fault("after:hang:customer/add:1");
  Daemon daemon(config(1));
  const auto in_state = [&](const std::string& state) {
    return std::stoi(crm_.cell("SELECT count(*) FROM survey_push WHERE state = '" + state + "'"));
  };
  EXPECT_TRUE(daemon.until([&] {
    return sandbox_.customers().size() >= kOrders * (kPushes - 1) / kPushes &&
           in_state("sent") >= kOrders * (kPushes - 1) / kPushes;
  }));
  // Another job may be between two statements of its transaction at this moment.
  EXPECT_TRUE(daemon.until([&] {
    return crm_.cell("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in%'") == "0";
  }));
  EXPECT_GT(in_state("claimed"), 0) << "the request still hangs";
}

TEST_F(ManyJobs, ShareTheirSessionsInSync) {
  const std::string path = config(2);
  const auto ran = bridge({"sync", "-c", path});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(all_done(kOrders));
}

TEST_F(ManyJobs, HaveTheirSessionsReplacedWhenTheyAreLost) {
  Daemon daemon(config(4));
  ASSERT_TRUE(daemon.until([&] { return all_done(kOrders); }));
  crm_.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type ="
      " 'client backend' AND pid <> pg_backend_pid()");
  crm_.insert(orders(50, kOrders + 1));
  EXPECT_TRUE(daemon.until([&] { return all_done(kOrders + 50); }));
  EXPECT_LE(std::stoi(sessions()), 4);
  EXPECT_EQ(daemon.stop(), 0);
}

// The test has a session, too.
class ManyJobsOfASmallServer : public ManyJobs {
 protected:
  ManyJobsOfASmallServer()
      : ManyJobs({"max_connections=4", "superuser_reserved_connections=0", "max_wal_senders=0"}) {}
};

TEST_F(ManyJobsOfASmallServer, WorkWithTheSessionsThatThereAre) {
  Daemon daemon(config(8));
  EXPECT_TRUE(daemon.until([&] { return all_done(kOrders); }));
  EXPECT_EQ(daemon.stop(), 0);
}

// By ODBC, where a session is told other things when it begins.
class ManyJobsByOdbc : public testing::TestWithParam<Server> {
 protected:
  ManyJobsByOdbc() { crm_.insert(orders(kOrders)); }
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
  ASSERT_TRUE(daemon.until([&] { return all_done(kOrders); }));
  EXPECT_LE(sessions().size(), 4u);
  end_sessions();
  crm_.insert(orders(50, kOrders + 1));
  EXPECT_TRUE(daemon.until([&] { return all_done(kOrders + 50); }));
  EXPECT_LE(sessions().size(), 4u);
  EXPECT_EQ(daemon.stop(), 0);
}

}  // namespace
}  // namespace program
