// `notify`: PostgreSQL tells the daemon that rows were committed; nobody waits for the next poll.
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

using testing::HasSubstr;

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

class Notify : public testing::Test {
 protected:
  Notify() {
    crm_.execute("ALTER TABLE orders ADD COLUMN state TEXT");  // which the guide's table has
    crm_.execute(of_the_guide(kFunction));
    crm_.execute(of_the_guide(kTrigger));
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

  Crm crm_{Server::postgresql};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string config_ = folder_.write("bridge.toml", notified(crm_.connection(), sandbox_.url()));
};

TEST_F(Notify, EndsTheWaitForTheNextPoll) {
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);  // makes the tables
  insert(1);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.until([&] { return sent() == "1"; }));
  for (int order = 2; order <= 10; ++order) {
    insert(order);
    ASSERT_TRUE(daemon.until([&] { return sent() == std::to_string(order); })) << order;
  }
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

TEST_F(Notify, MissesNothingWhereItsSessionWasCut) {
  ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("started with"));
  insert(1);
  ASSERT_TRUE(daemon.until([&] { return sent() == "1"; }));
  crm_.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
      " WHERE query LIKE 'LISTEN%' AND datname = current_database()");
  insert(2);
  ASSERT_TRUE(daemon.says("notify: rows are found by polling alone: "));
  ASSERT_TRUE(daemon.says("notify: works again"));
  ASSERT_TRUE(daemon.until([&] { return sent() == "2"; }));
  EXPECT_EQ(daemon.stop(), 0);
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
