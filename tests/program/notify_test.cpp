// A running daemon goes on without waiting for its next poll: `surveybridge now`, and `notify`, by
// which PostgreSQL tells it that rows were committed.
#include <chrono>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Now : public BridgeAndSqlite {
 protected:
  // With a wait that no test sees the end of.
  Now() {
    write(replaced(usual_, "brake = false\nevery     = \"1s\"", "brake = false\nevery = \"12h\""));
  }
  // So many transactions are sent before a minute is over.
  bool sent(int wanted) {
    const std::string sql = "SELECT count(*) FROM survey_push WHERE state = 'sent'";
    for (const auto end = std::chrono::steady_clock::now() + 60s;
         std::chrono::steady_clock::now() < end;)
      if (crm_.cell(sql) == std::to_string(wanted)) return true;
    return false;
  }
};

TEST_F(Now, EndsTheWaitOfAJobAsADecisionOfAnOperatorDoes) {
  crm_.insert(orders(3));
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  crm_.insert(orders(1, 4));
  const auto now = bridge({"now", "orders", "-c", config_});
  EXPECT_EQ(now.status, 0) << now.err;
  const auto told = nlohmann::json::parse(bridge({"now", "orders", "--json", "-c", config_}).out);
  EXPECT_EQ(now.out, told.at("jobs").dump() + " jobs go on now\n");
  EXPECT_TRUE(told.at("waits_until").is_null());
  EXPECT_TRUE(sent(4));
  crm_.insert(orders(1, 5));
  EXPECT_EQ(bridge({"now", "-c", config_}).status, 0);
  EXPECT_TRUE(sent(5));
  const auto unknown = bridge({"now", "oders", "-c", config_});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.err, HasSubstr("there is no job \"oders\" (did you mean \"orders\"?)"));
  // Rows that an operator has made pending again do not wait for the next poll either.
  crm_.insert(orders(1, 6));
  crm_.execute(
      "UPDATE orders SET email = NULL, delivered_at = strftime('%Y-%m-%dT%H:%M:%f000Z', 'now',"
      " '-1 hour') WHERE id = 6");
  EXPECT_EQ(bridge({"now", "orders", "-c", config_}).status, 0);
  EXPECT_TRUE(daemon.until([&] {
    return crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'quarantined'") == "1";
  }));
  crm_.execute("UPDATE orders SET email = 'ada@example.org' WHERE id = 6");
  const auto retried = bridge({"quarantine", "retry", "6", "-c", config_});
  EXPECT_EQ(retried.out, "6  retry\nthe daemon that runs here goes on with them now\n")
      << retried.err;
  EXPECT_TRUE(sent(6));
  EXPECT_EQ(daemon.stop(), 0);
  const auto none = bridge({"now", "-c", config_});
  EXPECT_EQ(none.status, 69);
  EXPECT_THAT(none.err, HasSubstr("no daemon runs here with"));
}

