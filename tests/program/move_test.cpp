// `move`: a ledger with rows in every state goes from one place to another, of any kind, also where
// the command is killed and typed again. Nobody is invited twice, nobody is forgotten, and nothing
// is sent from the old place again.
#include <map>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/terminal.hpp"

namespace program {
namespace {

using testing::HasSubstr;

constexpr int kMoved = 1000;

struct Move {
  const char* name;
  Server crm, store;
};

const char* key_in(Server server) {
  return speaks_mysql(server) ? "`key`" : "key";
}

std::ostream& operator<<(std::ostream& out, const Move& each) {
  return out << each.name;
}

class Moves : public testing::TestWithParam<Move> {
 protected:
  Moves() {
    crm_.insert(orders(kMoved));
    // Three answers are lost: of two batches that were stored, and of one that was not.
    sandbox_.fault("after:reset:customer/add:2");
    sandbox_.fault("before:reset:customer/add:1");
  }
  // One sentence and one exit status, whatever is typed; a daemon ends and is not started again.
  static void expect_refused(const std::string& config) {
    for (const Arguments& words : {Arguments{"sync", "push"},
                                   {"run"},
                                   {"status"},
                                   {"verify"},
                                   {"check"},
                                   {"report"},
                                   {"release", "orders"},
                                   {"forget", "nobody@example.test"},
                                   {"explain", "1"},
                                   {"quarantine", "list"},
                                   {"doubt", "list"},
                                   {"write-back", "customers"},
                                   {"backfill", "customers", "--from", "2026-01-01"},
                                   {"preview", "orders"}}) {
      const auto old = command(words, config);
      EXPECT_EQ(old.status, 78) << words.front();
      EXPECT_THAT(old.err, HasSubstr("database: the bridge's tables were moved from here to another"
                                     " place at "))
          << words.front();
      EXPECT_THAT(old.err,
                  HasSubstr("after.toml): use the configuration that names that place now"))
          << words.front();
    }
  }
  std::string configured(const std::string& more) const {
    return replaced(configuration(crm_.connection(), sandbox_.url()), "settle    = \"5s\"",
                    "settle    = \"1h\"") +
           more;
  }
  std::map<std::string, std::int64_t> states(Crm& at, const char* table = "survey_push") {
    std::map<std::string, std::int64_t> all;
    for (const auto& row :
         at.rows(std::string("SELECT state, count(*) FROM ") + table + " GROUP BY state"))
      all[row.at(0)] = std::stoll(row.at(1));
    return all;
  }

