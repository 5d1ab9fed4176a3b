// Decisions about single transactions that transcripts/ cannot say: who made them, what a person's
// address finds, many at once, and what comes in between; previews of many rows; `forget` with its
// address from standard input, and where something hinders it.
#include <algorithm>
#include <set>
#include <sstream>

#include "connectors/service/curl_transport.hpp"
#include "mapping/values/person.hpp"
#include "tests/program/world.hpp"
#include "tests/support/raw_server.hpp"
#include "tests/support/terminal.hpp"

namespace program {
namespace {

using testing::ContainsRegex;
using testing::SizeIs;
using testing::StartsWith;

std::ptrdiff_t lines_in(const std::string& text) {
  return std::ranges::count(text, '\n');
}

struct Rows : BridgeAndSqlite {
  void add(const Arguments& keys, const std::string& state) {
    for (const auto& key : keys)
      add_row(key, state);
  }
  void set(const std::string& what) { crm_.execute("UPDATE survey_push SET " + what); }
  std::string person_of(const std::string& address) {
    return surveybridge::mapping::person_of(
        crm_.cell("SELECT value FROM survey_seal WHERE name = 'person'"), address);
  }
};

TEST_F(Rows, ATransactionIsFoundByAddressAndByTheCustomersId) {
  make_tables();
  add({"901", "902", "903"}, "sent");
  set("person = '" + person_of("ann@example.test") + "' WHERE key <> '903'");
  set("customer_id = 4711 WHERE key = '903'");
  expect({"explain", " Ann@Example.test"}, 0,
         AllOf(has("push.orders: transaction 901: sent", "push.orders: transaction 902: sent"),
               lacks("903")));
  expect({"explain", "4711"}, 0, StartsWith("push.orders: transaction 903: sent"));
  set("customer_id = NULL");
  crm_.execute(
      "INSERT INTO survey_customer (id, digest, changed_at) VALUES (4712, 'x', '2026-11-01 "
      "00:00:00')");
  crm_.execute(
      "INSERT INTO survey_customer_data (customer_id, position, name, value) VALUES (4712, 0,"
      " 'OrderNumber', '902')");
  expect({"explain", "4712"}, 0, StartsWith("push.orders: transaction 902: sent"));
  expect({"explain", "bob@example.test"}, 1, testing::_, lacks("bob"));
}

// By whom: the user of the process, whoever called sudo, and the terminal.
TEST_F(Rows, EachDecisionSaysWhoMadeIt) {
  make_tables();
  add({"1", "2"}, "quarantined");
  add({"3", "4", "5"}, "held");
  const auto decides = [&](const Arguments& words) {
    const auto ran = run(bridge_program(with_file(words, config_), {"SUDO_USER=ann\nx"}));
    EXPECT_EQ(ran.status, 0) << ran.err;
    return command({"explain", words.back()}).out;
  };
  const std::string user = support::run({{"id", "-un"}, {}}).out;
  const std::string who = "decided by " + user.substr(0, user.find('\n')) + " (sudo by ann\\x0ax";
  EXPECT_THAT(decides({"quarantine", "retry", "1"}), has("pending: retry " + who));
  EXPECT_THAT(decides({"quarantine", "drop", "2"}), has("suppressed: dropped for good, " + who));
  EXPECT_THAT(decides({"doubt", "sent", "3"}), has("sent: it had arrived, " + who));
  EXPECT_THAT(decides({"doubt", "resend", "--force", "4"}), has("pending: goes out again, " + who));
  support::Terminal terminal(bridge_program({"doubt", "sent", "-c", config_, "5"}));
  EXPECT_EQ(terminal.wait(), 0) << terminal.shown();
  expect({"explain", "5"}, 0, ContainsRegex("decided by .* on pts/[0-9]+"));

  add({"6", "7 ann@example.test"}, "sent");
  set("person = '" + person_of("ann@example.test") + "' WHERE key = '6' OR key LIKE '7 %'");
  decides({"forget", "ann@example.test"});
  const auto erased = crm_.cell("SELECT key FROM survey_push WHERE key LIKE '(erased) %'");
  expect({"explain", erased}, 0, has("the person is forgotten"));
  expect({"explain", "6"}, 0,
         AllOf(StartsWith("push.orders: transaction 6: sent\n"),
               has("sent: the person is forgotten, " + who)));
}

TEST_F(Rows, ThatAreReleasedSayWhoLetThemGo) {
  crm_.insert(orders(1));
  write(replaced(usual_, "brake = false", ""));
  const Arguments release = with_file({"release", "orders", "--confirm", "1"}, config_);
  EXPECT_EQ(run(bridge_program(release, {"SUDO_USER=ann"})).status, 0);
  EXPECT_THAT(crm_.cell("SELECT decided_by FROM survey_release"), has("(sudo by ann"));
}

TEST_F(Rows, AreListedByTheThousand) {
  make_tables();
  crm_.execute(
      "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at, test)"
      " WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1200)"
      " SELECT 'orders', CAST(n AS TEXT), 'quarantined', 1, '2026-11-01 00:00:00',"
      " '2026-11-01 00:00:00', 0 FROM c");
  const auto first = expect({"quarantine", "list"}, 1, testing::_, has("--page 2"));
  EXPECT_EQ(lines_in(first.out), 1000);
  EXPECT_EQ(lines_in(command({"quarantine", "list", "--page", "2"}).out), 200);
  expect({"quarantine", "retry", "--all"}, 0, StartsWith("orders  1200 rows  retry\n"));
}

// What the service at this address answers to a request that was heard elsewhere.
std::string forwarded(const std::string& url, const support::RawServer::Heard& heard) {
  namespace service = surveybridge::service;
  constexpr std::size_t kGet = 4;
  const std::string path = heard.head.substr(kGet, heard.head.find(' ', kGet) - kGet);
  service::CurlTransport transport({}, nullptr);
  const service::Exchange exchange = transport.send(
      {"GET", url + path, {{"Authorization", std::string("Bearer ") + kToken}}, {}, false, {}});
  const auto* response = std::get_if<service::Response>(&exchange);
  if (response != nullptr && response->status == 200) return support::ok(response->body);
  return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
}

// It was still in doubt when the command looked which rows it has to ask for.
TEST_F(Rows, StayHeldThatComeToBeHeldWhileTheServiceIsAsked) {
  crm_.insert(orders(4));
  expect({"sync", "push"}, 0);
  add({"9"}, "held");  // these have never arrived
  add({"8"}, "in_doubt");
  const auto beside = crm_.open();
  const support::RawServer between([&](const support::RawServer::Heard& heard) {
    beside->execute({"UPDATE survey_push SET state = 'held' WHERE key = '8'", {}});
    return support::RawServer::Said{forwarded(sandbox_.url(), heard)};
  });
  write(replaced(usual_, sandbox_.url(), between.url()));
  expect({"doubt", "resend", "8", "9"}, 1, testing::_,
         has("8: came to be held just now: type it again"));
  EXPECT_FALSE(between.heard().empty());
  EXPECT_EQ(crm_.cell("SELECT state FROM survey_push WHERE key = '8'"), "held");
}

// The list takes longer than settle: a row that goes out meanwhile is in no page that was read.
TEST_F(Rows, AreYoungToVerifyThatWereSentWhileItReadTheList) {
  const SandboxProgram slow({"--speed", "0", "--latency", "2s"});
  write(replaced(replaced(usual_, sandbox_.url(), slow.url()), "settle    = \"5s\"",
                 "settle    = \"3s\""));
  make_tables();
  auto& database = crm_.database();
  const auto now = database.now();
  database.execute(
      {"INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at)"
       " VALUES ('orders', '900', 'sent', 1, :p1, :p2)",
       {now, now}});
  expect({"verify"}, 0, has("1 too young to be listed"));
}

// The keys of the lines that end with this.
std::multiset<std::string> keys(const std::string& out, const std::string& end) {
  std::multiset<std::string> found;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(" " + end)) found.insert(line.substr(2, line.find(' ', 2) - 2));
  return found;
}

// More than are read at once.
TEST_F(Rows, OfAFirstRunAreAllInThePreview) {
  constexpr int kFirstRun = 1'203;
  crm_.insert(orders(kFirstRun));
  const auto whole = expect({"preview", "-n", "1000000"}, 0,
                            has("push.orders: 100 customers in the next batch\n"));
  const auto go = keys(whole.out, "goes out"), later = keys(whole.out, "in a later batch");
  std::set<std::string> all(go.begin(), go.end());
  all.insert(later.begin(), later.end());
  EXPECT_EQ(go.size() + later.size(), static_cast<std::size_t>(kFirstRun));
  EXPECT_EQ(all.size(), static_cast<std::size_t>(kFirstRun));
  EXPECT_EQ(go.size(), 100u) << "a batch";
  const auto some = expect({"preview", "-n", "7"}, 0, has("POST /external/api/v3/customer/add\n"));
  EXPECT_EQ(keys(some.out, "goes out").size(), 7u);
}

// By MariaDB's usual collations a blank at the end is nothing, and "X" is "x".
TEST(Explain, FindsARowThatWaitsByTheAddressOfThePersonAndTheCustomerOfThisKeyOnly) {
  BridgeOn on(Server::mariadb);
  auto rows = orders(3);
  rows[1].email = " ANN@Example.test";
  on.crm_.insert(rows);
  on.expect({"sync", "pull"}, 0);  // makes the tables
  on.expect({"explain", "ann@example.test"}, 0,
            StartsWith("push.orders: transaction " + std::to_string(rows[1].id) +
                       ": not in the ledger: the query returns it, and it waits to be sent"));
  on.expect({"explain", "bob@example.test"}, 1, testing::_,
            AllOf(has("and no query returns one that waits to be sent"), lacks("bob")));
  on.expect({"sync", "push"}, 0);
  on.expect({"sync", "pull"}, 0);
  on.crm_.execute("UPDATE survey_push SET customer_id = NULL");
  on.expect({"explain", "1"}, 0, has("at the service\n"));
  on.crm_.execute("UPDATE survey_customer_data SET value = '1 ' WHERE value = '1'");
  on.expect({"explain", "1"}, 0, lacks("at the service\n"));
}

// The program's arguments are in the list of processes, and in the shell's history.
TEST_F(Rows, AreExplainedAndForgottenByAnAddressFromStandardInput) {
  const auto rows = orders(2);
  crm_.insert(rows);
  expect({"sync", "push"}, 0);
  const auto told = [&](const std::string& input, const std::string& words,
                        const std::string& command = "forget") {
    const auto program = bridge_program({});
    return support::run({{"sh", "-c",
                          "printf '" + input + "' | exec '" + program.argv.at(0) + "' " + command +
                              " " + words + " -c '" + config_ + "'"},
                         program.environment});
  };
  EXPECT_THAT(told(rows[0].email + "\\n", "-", "explain").out, has(": sent"));
  const auto done = told(" " + rows[0].email + " \\r\\n", "-");
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_THAT(done.out, has("1 transaction of the ledger kept"));
  EXPECT_EQ(told(rows[1].email, "--stdin").status, 0);
  EXPECT_EQ(crm_.count("survey_person WHERE kind = 'forgotten'"), "2");
  EXPECT_EQ(told(rows[1].email, "--stdin --unknown").status, 0);

  EXPECT_EQ(told("", "-").status, 2);
  EXPECT_THAT(told("a@example.test\\nb@example.test", "-").err, has("several lines"));
  EXPECT_EQ(told(std::string(2000, 'a'), "-").status, 2);
  EXPECT_EQ(told(rows[1].email, "").status, 2) << "it must be asked to read";
  EXPECT_EQ(told(rows[1].email, "--stdin " + rows[1].email).status, 2);
}

// Whoever cannot be erased yet is marked all the same, and mailed no more.
struct HinderedForget : BridgeAndPostgresql {
  HinderedForget() {
    write(replaced(replaced(usual_, "table = \"orders\"\n", "table = \"orders\"\nforget = true\n"),
                   "[crm]\n", "[crm]\nstatement_timeout = \"5s\"\n"));
    crm_.insert(orders(3));
    for (int i = 0; i < 2; ++i)
      expect({"sync"}, 0);
  }
  void trigger(const std::string& on, const std::string& does) {
    crm_.execute("CREATE FUNCTION hinders() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + does +
                 " END $$");
    crm_.execute("CREATE TRIGGER hinders BEFORE " + on +
                 " FOR EACH ROW EXECUTE FUNCTION hinders()");
  }
  void end_trigger() { crm_.execute("DROP FUNCTION hinders CASCADE"); }
  void expect_kept(const std::string& address, int status, const std::string& why) {
    expect({"forget", address}, status, testing::_, has("nothing is erased yet: ", why));
  }
  // Though there is another order.
  void expect_unmailed(const std::string& address) {
    auto another = orders(1, next_++)[0];
    another.email = address;
    crm_.insert({another});
    expect({"sync", "push"}, 0);
    EXPECT_THAT(sandbox_.customers(), SizeIs(3)) << "mailed though it asked to be forgotten";
  }
  void expect_erased(const std::string& address, const std::string& left) {
    expect({"forget", address}, 0);
    EXPECT_EQ(crm_.count("survey_customer"), left);
  }
  std::int64_t next_ = 4;
};

const std::string kMarked = "from now on no push mails this person",
                  kStranger = "stranger@" + std::string(kDomain);

TEST_F(HinderedForget, KeepsWhomItCannotEraseYetFromBeingMailed) {
  const auto people = orders(3);
  // A trigger of the CRM keeps what was written back.
  trigger("UPDATE ON orders", "NEW.survey_status := OLD.survey_status; RETURN NEW;");
  expect_kept(people[0].email, 1, "the table \"orders\": cannot be emptied");
  expect_unmailed(people[0].email);
  expect({"sync", "pull"}, 0);
  EXPECT_EQ(crm_.count("survey_customer"), "3")
      << "erased though what it wrote back cannot be emptied";
  end_trigger();
  expect_erased(people[0].email, "2");
  EXPECT_EQ(crm_.count("orders WHERE survey_status IS NOT NULL"), "2");
  // The database refuses a statement in the bridge's own tables.
  trigger("DELETE ON survey_customer", "RAISE EXCEPTION 'it stays';");
  expect_kept(people[1].email, 1, kMarked);
  EXPECT_EQ(crm_.count("survey_customer"), "2");
  expect_unmailed(people[1].email);
  end_trigger();
  expect_erased(people[1].email, "1");
  // Another session has locked a table, or it is so large that a statement takes too long: the
  // bridge has no time to look for whoever it does not know.
  const auto beside = crm_.open();
  beside->begin();
  beside->execute({"LOCK TABLE survey_bouncer IN ACCESS EXCLUSIVE MODE", {}});
  expect_kept(kStranger, 69, kMarked);
  beside->rollback();
  expect_unmailed(kStranger);
  expect_erased(kStranger, "1");
}

// Another place has the bridge's tables, and the CRM's columns are to be emptied: it is away, or a
// daemon writes into it.
TEST(ForgetApart, MarksWhomTheBridgeKnowsWhileTheCrmIsAwayOrADaemonGoesOnWriting) {
  support::PostgresServer server;
  BridgeOn on(server);
  const std::string store = "sqlite3://" + on.folder_.path() + "/store.db";
  on.write(replaced(on.usual_, "table = \"orders\"\n", "table = \"orders\"\nforget = true\n") +
           store_in(store));
  on.crm_.insert(orders(2));
  on.expect({"sync", "push"}, 0);
  const auto tables = surveybridge::crm::open_database(store);
  const auto forgotten = [&] {
    return plain(tables->query({"SELECT count(*) FROM survey_person WHERE kind = 'forgotten'", {}})
                     .rows.at(0)
                     .at(0));
  };
  tables->execute(
      {"INSERT OR REPLACE INTO survey_lease (name, owner, fence, expires_at) VALUES"
       " ('write.customers', 'a daemon', 7,"
       " strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', '+30 minutes'))",
       {}});
  support::ChildProcess waits(
      bridge_program(with_file({"forget", orders(1)[0].email}, on.config_)));
  ASSERT_TRUE(waits.wait_for("still waits for the database", std::chrono::minutes{1}));
  waits.signal(SIGTERM);
  EXPECT_EQ(waits.wait(std::chrono::seconds{30}), 69);
  EXPECT_THAT(waits.err(), has("nothing is erased yet: the daemon writes into the CRM"));
  EXPECT_EQ(forgotten(), "1");
  tables->execute({"DELETE FROM survey_lease WHERE name = 'write.customers'", {}});
  server.stop();
  on.expect({"forget", "stranger@example.test"}, 69);
  EXPECT_EQ(forgotten(), "1") << "it may be a typing error";
  on.expect({"forget", orders(2)[1].email}, 69, testing::_, has("nothing is erased yet: "));
  EXPECT_EQ(forgotten(), "2");
  server.start();
  on.crm_.reconnect();
}

}  // namespace
}  // namespace program