TEST_F(Now, ReadsAListBeforeItsEveryIsOver) {
  const std::string config =
      folder_.write("seldom.toml", replaced(usual_, "every   = \"1s\"\nfrom    = 2025-01-01\nby",
                                            "every = \"12h\"\nfrom = 2025-01-01\nby"));
  ASSERT_EQ(bridge({"sync", "pull", "-c", config}).status, 0);
  crm_.insert(orders(1));
  Daemon daemon(config);
  ASSERT_TRUE(sent(1));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_customer"), "0");
  EXPECT_EQ(bridge({"now", "pull.customers", "-c", config}).status, 0);
  EXPECT_TRUE(
      daemon.until([&] { return crm_.cell("SELECT count(*) FROM survey_customer") == "1"; }));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(Now, IsWhatAReleaseDoes) {
  crm_.insert(orders(3));
  const std::string config =
      folder_.write("braked.toml", replaced(replaced(usual_, "brake = false\n", ""),
                                            "every     = \"1s\"\nquery", "every = \"12h\"\nquery"));
  Daemon daemon(config);
  ASSERT_TRUE(daemon.says("the brake holds"));
  EXPECT_EQ(bridge({"release", "orders", "--confirm", "3", "-c", config}).status, 0);
  ASSERT_TRUE(daemon.says("told 1 job to go on now"));
  EXPECT_TRUE(sent(3));
  EXPECT_TRUE(daemon.says("push.orders: 3 sent"));
  const auto status = bridge({"status", "-c", config});
  EXPECT_EQ(status.status, 0);
  EXPECT_THAT(status.out, HasSubstr("daemon  runs here\n"));
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_THAT(bridge({"status", "-c", config}).out, HasSubstr("daemon  none runs here with "));
}

// What the service asks for holds, whoever is in a hurry.
TEST_F(Now, SaysHowLongTheServiceHasAskedToWait) {
  SandboxProgram limited({"--speed", "0", "--limit", "minute:1"});
  const std::string config =
      folder_.write("limited.toml", configuration(crm_.connection(), limited.url()));
  Daemon daemon(config);
  const auto says_so = [&] {
    const auto now = bridge({"now", "-c", config});
    const auto told =
        nlohmann::json::parse(bridge({"now", "--json", "-c", config}).out, nullptr, false);
    return told.is_object() && told.at("waits_until").is_string() &&
           now.out.find(
               "jobs go on now; the service has asked to wait, and no request leaves"
               " before " +
               told.at("waits_until").get<std::string>() + "\n") != std::string::npos;
  };
  EXPECT_TRUE(daemon.until(says_so));
  EXPECT_EQ(daemon.stop(), 0);
}

// With a wait between two polls that no test sees the end of.
std::string notified(const std::string& connection, const std::string& url) {
  return replaced(configuration(connection, url), "brake = false\nevery     = \"1s\"",
                  "brake = false\nevery = \"12h\"\nnotify = \"orders_changed\"");
}

// The statement of docs/GUIDE.md that begins with this text.
std::string of_the_guide(const std::string& opening) {
  const std::string page = support::read_file(support::source_dir() + "/docs/GUIDE.md");
  const auto begin = page.find(opening);
  if (begin == std::string::npos) throw std::invalid_argument("the guide has no " + opening);
  return page.substr(begin, page.find(";\n", begin) - begin);
}

const std::string kFunction = "CREATE FUNCTION orders_changed()";
const std::string kTrigger = "CREATE TRIGGER orders_changed";

class Notify : public BridgeAndPostgresql {
 protected:
  Notify() {
    crm_.execute("ALTER TABLE orders ADD COLUMN state TEXT");  // which the guide's table has
    crm_.execute(of_the_guide(kFunction));
    crm_.execute(of_the_guide(kTrigger));
    write(notified(crm_.connection(), sandbox_.url()));
  }
  // In the recent part of the window: older rows are found as the sweeps' budget allows.
  void insert(std::int64_t id) {
    auto recent = orders(1, id);
    const auto now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    recent[0].delivered_at =
        decltype(recent[0].delivered_at){now.time_since_epoch()} - std::chrono::hours{1};
    crm_.insert(recent);
  }
  std::string sent() { return crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"); }
};

TEST_F(Notify, EndsTheWaitForTheNextPollAndMissesNothingWhereItsSessionWasCut) {
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);  // makes the tables
  insert(1);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.until([&] { return sent() == "1"; }));
  for (int order = 2; order <= 10; ++order) {
    insert(order);
    ASSERT_TRUE(daemon.until([&] { return sent() == std::to_string(order); })) << order;
  }
  crm_.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
      " WHERE query LIKE 'LISTEN%' AND datname = current_database()");
  insert(11);
  ASSERT_TRUE(daemon.says("notify: rows are found by polling alone: "));
  ASSERT_TRUE(daemon.says("notify: works again"));
  ASSERT_TRUE(daemon.until([&] { return sent() == "11"; }));
  EXPECT_EQ(daemon.stop(), 0);
}

// The guide's trigger with another function, which leaves a trace.
TEST_F(Notify, IsNotCausedByTheWriteBacksOfTheBridge) {
  crm_.execute("CREATE TABLE notified (state TEXT)");
  crm_.execute(
      "CREATE FUNCTION trace() RETURNS trigger LANGUAGE plpgsql AS"
      " $$BEGIN INSERT INTO notified VALUES ('x'); RETURN NULL; END$$");
  crm_.execute(replaced(replaced(of_the_guide(kTrigger), "orders_changed()", "trace()"),
                        "TRIGGER orders_changed", "TRIGGER trace"));
  const auto notified = [&] { return crm_.cell("SELECT count(*) FROM notified"); };
  crm_.insert(orders(1));
  EXPECT_EQ(notified(), "1");
  ASSERT_EQ(bridge({"sync", "-c", config_}).status, 0);
  ASSERT_EQ(crm_.cell("SELECT count(*) FROM orders WHERE survey_status IS NOT NULL"), "1");
  EXPECT_EQ(notified(), "1");
  crm_.execute("UPDATE orders SET state = 'delivered'");
  EXPECT_EQ(notified(), "2");
}

TEST_F(Notify, IsRefusedWhereTheDatabaseCannotNotify) {
  Crm other(Server::sqlite);
  const std::string config =
      folder_.write("sqlite.toml", notified(other.connection(), sandbox_.url()));
  for (const char* command : {"run", "check"}) {
    const auto ran = bridge({command, "-c", config});
    EXPECT_EQ(ran.status, 78) << command;
    EXPECT_THAT(ran.err, HasSubstr("push.orders.notify: only a database that is reached "
                                   "by postgresql:// can notify"));
  }
}

}  // namespace
}  // namespace program