  Crm crm_{GetParam().crm};
  Crm store_{GetParam().store};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string before_ = folder_.write("before.toml", configured(""));
  std::string after_ = folder_.write(
      "after.toml", configured("[store]\nconnection = \"" + store_.connection() + "\"\n"));
};

TEST_P(Moves, KeepEveryRowAndSendNoneASecondTime) {
  command({"sync", "push"}, before_);
  command({"sync", "pull"}, before_);  // makes the views of the reports, too
  const char* key = key_in(GetParam().crm);
  // As if the list had not shown the customers of lost answers yet, which ends their doubts.
  crm_.execute(
      "UPDATE survey_push SET state = 'in_doubt', doubt_since = changed_at, customer_id = NULL"
      " WHERE batch IN (SELECT id FROM survey_batch WHERE outcome = 'unknown')");
  // A row of each other state: one that is held, and one that waits for a time to come.
  crm_.execute(std::string("UPDATE survey_push SET state = 'held' WHERE state = 'in_doubt' AND ") +
               key + " = (SELECT min(k) FROM (SELECT " + key +
               " AS k FROM survey_push WHERE state = 'in_doubt') AS d)");
  crm_.execute(
      std::string("INSERT INTO survey_push (push, ") + key +
      ", state, attempts, not_before, seen_at, changed_at) VALUES ('orders', '5000',"
      " 'pending', 0, '2036-01-01 00:00:00', '2026-11-01 00:00:00', '2026-11-01 00:00:00')");
  // As if one had changed, and all had answered: each score has a column of its own.
  crm_.execute(
      "INSERT INTO survey_customer_history (customer_id, version, seen_at, stage, bounced,"
      " opted_out) SELECT customer_id, 1, seen_at, stage, bounced, opted_out"
      " FROM survey_invitation WHERE customer_id % 2 = 0");
  crm_.execute("UPDATE survey_invitation SET seen_at = NULL WHERE customer_id % 2 = 0");
  for (const char* table : {"survey_invitation", "survey_customer_history"}) {
    crm_.execute(std::string("ALTER TABLE ") + table + " ADD COLUMN score_1200 bigint");
    crm_.execute(std::string("UPDATE ") + table + " SET score_1200 = 7");
  }
  crm_.execute(
      "INSERT INTO survey_report_column (position, name, kind, source, occurrence)"
      " VALUES (1000, 'grade', 'score', 1200, 1)");
  const auto had = states(crm_);
  EXPECT_EQ(had.at("held"), 1);
  EXPECT_EQ(had.at("pending"), 1);
  EXPECT_GT(had.at("in_doubt"), 50);

  const auto asked = command({"move", "--from", before_}, after_);
  EXPECT_EQ(asked.status, 1) << asked.err;
  // How many batches went before `sync` gave up is a matter of time.
  std::int64_t rows = 0;
  for (const auto& [state, of_state] : had)
    rows += of_state;
  EXPECT_THAT(asked.out, HasSubstr(fmt::format("{:<36} {:>10} rows\n", "survey_push", rows)));
  EXPECT_THAT(asked.out,
              HasSubstr("from where " + before_ + " has them to where " + after_ + " has them"));
  const auto told =
      nlohmann::json::parse(command({"move", "--json", "--from", before_}, after_).out);
  EXPECT_EQ(told.at("from"), before_);
  EXPECT_EQ(told.at("to"), after_);
  EXPECT_EQ(told.at("moved"), false);
  EXPECT_FALSE(told.at("tables").empty());
  for (const auto& table : told.at("tables"))
    EXPECT_THAT(asked.out,
                HasSubstr(fmt::format("{:<36} {:>10} rows\n", table.at("table").get<std::string>(),
                                      table.at("rows").get<std::int64_t>())));
  EXPECT_EQ(states(crm_), had) << "nothing is moved before somebody confirms";
  EXPECT_THAT(asked.out, HasSubstr("surveybridge move --confirm --from " + before_));
  const auto moved = command({"move", "--confirm", "--from", before_}, after_);
  ASSERT_EQ(moved.status, 0) << moved.err;
  EXPECT_EQ(states(store_), had);
  for (const char* what :
       {"* FROM survey_customer", "* FROM survey_customer_data", "* FROM survey_cursor",
        "* FROM survey_customer_history", "score_1200 FROM survey_customer_history",
        "score_1200 FROM survey_invitation", "seen_at FROM survey_invitation",
        "* FROM survey_report_column"}) {
    const auto from = std::string_view(what).find(' ');
    const std::string table = what,
                      count = "SELECT count(" + table.substr(0, from) + ")" + table.substr(from);
    EXPECT_EQ(store_.cell(count), crm_.cell(count)) << table;
    EXPECT_NE(store_.cell(count), "0") << table;
  }
  EXPECT_EQ(states(crm_, "survey_push_moved"), had) << "the old rows stay where they were";

  expect_refused(before_);
  expect_refused(folder_.write(  // the tables are looked at before the service is asked
      "away.toml", replaced(configured(""), sandbox_.url(), "http://127.0.0.1:1")));
  // Each round ends at a lost answer; what is in doubt is looked up at the service.
  auto now = states(store_);
  for (int round = 0; round < 10 && now["sent"] + now["held"] + now["in_doubt"] < kMoved; ++round) {
    command({"sync", "push"}, after_);
    now = states(store_);
  }
  EXPECT_EQ(now["sent"] + now["held"] + now["in_doubt"], kMoved) << "none is forgotten";
  EXPECT_EQ(now["pending"], 1) << "it waits until 2036";
  EXPECT_GT(now["in_doubt"], 0) << "the batch that did not arrive; an hour is not over";
  std::map<std::string, int> times;
  for (const auto& customer : sandbox_.customers())
    ++times[customer.at("data").at("OrderNumber")];
  for (const auto& [order, sent] : times)
    EXPECT_EQ(sent, 1) << order;
  for (const auto& row :
       store_.rows("SELECT " + std::string(key_in(GetParam().store)) +
                   ", state FROM survey_push WHERE state IN ('sent', 'in_doubt')"))
    EXPECT_EQ(times[row.at(0)], row.at(1) == "sent" ? 1 : 0) << row.at(0) << " at the service";
  const auto again = command({"move", "--confirm", "--json", "--from", before_}, after_);
  EXPECT_THAT(again.err, HasSubstr("there is nothing more to do"));
  EXPECT_EQ(nlohmann::json::parse(again.out).at("moved"), true);
}

// PostgreSQL would look for the old tables there, too, as soon as the new ones are made.
TEST(MoveToTheRolesSchema, IsRefusedBeforeATableIsMade) {
  Crm crm(Server::postgresql);
  SandboxProgram sandbox({"--speed", "0"});
  support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url());
  const std::string before = folder.write("before.toml", text);
  ASSERT_EQ(bridge({"sync", "push", "-c", before}).status, 0);
  const std::string role = crm.cell("SELECT CAST(current_user AS text)");
  for (const std::string& schema : {role, std::string("elsewhere")}) {
    crm.execute("CREATE SCHEMA " + schema);
    const std::string after =
        folder.write("after.toml", text + "[store]\nschema = \"" + schema + "\"\n");
    const auto moved = bridge({"move", "--from", before, "-c", after});
    EXPECT_EQ(moved.status, 1);
    const bool refused = moved.err.find("looks first (search_path)") != std::string::npos;
    EXPECT_EQ(refused, schema == role) << moved.err << moved.out;
    const auto made =
        crm.cell("SELECT count(*) FROM pg_tables WHERE schemaname = '" + schema + "'");
    EXPECT_EQ(made == "0", refused) << made;
  }
}

TEST(MoveBesideADaemon, NamesItsProcessAndWhatToDo) {
  Crm crm(Server::sqlite);
  SandboxProgram sandbox({"--speed", "0"});
  support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url());
  const std::string before = folder.write("before.toml", text);
  const std::string after = folder.write(
      "after.toml", text + "[store]\nconnection = \"sqlite3://" + folder.path() + "/store.db\"\n");
  ASSERT_EQ(bridge({"sync", "push", "-c", before}).status, 0);  // makes the tables
  const auto moved = [&] { return bridge({"move", "--from", before, "-c", after}); };
  {
    Daemon daemon(folder.write("copy.toml", text));
    ASSERT_TRUE(daemon.says("started with"));
    // Before its first step it holds no lease.
    auto refused = moved();
    ASSERT_TRUE(daemon.until([&] {
      if (refused.err.empty()) refused = moved();
      return !refused.err.empty();
    }));
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, testing::MatchesRegex(
                                 "surveybridge: move: process [0-9]+ works with the tables of " +
                                 before + ": stop it first\n"));
    EXPECT_EQ(daemon.stop(), 0);
  }
  crm.execute("DELETE FROM survey_lease");
  crm.execute(
      "INSERT INTO survey_lease (name, owner, fence, expires_at)"
      " VALUES ('instance:a@b.1.2', 'a@b.1.2', 1, '2999-01-01 00:00:00')");
  EXPECT_EQ(moved().err,
            "surveybridge: move: a daemon on another machine works with the tables of " + before +
                ": stop it first. If it does not run any more, type this again after "
                "2999-01-01T00:00:00Z\n");
}

