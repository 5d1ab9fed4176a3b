// The sessions of a daemon with many jobs, as the database counts them; a daemon with PgBouncer in
// transaction mode between itself and PostgreSQL; and a store where every transaction is
// SERIALIZABLE, as distributed databases that speak PostgreSQL have it.
#include <iostream>
#include <set>

#include <fmt/format.h>

#include "tests/program/world.hpp"
#include "tests/support/pooler.hpp"

namespace program {
namespace {

constexpr int kPushes = 5, kShared = 100, kFew = 50;

// Of the sandbox: each push has a column of its own for its key.
Arguments columns() {
  Arguments flags = {"--speed", "0"};
  for (int push = 0; push < kPushes; ++push)
    flags.insert(flags.end(), {"--column", fmt::format("{}:Number{}", push + 1, push)});
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
correlate = "Number{0}"
[push.part{0}.batch]
size = 10
ApproveAutomatically = true
BatchName = "part{0}"
[push.part{0}.customer]
Email = "email"
TransactionDate = "delivered_at"
[push.part{0}.customer.Data]
Number{0} = "id"
)",
                     push, kPushes);
}

// Five pushes and three lists.
struct ManyJobs : BridgeOn {
  template <typename Place>
  ManyJobs(Place&& server, int connections) : BridgeOn(server, columns()) {
    std::string text = replaced(usual_.substr(0, usual_.find("[push.orders]")), "[crm]\n",
                                "[crm]\nconnections = " + std::to_string(connections) + "\n");
    for (int push = 0; push < kPushes; ++push)
      text += push_section(push);
    write(text + without_writes(usual_.substr(usual_.find("[pull.customers]"))));
    crm_.insert(orders(kShared));
  }
  // Every order is sent and its customer read.
  bool all_done(int of) {
    return sandbox_.customers().size() >= static_cast<std::size_t>(of) &&
           crm_.count("survey_customer") == std::to_string(of);
  }
  void insert_more() { crm_.insert(orders(kFew, kShared + 1)); }
};

// To the CRM, since the server was started.
int connections_to(support::PostgresServer& server) {
  int count = 0;
  const std::string log = server.log(), word = "connection authorized: user=bridge database=crm";
  for (auto at = log.find(word); at != std::string::npos; at = log.find(word, at + 1))
    ++count;
  return count;
}

// Looks whether the tables may be used, and ends before the first job begins.
constexpr int kLookAtStart = 1;

// By ODBC a session is told other things when it begins.
struct SharedSessions : testing::TestWithParam<Server> {
  static std::vector<std::vector<std::string>> sessions(Crm& crm) {
    return crm.rows(speaks_mysql(GetParam())
                        ? "SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND"
                          " id <> CONNECTION_ID()"
                        : "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND"
                          " backend_type = 'client backend' AND pid <> pg_backend_pid()");
  }
};

TEST_P(SharedSessions, AreFourAndReplacedWhenTheyAreLost) {
  ManyJobs jobs(GetParam(), 4);
  Daemon daemon(jobs.config_);
  ASSERT_TRUE(daemon.until([&] { return jobs.all_done(kShared); }));
  EXPECT_LE(sessions(jobs.crm_).size(), 4u);
  for (const auto& session : sessions(jobs.crm_))
    jobs.crm_.execute(speaks_mysql(GetParam())
                          ? "KILL " + session.at(0)
                          : "SELECT pg_terminate_backend(" + session.at(0) + ")");
  jobs.insert_more();
  EXPECT_TRUE(daemon.until([&] { return jobs.all_done(kShared + kFew); }));
  EXPECT_LE(sessions(jobs.crm_).size(), 4u);
  EXPECT_EQ(daemon.stop(), 0);
}

INSTANTIATE_TEST_SUITE_P(Servers, SharedSessions,
                         testing::Values(Server::postgresql, Server::odbc, Server::mariadb),
                         server_name);

// Nobody could look at the ledger, or send and read everything else, if it were kept for a request.
TEST(OneSession, IsSharedAndKeptForNoRequest) {
  support::PostgresServer server({"log_connections=on", "log_disconnections=on"});
  ManyJobs jobs(server, 1);
  jobs.sandbox_.fault("after:hang:customer/add:1");
  const int before = connections_to(server);
  constexpr int kOthers = kShared * (kPushes - 1) / kPushes;
  Daemon daemon(jobs.config_);
  EXPECT_TRUE(daemon.until([&] {
    return jobs.sandbox_.customers().size() >= kOthers &&
           std::stoi(jobs.in_state("sent")) >= kOthers;
  }));
  // Another job may be between two statements of its transaction at this moment.
  EXPECT_TRUE(daemon.until(
      [&] { return jobs.crm_.count("pg_stat_activity WHERE state LIKE 'idle in%'") == "0"; }));
  EXPECT_NE(jobs.in_state("claimed"), "0") << "the request still hangs";
  EXPECT_EQ(connections_to(server) - before, kLookAtStart + 1)
      << "none was opened that was closed since";
}

// The test has a session, too.
TEST(SessionsOfASmallServer, AreThoseThatThereAre) {
  support::PostgresServer server(
      {"max_connections=4", "superuser_reserved_connections=0", "max_wal_senders=0"});
  ManyJobs jobs(server, 8);
  Daemon daemon(jobs.config_);
  EXPECT_TRUE(daemon.until([&] { return jobs.all_done(kShared); }));
  EXPECT_EQ(daemon.stop(), 0);
}

