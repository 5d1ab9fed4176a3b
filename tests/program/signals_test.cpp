// A running daemon that is told something. SIGHUP, by which it reads its configuration anew between
// two steps; a stop while the database or the service does not answer; `surveybridge now`, and
// `notify`, by which PostgreSQL tells it that rows were committed. And a service that asks for a
// client certificate: TLS stands in front of the stand-in.
#include <chrono>
#include <filesystem>

#include "daemon/runtime/exit_code.hpp"
#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/tls_front.hpp"
#include "tests/support/tls_server.hpp"

namespace program {
namespace {

using namespace std::chrono_literals;
using testing::SizeIs;

constexpr const char* kSent = "SELECT count(*) FROM survey_push WHERE state = 'sent'";
constexpr const char* kInForce = "the old configuration stays in force: the new one has ";
constexpr const char* kAnew = "the configuration was read anew";
// A wait between two polls that no test sees the end of.
const std::string kPolls = "brake = false\nevery     = \"1s\"",
                  kSeldom = "brake = false\nevery = \"12h\"";

TEST(Reload, TakesTheNewQueryAndLosesNothingThatIsOnItsWay) {
  BridgeOn on(Server::postgresql, {"--speed", "0", "--latency", "300ms"});
  const std::string text = replaced(on.usual_, "size                 = 100", "size = 2");
  on.crm_.insert(orders(40));
  on.write(replaced(text, "SELECT * FROM orders", "SELECT * FROM orders WHERE id <= 38"));
  on.make_tables();
  Daemon daemon(on.config_);
  for (int times = 1; times <= 3; ++times) {
    ASSERT_TRUE(
        on.comes("SELECT CAST(count(*) > 0 AS integer) FROM survey_push WHERE state ="
                 " 'claimed'",
                 "1", daemon));
    daemon.reload();
    ASSERT_TRUE(on.comes("SELECT count(*) FROM survey_push WHERE state = 'in_doubt'", "0", daemon));
  }
  EXPECT_TRUE(on.comes(kSent, "38", daemon));
  on.write(text);
  daemon.reload();
  ASSERT_TRUE(daemon.says(kAnew));
  EXPECT_TRUE(on.comes(kSent, "40", daemon));
  EXPECT_EQ(on.crm_.count("survey_push_event WHERE state = 'in_doubt'"), "0");
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_THAT(on.sandbox_.customers(), SizeIs(40));
}

// Settings, secrets and field maps are looked at; page and metrics tell it, and a right file ends
// it. The page moves to the port that a right file names.
struct Reloads : BridgeAndSqlite {
  double metric(const std::string& name) const {
    return value_of(samples_in(body_of(port_, "/metrics")), name);
  }
  bool page_tells() const {
    return body_of(port_, "/").find("The last reload refused the configuration file") !=
           std::string::npos;
  }
  const int port_ = support::free_port();
};

TEST_F(Reloads, LeavesTheOldFileInForceAndSaysEveryProblemOfAWrongOne) {
  const std::string good = with_page(usual_, port_);
  const std::string successful = "surveybridge_config_last_reload_successful";
  const std::string time = "surveybridge_config_last_reload_success_timestamp_seconds";
  crm_.insert(orders(3));
  write(good);
  make_tables();
  Daemon daemon(config_);
  ASSERT_TRUE(comes(kSent, "3", daemon));
  ASSERT_TRUE(daemon.until([&] { return metric(successful) == 1; }));
  EXPECT_FALSE(page_tells());
  const double began = metric(time);
  EXPECT_GT(began, 0);

  write(replaced(replaced(good, "kind  = ", "kynd  = "), "look_back = \"3650d\"\ncorr",
                 "look_back = 5\ncorr"));
  daemon.reload();
  ASSERT_TRUE(daemon.says(std::string(kInForce) + "2 problems")) << daemon.child().err();
  EXPECT_TRUE(daemon.says("service.auth.kynd"));
  EXPECT_TRUE(daemon.says("push.orders.look_back"));
  EXPECT_TRUE(daemon.until([&] { return page_tells() && metric(successful) == 0; }));
  EXPECT_EQ(metric(time), began);
  crm_.insert(orders(1, 4));
  EXPECT_TRUE(comes(kSent, "4", daemon)) << "the daemon ended";

  write(replaced(replaced(good, "BRIDGE_TOKEN", "BRIDGE_NO_TOKEN"),
                 "Email           =", "Emial           ="));
  daemon.reload();
  ASSERT_TRUE(daemon.says(std::string(kInForce) + "3 problems")) << daemon.child().err();
  EXPECT_TRUE(daemon.says("BRIDGE_NO_TOKEN"));
  EXPECT_TRUE(daemon.says("Emial"));

  write(good);
  daemon.reload();
  ASSERT_TRUE(daemon.says(kAnew));
  EXPECT_TRUE(daemon.until([&] { return !page_tells() && metric(successful) == 1; }));
  EXPECT_GE(metric(time), began);

  const int second = support::free_port();
  write(with_page(usual_, second));
  daemon.reload();
  ASSERT_TRUE(daemon.says("status page on port " + std::to_string(second)));
  EXPECT_THAT(answer_of(second, "/health"), has("200 OK"));
  EXPECT_EQ(answer_of(port_, "/health"), "");
  write(usual_);
  daemon.reload();
  EXPECT_EQ(daemon.stop(), 0);
}

// A daemon whose database does not answer: another session has locked its CRM.
struct Hanging : BridgeOn {
  Hanging() : BridgeOn(Server::postgresql) {
    crm_.insert(orders(3));
    EXPECT_EQ(command({"sync", "push"}).status, 0);
    beside_->begin();
    beside_->execute({"LOCK TABLE orders IN ACCESS EXCLUSIVE MODE", {}});
    daemon_ = std::make_unique<Daemon>(config_);
    EXPECT_TRUE(
        comes("SELECT CAST(count(*) > 0 AS integer) FROM pg_locks WHERE NOT granted AND"
              " database = (SELECT oid FROM pg_database WHERE datname = current_database())",
              "1", *daemon_));
  }
  std::unique_ptr<surveybridge::crm::Database> beside_ = crm_.open();
  std::unique_ptr<Daemon> daemon_;
};

// Both at the same time, since they wait for eight seconds.
TEST(Stop, WaitsForNoDatabaseThatDoesNotAnswerAndForNoStepBeforeAReload) {
  Hanging one, other;
  other.daemon_->reload();
  for (Hanging* each : {&one, &other})
    each->daemon_->child().signal(SIGTERM);
  for (Hanging* each : {&one, &other}) {
    EXPECT_EQ(each->daemon_->child().wait(10s), surveybridge::daemon::kUnreachable);
    EXPECT_TRUE(each->daemon_->says("the database does not answer"))
        << each->daemon_->child().err();
    each->beside_->rollback();
  }
  Daemon next(one.config_);
  one.crm_.insert(orders(1, 4));
  EXPECT_TRUE(one.comes(kSent, "4", next));
  EXPECT_EQ(next.stop(), 0);
  EXPECT_THAT(one.sandbox_.customers(), SizeIs(4));
}

// A service that takes every request and says nothing.
TEST(StopOfACommand, EndsItAndNotOnlyItsJob) {
  for (const int signal : {SIGINT, SIGTERM}) {
    BridgeOn on(Server::sqlite);
    on.crm_.insert(orders(2));
    for (const std::string command : {"sync", "verify"}) {
      const support::RawServer silent([](const auto&) {
        return support::RawServer::Said{"", support::RawServer::Said::Then::hang};
      });
      on.write(replaced(on.usual_, on.sandbox_.url(), silent.url()));
      if (command == "verify") on.make_tables();
      support::ChildProcess child(bridge_program({command, "-c", on.config_}));
      EXPECT_TRUE(silent.wait_for(1));
      child.signal(signal);
      EXPECT_EQ(child.wait(15s), 1);
      EXPECT_THAT(
          child.err(),
          has(command == "sync" ? "sync: stopped before everything was done; the next sync goes on "
                                  "from here\n"
                                : "verify: stopped before everything was compared; the next "
                                  "one begins anew\n"));
      if (command == "verify") continue;
      EXPECT_EQ(silent.heard().size(), 1u) << "nothing else was begun";
      EXPECT_THAT(child.out(), lacks("gave up"));
    }
  }
}

TEST(Now, EndsTheWaitOfAJobAsADecisionOfAnOperatorDoes) {
  BridgeOn on(Server::sqlite);
  on.write(replaced(replaced(on.usual_, kPolls, kSeldom),
                    "every   = \"1s\"\nfrom    = 2025-01-01\nby",
                    "every = \"12h\"\nfrom = 2025-01-01\nby"));
  on.crm_.insert(orders(3));
  on.expect({"sync"}, 0);
  Daemon daemon(on.config_);
  ASSERT_TRUE(daemon.says("started with"));
  on.crm_.insert(orders(1, 4));
  const auto now = on.expect({"now", "orders"}, 0);
  const auto told = on.told({"now", "orders"});
  EXPECT_EQ(now.out, told.at("jobs").dump() + " jobs go on now\n");
  EXPECT_TRUE(told.at("waits_until").is_null());
  EXPECT_TRUE(on.comes(kSent, "4", daemon));
  EXPECT_NE(on.crm_.count("survey_customer"), "4") << "its every is over in twelve hours";
  on.expect({"now", "pull.customers"}, 0);
  EXPECT_TRUE(on.comes("SELECT count(*) FROM survey_customer", "4", daemon));
  on.crm_.insert(orders(1, 5));
  on.expect({"now"}, 0);
  EXPECT_TRUE(on.comes(kSent, "5", daemon));
  on.expect({"now", "oders"}, 2, testing::_,
            has("there is no job \"oders\" (did you mean \"orders\"?)"));
  // Rows that an operator has made pending again do not wait for the next poll either.
  on.crm_.insert(orders(1, 6));
  on.crm_.execute(
      "UPDATE orders SET email = NULL, delivered_at = strftime('%Y-%m-%dT%H:%M:%f000Z', 'now',"
      " '-1 hour') WHERE id = 6");
  on.expect({"now", "orders"}, 0);
  EXPECT_TRUE(daemon.until([&] { return on.in_state("quarantined") == "1"; }));
  on.crm_.execute("UPDATE orders SET email = 'ada@example.org' WHERE id = 6");
  on.expect({"quarantine", "retry", "6"}, 0,
            "6  retry\nthe daemon that runs here goes on with them now, if their person may be"
            " mailed\n");
  EXPECT_TRUE(on.comes(kSent, "6", daemon));
  EXPECT_EQ(daemon.stop(), 0);
  on.expect({"now"}, 69, testing::_, has("no daemon runs here with"));
}

TEST(Now, IsWhatAReleaseDoes) {
  BridgeOn on(Server::sqlite);
  on.crm_.insert(orders(3));
  on.write(replaced(on.usual_, kPolls, "every = \"12h\""));
  Daemon daemon(on.config_);
  ASSERT_TRUE(daemon.says("the brake holds"));
  on.expect({"release", "orders", "--confirm", "3"}, 0);
  ASSERT_TRUE(daemon.says("told 1 job to go on now"));
  EXPECT_TRUE(on.comes(kSent, "3", daemon));
  EXPECT_TRUE(daemon.says("push.orders: 3 sent"));
  on.expect({"status"}, 0, has("daemon  runs here\n"));
  EXPECT_EQ(daemon.stop(), 0);
  EXPECT_THAT(on.command({"status"}).out, has("daemon  none runs here with "));
}

// What the service asks for holds, whoever is in a hurry.
TEST(Now, SaysHowLongTheServiceHasAskedToWait) {
  BridgeOn limited(Server::sqlite, {"--speed", "0", "--limit", "minute:1"});
  Daemon daemon(limited.config_);
  EXPECT_TRUE(daemon.until([&] {
    const auto now = limited.command({"now"});
    const auto told = nlohmann::json::parse(limited.command({"now", "--json"}).out, nullptr, false);
    return told.is_object() && told.at("waits_until").is_string() &&
           now.out.find(
               "jobs go on now; the service has asked to wait, and no request leaves"
               " before " +
               told.at("waits_until").get<std::string>() + "\n") != std::string::npos;
  }));
  EXPECT_EQ(daemon.stop(), 0);
}

// The statement of docs/GUIDE.md that begins with this text.
std::string of_the_guide(const std::string& opening) {
  const std::string page = support::read_file(support::source_dir() + "/docs/GUIDE.md");
  const auto begin = page.find(opening);
  if (begin == std::string::npos) throw std::invalid_argument("the guide has no " + opening);
  return page.substr(begin, page.find(";\n", begin) - begin);
}

const std::string kTrigger = "CREATE TRIGGER orders_changed";

struct Notify : BridgeAndPostgresql {
  Notify() {
    crm_.execute("ALTER TABLE orders ADD COLUMN state TEXT");  // which the guide's table has
    crm_.execute(of_the_guide("CREATE FUNCTION orders_changed()"));
    crm_.execute(of_the_guide(kTrigger));
    write(replaced(usual_, kPolls, kSeldom + "\nnotify = \"orders_changed\""));
  }
  // In the recent part of the window: older rows are found as the sweeps' budget allows.
  void insert(std::int64_t id) {
    auto recent = orders(1, id);
    const auto now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    recent[0].delivered_at = decltype(recent[0].delivered_at){now.time_since_epoch()} - 1h;
    crm_.insert(recent);
  }
};

TEST_F(Notify, EndsTheWaitForTheNextPollAndMissesNothingWhereItsSessionWasCut) {
  expect({"sync", "push"}, 0);  // makes the tables
  insert(1);
  Daemon daemon(config_);
  ASSERT_TRUE(comes(kSent, "1", daemon));
  for (int order = 2; order <= 5; ++order) {
    insert(order);
    ASSERT_TRUE(comes(kSent, std::to_string(order), daemon)) << order;
  }
  crm_.execute(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
      " WHERE query LIKE 'LISTEN%' AND datname = current_database()");
  insert(6);
  ASSERT_TRUE(daemon.says("notify: rows are found by polling alone: "));
  ASSERT_TRUE(daemon.says("notify: works again"));
  ASSERT_TRUE(comes(kSent, "6", daemon));
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
  crm_.insert(orders(1));
  EXPECT_EQ(crm_.count("notified"), "1");
  expect({"sync"}, 0);
  ASSERT_EQ(crm_.count("orders WHERE survey_status IS NOT NULL"), "1");
  EXPECT_EQ(crm_.count("notified"), "1");
  crm_.execute("UPDATE orders SET state = 'delivered'");
  EXPECT_EQ(crm_.count("notified"), "2");
}

struct WithClientCertificate : BridgeAndSqlite {
  WithClientCertificate() {
    crm_.insert(orders(3));
    write(replaced(replaced(usual_, sandbox_.url(), front_.url()), "[service.auth]",
                   "ca_file = \"" + server_ + ".pem\"\nclient_certificate = { file = \"" + used_ +
                       ".pem\" }\nclient_key = { file = \"" + used_ + ".key\" }\n[service.auth]"));
  }
  std::string made(const std::string& name, int days = 20) const {
    support::make_certificate(folder_.path() + "/" + name, days);
    return folder_.path() + "/" + name;
  }
  // What the configuration names becomes this pair, or only its key.
  void use(const std::string& pair, const Arguments& endings = {".pem", ".key"}) const {
    for (const auto& ending : endings)
      std::filesystem::copy_file(pair + ending, used_ + ending,
                                 std::filesystem::copy_options::overwrite_existing);
  }