// Enough rows for a signal in the middle.
TEST(StoppedMove, LeavesNothingAtTheNewPlaceAndIsDoneByTheNextOne) {
  constexpr const char* kCount = "SELECT count(*) FROM survey_push";
  Crm crm(Server::postgresql), store(Server::postgresql);
  SandboxProgram sandbox({"--speed", "0"});
  support::TemporaryFolder folder;
  const std::string text = configuration(crm.connection(), sandbox.url());
  const std::string before = folder.write("before.toml", text);
  const std::string after =
      folder.write("after.toml", text + "[store]\nconnection = \"" + store.connection() + "\"\n");
  ASSERT_EQ(command({"sync", "push"}, before).status, 0);  // makes the tables
  crm.execute(
      "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at)"
      " SELECT 'orders', 'old' || n, 'sent', 1, now(), now() FROM generate_series(1, 200000) AS n");
  EXPECT_EQ(command({"move", "--from", before}, after).status, 1) << "makes the new tables";

  const Arguments words = {"move", "--confirm", "--from", before, "-c", after};
  support::ChildProcess stopped(bridge_program(words));
  const auto copies = [&] {
    return store.cell("SELECT count(*) FROM survey_seal WHERE name = 'import'") != "0";
  };
  while (!copies() && !stopped.wait(std::chrono::milliseconds{5})) {
  }
  stopped.signal(SIGINT);
  EXPECT_EQ(stopped.wait(std::chrono::seconds(20)), 1);
  EXPECT_THAT(stopped.err(), HasSubstr("move: stopped: no row is at the new place, and the old one "
                                       "is closed; the same command does it again\n"));
  EXPECT_EQ(store.cell(kCount), "0");

  support::Terminal again(bridge_program(words, {"TERM=xterm"}));
  EXPECT_TRUE(again.wait_for("\r\x1b[Kmove ")) << again.shown();
  EXPECT_EQ(again.wait(std::chrono::seconds(120)), 0) << again.shown();
  EXPECT_THAT(again.shown(), HasSubstr("[----------]"));
  EXPECT_EQ(store.cell(kCount), "200000");
}