struct PooledProgram : BridgeAndPostgresql {
  PooledProgram() {
    const std::string& straight = crm_.connection();
    write(replaced(usual_, straight, pooler_.native(straight.substr(straight.rfind('=') + 1))));
    expect({"sync", "push"}, 0);  // makes the tables
  }
  bool sends(int count, Daemon& daemon) {
    return daemon.until([&] { return in_state("sent") == std::to_string(count); });
  }
  support::Pooler pooler_{support::PostgresServer::shared()};
};

TEST_F(PooledProgram, TwoDaemonsSendEachOrderOnceAndLookUpWhatAKilledOneHadSent) {
  {
    Daemon one(config_), two(config_);
    ASSERT_TRUE(one.says("started with"));
    ASSERT_TRUE(two.says("started with"));
    for (int first = 1; first <= 300; first += 100) {
      crm_.insert(orders(100, first));
      ASSERT_TRUE(sends(first + 99, one)) << first;
    }
    EXPECT_TRUE(one.until([&] { return crm_.count("survey_customer") == "300"; }));
    EXPECT_EQ(one.stop(), 0);
    EXPECT_EQ(two.stop(), 0);
  }
  expect({"sync"}, 0);
  EXPECT_EQ(crm_.count("survey_customer"), "300") << "more: an order was sent twice";
  // The pool hides that its session has ended; on one machine the kernel knows that the process
  // has.
  const auto adds = sandbox_.adds();
  sandbox_.fault("after:hang:customer/add");  // the service has stored them and never answers
  crm_.insert(orders(3, 301));
  Daemon killed(config_);
  ASSERT_TRUE(killed.until([&] { return sandbox_.adds() == adds + 1; }));
  EXPECT_EQ(in_state("claimed"), "3");
  killed.child().signal(SIGKILL);
  ASSERT_EQ(killed.child().wait(std::chrono::seconds{10}), 128 + SIGKILL);

  Daemon next(config_);
  EXPECT_TRUE(sends(303, next));
  EXPECT_EQ(crm_.count("survey_push_event WHERE state = 'in_doubt'"), "3");
  EXPECT_EQ(sandbox_.customers().size(), 303u) << "an order was sent twice";
  EXPECT_EQ(next.stop(), 0);
}

TEST_F(PooledProgram, RefusesNotifyAndPolls) {
  write(replaced(support::read_file(config_), "brake = false\n",
                 "brake = false\nnotify = \"orders_changed\"\n"));
  Daemon daemon(config_);
  EXPECT_TRUE(daemon.says("a pool such as PgBouncer is between: leave notify out"));
  crm_.insert(orders(1));
  EXPECT_TRUE(sends(1, daemon)) << "polling goes on";
  EXPECT_EQ(daemon.stop(), 0);
}

constexpr int kMost = 10'000, kSome = 1'000;

// More orders come until both daemons have sent some, and two of their transactions have met.
TEST(SerializableStore, IsSharedByTwoDaemons) {
  support::PostgresServer server;
  BridgeOn on(server);
  Crm& crm = on.crm_;
  int made = 0;
  const auto order = [&] {
    crm.execute(fmt::format(
        "INSERT INTO orders (id, email, first_name, last_name, phone, amount, delivered_at,"
        " priority) SELECT n, 'person' || n || '@example.test', 'Ann', 'Example', '1', 1,"
        " TIMESTAMP '2026-10-01' + n * INTERVAL '1 second', 1 FROM generate_series({}, {}) AS n",
        made + 1, made + kSome));
    made += kSome;
  };
  order();
  crm.execute("ALTER DATABASE " + crm.cell("SELECT current_database()") +
              " SET default_transaction_isolation = 'serializable'");
  const auto sent = [&] { return on.in_state("sent") == std::to_string(made); };
  const auto met = [&] {
    return crm.cell(
        "SELECT xact_rollback FROM pg_stat_database WHERE datname ="
        " current_database()");
  };
  {
    Daemon one(on.config_), two(on.config_);
    ASSERT_TRUE(
        one.until([&] { return crm.count("pg_tables WHERE tablename = 'survey_push'") == "1"; }));
    EXPECT_TRUE(one.until([&] {
      const bool both =
          crm.cell("SELECT count(DISTINCT owner) FROM survey_batch") == "2" && met() != "0";
      if (!both && made < kMost && sent()) order();
      return both;
    }));
    order();
    EXPECT_TRUE(one.until(sent));
    EXPECT_EQ(one.stop(), 0);
    EXPECT_EQ(two.stop(), 0);
  }
  EXPECT_TRUE(sent());
  const auto customers = on.sandbox_.customers();
  std::set<std::string> numbers;
  for (const auto& customer : customers)
    numbers.insert(customer.at("data").at("OrderNumber"));
  EXPECT_EQ(customers.size(), static_cast<std::size_t>(made)) << "none twice";
  EXPECT_EQ(numbers.size(), customers.size()) << "none forgotten";
  EXPECT_NE(met(), "0") << "or nothing has met";
  std::cout << met() << " transactions were rolled back and done again\n";
}

}  // namespace
}  // namespace program