  const std::string server_ = made("server"), own_ = made("own"), other_ = made("other"),
                    used_ = made("used");
  support::TlsFront front_{server_, own_ + ".pem", sandbox_.url()};
};

TEST_F(WithClientCertificate, AReloadTakesANewOneAndCheckSaysWhenItEnds) {
  use(other_);
  Daemon daemon(config_);
  ASSERT_TRUE(daemon.says("TLS was refused: ")) << daemon.child().err();
  use(own_);
  daemon.reload();
  EXPECT_TRUE(daemon.until([&] { return sandbox_.customers().size() == 3; }));
  EXPECT_EQ(daemon.stop(), 0);
  for (const Arguments& words : {Arguments{"check"}, {"check", "--offline"}})
    expect(
        words, 0, testing::_,
        has("note: service.client_certificate: file \"" + used_ + ".pem\" ends in 19 days, on "));
  use(made("ended", -1));
  expect({"check"}, 78, testing::_,
         has("service.client_certificate: file \"" + used_ + ".pem\" ended on "));
  use(own_);
  use(other_, {".key"});
  const std::string why = "service.client_key: file \"" + used_ +
                          ".key\" is not the key of the certificate in file \"" + used_ + ".pem\"";
  for (const Arguments& words :
       {Arguments{"sync"}, {"check"}, {"check", "--offline"}, {"verify"}, {"preview"}})
    expect(words, 78, testing::_, has(why));
  EXPECT_THAT(command({"status"}).err, lacks(why)) << "it asks the database only";
}

}  // namespace
}  // namespace program