// Each kind of database is entered once; each is left once in tests/crm (MovedTables).
INSTANTIATE_TEST_SUITE_P(
    Databases, Moves,
    testing::Values(Move{"postgresql_to_sqlite", Server::postgresql, Server::sqlite},
                    Move{"sqlite_to_mariadb", Server::sqlite, Server::mariadb},
                    Move{"mariadb_to_postgresql", Server::mariadb, Server::postgresql},
                    Move{"sqlite_to_mysql", Server::sqlite, Server::mysql}),
    [](const auto& each) { return std::string(each.param.name); });

constexpr int kBefore = 300, kAll = 310, kInDoubt = 100, kArrived = kAll - kInDoubt;

// The move waits for a lock that the test holds, and is killed there.
struct Point {
  const char* name;
  bool at_new_place;
  const char *table, *lock;
  bool old_place_works;
};

std::ostream& operator<<(std::ostream& out, const Point& each) {
  return out << each.name;
}

class KilledMove : public testing::TestWithParam<Point> {
 protected:
  void kill_a_move() {
    Crm& locked = GetParam().at_new_place ? store_ : crm_;
    const auto holder = locked.open();
    const surveybridge::crm::Transaction lock(*holder);
    holder->execute(
        {std::string("LOCK TABLE ") + GetParam().table + " IN " + GetParam().lock + " MODE", {}});
    support::ChildProcess move(
        bridge_program({"move", "--confirm", "--from", before_, "-c", after_}));
    const auto waits = [&] {
      return locked.cell(
                 "SELECT count(*) FROM pg_locks WHERE NOT granted AND database ="
                 " (SELECT oid FROM pg_database WHERE datname = current_database())") != "0";
    };
    bool reached = false;
    while (!(reached = waits()) && !move.wait(std::chrono::milliseconds{20})) {
    }
    EXPECT_TRUE(reached) << "the move has not come to the lock: " << move.err();
    move.signal(SIGKILL);
    move.wait(std::chrono::seconds(10));
  }

  Crm crm_{Server::postgresql}, store_{Server::postgresql};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  std::string text_ = replaced(configuration(crm_.connection(), sandbox_.url()),
                               "settle    = \"5s\"", "settle    = \"1h\"");
  std::string before_ = folder_.write("before.toml", text_);
  std::string after_ = folder_.write(
      "after.toml", text_ + "[store]\nconnection = \"" + store_.connection() + "\"\n");
};

TEST_P(KilledMove, IsDoneAgainAndSendsNothingTwice) {
  auto rows = orders(kAll);
  const std::vector<Order> late(rows.begin() + kBefore, rows.end());
  rows.resize(kBefore);
  crm_.insert(rows);
  sandbox_.fault("before:reset:customer/add:1");
  command({"sync", "push"}, before_);
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push WHERE state = 'in_doubt'"),
            std::to_string(kInDoubt));
  command({"sync", "pull"}, before_);
  EXPECT_EQ(command({"move", "--from", before_}, after_).status, 1) << "makes the new tables";

  kill_a_move();
  crm_.insert(late);
  const auto old = command({"sync", "push"}, before_);
  if (GetParam().old_place_works) {
    EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_push"), std::to_string(kAll)) << old.err;
  } else {
    EXPECT_NE(old.status, 0);
    EXPECT_THAT(old.out + old.err, HasSubstr("were moved from here to another place"));
    const auto early = command({"sync", "push"}, after_);
    EXPECT_NE(early.status, 0);
    EXPECT_THAT(early.out + early.err, HasSubstr("are being moved to here"));
  }
  const auto again = command({"move", "--confirm", "--from", before_}, after_);
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_NE(command({"sync", "push"}, before_).status, 0);
  command({"sync", "push"}, after_);
  EXPECT_EQ(store_.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"),
            std::to_string(kArrived));
  EXPECT_EQ(store_.cell("SELECT count(*) FROM survey_push"), std::to_string(kAll));
  std::multiset<std::string> sent;
  for (const auto& customer : sandbox_.customers())
    sent.insert(customer.at("data").at("OrderNumber"));
  EXPECT_EQ(sent.size(), static_cast<std::size_t>(kArrived)) << "none forgotten, none twice";
  EXPECT_EQ(std::set<std::string>(sent.begin(), sent.end()).size(), sent.size()) << "none twice";
}

INSTANTIATE_TEST_SUITE_P(Points, KilledMove,
                         testing::Values(Point{"before_the_old_place_is_closed", false,
                                               "survey_seal", "EXCLUSIVE", true},
                                         Point{"while_the_ledger_is_renamed", false, "survey_push",
                                               "ACCESS SHARE", true},
                                         Point{"in_the_middle_of_the_rows", true,
                                               "survey_push_event", "EXCLUSIVE", false}),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace program
