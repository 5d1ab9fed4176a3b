// Where the bridge's tables are. `move`: a ledger with rows in every state goes from one place to
// another, of any kind, also where the command is killed and typed again: nobody is invited twice,
// nobody is forgotten, and nothing is sent from the old place again. Tables of an earlier version,
// and of a newer one. And the SQL that a store in PostgreSQL is sent, by the server's own log, uses
// the words of docs/STORE.md only: what a distributed database that speaks PostgreSQL must have.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "connectors/crm/schema/schema.hpp"
#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/terminal.hpp"

namespace program {
namespace {

using nlohmann::json;

// From a place (before.toml) to another one of that kind (after.toml).
struct Moving : BridgeOn {
  Moving(Server crm, Server store)
      : BridgeOn(crm),
        store_(store),
        patient_(replaced(usual_, "settle    = \"5s\"", "settle    = \"1h\"")) {}
  Arguments move(const Arguments& more = {}) const {
    Arguments words{"move", "-c", after_, "--from", before_};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  // Each order that has arrived is at the service once: how many.
  std::map<std::string, int> arrived() const {
    std::map<std::string, int> times;
    for (const auto& customer : sandbox_.customers())
      ++times[customer.at("data").at("OrderNumber")];
    for (const auto& [order, sent] : times)
      EXPECT_EQ(sent, 1) << order;
    return times;
  }

  Crm store_;
  const std::string patient_;
  const std::string before_ = folder_.write("before.toml", patient_);
  const std::string after_ = folder_.write("after.toml", patient_ + store_in(store_.connection()));
};

constexpr int kMoved = 300;

struct Move {
  const char* name;
  Server crm, store;
};

std::ostream& operator<<(std::ostream& out, const Move& each) {
  return out << each.name;
}

const char* key_in(Server server) {
  return speaks_mysql(server) ? "`key`" : "key";
}

struct Moves : testing::TestWithParam<Move>, Moving {
  using States = std::map<std::string, std::int64_t>;

  // Three answers are lost: of two batches that were stored, and of one that was not.
  Moves() : Moving(GetParam().crm, GetParam().store) {
    crm_.insert(orders(kMoved));
    sandbox_.fault("after:reset:customer/add:2");
    sandbox_.fault("before:reset:customer/add:1");
  }
  // A row of each state, a history, and scores that have columns of their own.
  void fill() {
    const std::string key = key_in(GetParam().crm);
    // As if the list had not shown the customers of lost answers yet, which ends their doubts.
    crm_.execute(
        "UPDATE survey_push SET state = 'in_doubt', doubt_since = changed_at, customer_id = NULL"
        " WHERE batch IN (SELECT id FROM survey_batch WHERE outcome = 'unknown')");
    // One that is held, and one that waits for a time to come.
    crm_.execute("UPDATE survey_push SET state = 'held' WHERE state = 'in_doubt' AND " + key +
                 " = (SELECT min(k) FROM (SELECT " + key +
                 " AS k FROM survey_push WHERE state = 'in_doubt') AS d)");
    crm_.execute(
        "INSERT INTO survey_push (push, " + key +
        ", state, attempts, not_before, seen_at, changed_at) VALUES ('orders', '5000',"
        " 'pending', 0, '2036-01-01 00:00:00', '2026-11-01 00:00:00', '2026-11-01 00:00:00')");
    // As if one had changed, and all had answered.
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
  }
  static States states(Crm& at, const std::string& table = "survey_push") {
    States all;
    for (const auto& row : at.rows("SELECT state, count(*) FROM " + table + " GROUP BY state"))
      all[row.at(0)] = std::stoll(row.at(1));
    return all;
  }
  // One sentence and one exit status, whatever is typed, before the service is asked; a daemon ends
  // and is not started again.
  void expect_the_old_place_refused() {
    write(replaced(patient_, sandbox_.url(), "http://127.0.0.1:1"));
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
                                   {"preview", "orders"}})
      expect(words, 78, testing::_,
             has("database: the bridge's tables were moved from here to another place at ",
                 "after.toml): use the configuration that names that place now"));
  }
};

TEST_P(Moves, KeepEveryRowAndSendNoneASecondTime) {
  program::command({"sync", "push"}, before_);
  program::command({"sync", "pull"}, before_);  // makes the views of the reports, too
  fill();
  const auto had = states(crm_);
  EXPECT_EQ(had.at("held"), 1);
  EXPECT_EQ(had.at("pending"), 1);
  EXPECT_GT(had.at("in_doubt"), 50);

  // How many batches went before `sync` gave up is a matter of time.
  std::int64_t rows = 0;
  for (const auto& [state, of_state] : had)
    rows += of_state;
  const auto asked =
      program::expect(move(), 1,
                      has(fmt::format("{:<36} {:>10} rows\n", "survey_push", rows),
                          "from where " + before_ + " has them to where " + after_ + " has them",
                          "surveybridge move --confirm --from " + before_));
  const auto told = json::parse(program::expect(move({"--json"}), 1).out);
  EXPECT_EQ(told.at("from"), before_);
  EXPECT_EQ(told.at("to"), after_);
  EXPECT_EQ(told.at("moved"), false);
  EXPECT_FALSE(told.at("tables").empty());
  for (const auto& table : told.at("tables"))
    EXPECT_THAT(asked.out,
                has(fmt::format("{:<36} {:>10} rows\n", table.at("table").get<std::string>(),
                                table.at("rows").get<std::int64_t>())));
  EXPECT_EQ(states(crm_), had) << "nothing is moved before somebody confirms";
  ASSERT_EQ(program::expect(move({"--confirm"}), 0).status, 0);
  EXPECT_EQ(states(store_), had);
  for (const std::string what :
       {"* FROM survey_customer", "* FROM survey_customer_data", "* FROM survey_cursor",
        "* FROM survey_customer_history", "score_1200 FROM survey_customer_history",
        "score_1200 FROM survey_invitation", "seen_at FROM survey_invitation",
        "* FROM survey_report_column"}) {
    const auto from = what.find(' ');
    const std::string count = "SELECT count(" + what.substr(0, from) + ")" + what.substr(from);
    EXPECT_EQ(store_.cell(count), crm_.cell(count)) << what;
    EXPECT_NE(store_.cell(count), "0") << what;
  }
  EXPECT_EQ(states(crm_, "survey_push_moved"), had) << "the old rows stay where they were";
  if (GetParam().crm == Server::postgresql) expect_the_old_place_refused();

  // Each round ends at a lost answer; what is in doubt is looked up at the service, by the next
  // round where a slow one gave up before.
  const std::string keys = "SELECT " + std::string(key_in(GetParam().store)) + ", state";
  const auto is_at_service_in_doubt = [&] {
    auto times = arrived();
    return std::ranges::any_of(store_.rows(keys + " FROM survey_push WHERE state = 'in_doubt'"),
                               [&](const auto& row) { return times[row.at(0)] > 0; });
  };
  auto now = states(store_);
  for (int round = 0; round < 20; ++round) {
    const bool all_decided = now["sent"] + now["held"] + now["in_doubt"] >= kMoved;
    if (all_decided && !is_at_service_in_doubt()) break;
    program::command({"sync", "push"}, after_);
    now = states(store_);
  }
  EXPECT_EQ(now["sent"] + now["held"] + now["in_doubt"], kMoved) << "none is forgotten";
  EXPECT_EQ(now["pending"], 1) << "it waits until 2036";
  EXPECT_GT(now["in_doubt"], 0) << "the batch that did not arrive; an hour is not over";
  auto times = arrived();
  for (const auto& row :
       store_.rows(keys + " FROM survey_push WHERE state IN ('sent', 'in_doubt')"))
    EXPECT_EQ(times[row.at(0)], row.at(1) == "sent" ? 1 : 0) << row.at(0) << " at the service";
  const auto again = program::expect(move({"--confirm", "--json"}), 0, testing::_,
                                     has("there is nothing more to do"));
  EXPECT_EQ(json::parse(again.out).at("moved"), true);
}

// Each kind of database is entered once; each is left once in tests/crm (MovedTables).
INSTANTIATE_TEST_SUITE_P(
    Databases, Moves,
    testing::Values(Move{"postgresql_to_sqlite", Server::postgresql, Server::sqlite},
                    Move{"sqlite_to_mariadb", Server::sqlite, Server::mariadb},
                    Move{"mariadb_to_postgresql", Server::mariadb, Server::postgresql},
                    Move{"sqlite_to_mysql", Server::sqlite, Server::mysql}),
    [](const auto& each) { return std::string(each.param.name); });

// PostgreSQL would look for the old tables there, too, as soon as the new ones are made.
TEST(MoveToTheRolesSchema, IsRefusedBeforeATableIsMade) {
  BridgeOn on(Server::postgresql);
  on.expect({"sync", "push"}, 0);
  const std::string role = on.crm_.cell("SELECT CAST(current_user AS text)");
  for (const std::string& schema : {role, std::string("elsewhere")}) {
    on.crm_.execute("CREATE SCHEMA " + schema);
    const std::string after =
        on.folder_.write("after.toml", on.usual_ + "[store]\nschema = \"" + schema + "\"\n");
    const auto moved = expect({"move", "--from", on.config_, "-c", after}, 1);
    const bool refused = moved.err.find("looks first (search_path)") != std::string::npos;
    EXPECT_EQ(refused, schema == role) << moved.err << moved.out;
    const auto made = on.crm_.count("pg_tables WHERE schemaname = '" + schema + "'");
    EXPECT_EQ(made == "0", refused) << made;
  }
}

TEST(MoveBesideADaemon, NamesItsProcessAndWhatToDo) {
  Moving on(Server::sqlite, Server::sqlite);
  ASSERT_EQ(program::command({"sync", "push"}, on.before_).status, 0);  // makes the tables
  {
    Daemon daemon(on.folder_.write("copy.toml", on.patient_));
    ASSERT_TRUE(daemon.says("started with"));
    // Before its first step it holds no lease.
    support::Finished refused;
    ASSERT_TRUE(daemon.until([&] {
      refused = bridge(on.move());
      return !refused.err.empty();
    }));
    EXPECT_EQ(refused.status, 1);
    EXPECT_THAT(refused.err, testing::MatchesRegex(
                                 "surveybridge: move: process [0-9]+ works with the tables of " +
                                 on.before_ + ": stop it first\n"));
    EXPECT_EQ(daemon.stop(), 0);
  }
  on.crm_.execute("DELETE FROM survey_lease");
  on.crm_.execute(
      "INSERT INTO survey_lease (name, owner, fence, expires_at)"
      " VALUES ('instance:a@b.1.2', 'a@b.1.2', 1, '2999-01-01 00:00:00')");
  EXPECT_EQ(bridge(on.move()).err,
            "surveybridge: move: a daemon on another machine works with the tables of " +
                on.before_ +
                ": stop it first. If it does not run any more, type this again after "
                "2999-01-01T00:00:00Z\n");
}

// Enough rows for a signal in the middle.
TEST(StoppedMove, LeavesNothingAtTheNewPlaceAndIsDoneByTheNextOne) {
  Moving on(Server::postgresql, Server::postgresql);
  ASSERT_EQ(program::command({"sync", "push"}, on.before_).status, 0);  // makes the tables
  on.crm_.execute(
      "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at)"
      " SELECT 'orders', 'old' || n, 'sent', 1, now(), now() FROM generate_series(1, 200000) AS n");
  expect(on.move(), 1);  // makes the new tables

  support::ChildProcess stopped(bridge_program(on.move({"--confirm"})));
  const auto copies = [&] { return on.store_.count("survey_seal WHERE name = 'import'") != "0"; };
  while (!copies() && !stopped.wait(std::chrono::milliseconds{5})) {
  }
  stopped.signal(SIGINT);
  EXPECT_EQ(stopped.wait(std::chrono::seconds(20)), 1);
  EXPECT_THAT(stopped.err(), has("move: stopped: no row is at the new place, and the old one "
                                 "is closed; the same command does it again\n"));
  EXPECT_EQ(on.store_.count("survey_push"), "0");

  support::Terminal again(bridge_program(on.move({"--confirm"}), {"TERM=xterm"}));
  EXPECT_TRUE(again.wait_for("\r\x1b[Kmove ")) << again.shown();
  EXPECT_EQ(again.wait(std::chrono::seconds(120)), 0) << again.shown();
  EXPECT_THAT(again.shown(), has("[----------]"));
  EXPECT_EQ(on.store_.count("survey_push"), "200000");
}

constexpr int kBefore = 200, kAll = 210, kInDoubt = 100, kArrived = kAll - kInDoubt;

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

struct KilledMove : testing::TestWithParam<Point>, Moving {
  KilledMove() : Moving(Server::postgresql, Server::postgresql) {}
  void kill_a_move() {
    Crm& locked = GetParam().at_new_place ? store_ : crm_;
    const auto holder = locked.open();
    const surveybridge::crm::Transaction lock(*holder);
    holder->execute(
        {std::string("LOCK TABLE ") + GetParam().table + " IN " + GetParam().lock + " MODE", {}});
    support::ChildProcess killed(bridge_program(move({"--confirm"})));
    const auto waits = [&] {
      return locked.count(
                 "pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database"
                 " WHERE datname = current_database())") != "0";
    };
    bool reached = false;
    while (!(reached = waits()) && !killed.wait(std::chrono::milliseconds{20})) {
    }
    EXPECT_TRUE(reached) << "the move has not come to the lock: " << killed.err();
    killed.signal(SIGKILL);
    killed.wait(std::chrono::seconds(10));
  }
};

TEST_P(KilledMove, IsDoneAgainAndSendsNothingTwice) {
  crm_.insert(orders(kBefore));
  sandbox_.fault("before:reset:customer/add:1");
  program::command({"sync", "push"}, before_);
  EXPECT_EQ(in_state("in_doubt"), std::to_string(kInDoubt));
  program::command({"sync", "pull"}, before_);
  program::expect(move(), 1);  // makes the new tables

  kill_a_move();
  crm_.insert(orders(kAll - kBefore, kBefore + 1));
  const auto old = program::command({"sync", "push"}, before_);
  if (GetParam().old_place_works) {
    EXPECT_EQ(crm_.count("survey_push"), std::to_string(kAll)) << old.err;
  } else {
    EXPECT_NE(old.status, 0);
    EXPECT_THAT(old.out + old.err, has("were moved from here to another place"));
    const auto early = program::command({"sync", "push"}, after_);
    EXPECT_NE(early.status, 0);
    EXPECT_THAT(early.out + early.err, has("are being moved to here"));
  }
  ASSERT_EQ(program::expect(move({"--confirm"}), 0).status, 0);
  EXPECT_NE(program::command({"sync", "push"}, before_).status, 0);
  program::command({"sync", "push"}, after_);
  EXPECT_EQ(store_.count("survey_push WHERE state = 'sent'"), std::to_string(kArrived));
  EXPECT_EQ(store_.count("survey_push"), std::to_string(kAll));
  EXPECT_EQ(arrived().size(), static_cast<std::size_t>(kArrived)) << "none forgotten";
}

INSTANTIATE_TEST_SUITE_P(Points, KilledMove,
                         testing::Values(Point{"before_the_old_place_is_closed", false,
                                               "survey_seal", "EXCLUSIVE", true},
                                         Point{"while_the_ledger_is_renamed", false, "survey_push",
                                               "ACCESS SHARE", true},
                                         Point{"in_the_middle_of_the_rows", true,
                                               "survey_push_event", "EXCLUSIVE", false}),
                         [](const auto& each) { return std::string(each.param.name); });

constexpr int kEarlier = 5'000;

// The tables of an earlier version, with as many transactions in them.
struct Upgrade : BridgeAndCrm {
  Upgrade() {
    namespace crm = surveybridge::crm;
    crm::make_schema(crm_.database());
    for (const char* table : {"survey_release", "survey_unwritten"})
      crm_.execute(std::string("DROP TABLE ") + table);
    crm_.execute("ALTER TABLE survey_batch DROP COLUMN service");
    crm_.execute("DELETE FROM survey_seal WHERE name = 'schema'");
    const std::string most = std::to_string(kEarlier), at = "'2026-11-01 12:00:00'",
                      numbers =
                          GetParam() == Server::sqlite
                              ? "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1"
                                " FROM c WHERE n < " +
                                    most + ") SELECT n FROM c) AS numbers"
                              : "(SELECT n FROM generate_series(1, " + most + ") AS n) AS numbers";
    crm_.execute(
        "INSERT INTO orders (id, email, first_name, last_name, phone, amount, delivered_at,"
        " priority) SELECT n, 'somebody@example.test', 'Ann', 'Example', '1', 1, " +
        at + ", 1 FROM " + numbers);
    crm_.execute(
        "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at)"
        " SELECT 'orders', CAST(n AS TEXT), 'sent', 1, " +
        at + ", " + at + " FROM " + numbers);
  }
};

TEST_P(Upgrade, SendsNothingASecondTimeAndRefusesToGoBack) {
  // The stand-in has none of them, and that is said.
  expect({"sync"}, 1, has("does not list 5000 transactions"));
  EXPECT_EQ(sandbox_.customers().size(), 0u) << "all have gone out before";
  EXPECT_EQ(in_state("sent"), std::to_string(kEarlier));
  crm_.execute("DELETE FROM survey_push WHERE push = 'orders' AND key = '77'");
  expect({"sync"}, 1, has("does not list 4999 transactions"));
  EXPECT_EQ(sandbox_.customers().size(), 1u) << "the only one that is not in the ledger";
  // An earlier version wrote none.
  expect({"explain", "5"}, 0, has("sent (its events are no longer kept)"));
  crm_.execute("UPDATE survey_seal SET value = '99' WHERE name = 'schema'");
  for (const Arguments& words :
       {Arguments{"sync"}, {"check"}, {"status"}, {"verify"}, {"preview", "orders"}}) {
    const auto refused = command(words);
    EXPECT_NE(refused.status, 0) << words.front();
    EXPECT_THAT(refused.err, has("a newer surveybridge has made or changed its tables here"))
        << words.front();
  }
  EXPECT_EQ(sandbox_.customers().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Databases, Upgrade, testing::Values(Server::postgresql, Server::sqlite),
                         server_name);

// Read before a daemon or sync has run; in PostgreSQL by an account that may not mend them.
struct OlderTables : BridgeAndCrm {
  OlderTables() {
    auto rows = orders(4);
    rows[3].email = "nobody";
    crm_.insert(rows);
    command({"sync"});
    if (!reader_) return;
    crm_.execute("DROP ROLE IF EXISTS reader");
    crm_.execute("CREATE ROLE reader LOGIN");
    crm_.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
    write(replaced(usual_, "user=bridge", "user=reader"));
  }
  ~OlderTables() override {
    if (!reader_) return;
    crm_.execute("DROP OWNED BY reader");
    crm_.execute("DROP ROLE reader");
  }
  // Removes what the first version did not have.
  void age() {
    for (const char* table : {"survey_pace", "survey_write", "survey_brake", "survey_person",
                              "survey_verify", "survey_seal", "survey_release"})
      crm_.execute(std::string("DROP TABLE ") + table);
    crm_.execute("ALTER TABLE survey_cursor DROP COLUMN ignored");
    crm_.execute("ALTER TABLE survey_push DROP COLUMN not_before");
  }
  const bool reader_ = GetParam() == Server::postgresql;
};

TEST_P(OlderTables, AreReadByEveryCommandThatReads) {
  struct Reading {
    Arguments words;
    int status;
    const char* says;
  };
  const Reading readings[] = {
      {{"status"}, 1, "quarantined"},
      {{"status", "--json"}, 1, "\"state\":\"sent\",\"rows\":3"},
      {{"explain", "1"}, 0, "push.orders: transaction 1: sent"},
      {{"quarantine", "list"}, 1, "not an address"},
      {{"doubt", "list"}, 0, ""},
      {{"suppressed"}, 0, ""},
      {{"verify"}, 0, "0  differences"},
      // Comes last, because it changes nothing. What those tables do not say is looked at again.
      {{"preview"}, 1, "quarantined: Email: not an address"},
  };
  if (reader_) age();
  for (const auto& [words, status, says] : readings) {
    if (!reader_) age();
    if (reader_ && words.front() == "preview") continue;  // works on copies of what is missing
    expect(words, status, has(says));
  }
  if (!reader_) return;
  EXPECT_THAT(command({"status"}).out, has("tables  of an earlier version"));
}

INSTANTIATE_TEST_SUITE_P(Databases, OlderTables,
                         testing::Values(Server::sqlite, Server::postgresql), server_name);

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Words outside of quotes, in small letters; without parameters and names of one letter.
std::set<std::string> words_of(const std::string& sql) {
  std::set<std::string> words;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (sql[i] == '\'' || sql[i] == '"') {
      i = std::min(sql.find(sql[i], i + 1), sql.size());
      continue;
    }
    if (!is_letter(sql[i])) continue;
    std::string word;
    for (; i < sql.size() && (is_letter(sql[i]) || (sql[i] >= '0' && sql[i] <= '9')); ++i)
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(sql[i])));
    --i;
    if (word.size() > 1) words.insert(word);
  }
  return words;
}

// What this user has sent. A statement of several lines goes on with a tab.
std::vector<std::string> statements_of(const std::string& log, const std::string& user) {
  std::vector<std::string> statements;
  std::istringstream lines(log);
  bool ours = false;
  for (std::string line; std::getline(lines, line);) {
    if (ours && line.starts_with("\t")) {
      statements.back() += "\n" + line;
      continue;
    }
    ours = false;
    const bool said =
        line.starts_with("<" + user + "> LOG:") && line.find("parameters:") == std::string::npos;
    const auto text = said ? line.find(": ", line.find("LOG:") + 5) : std::string::npos;
    if (text == std::string::npos) continue;
    ours = true;
    statements.push_back(line.substr(text + 2));
  }
  return statements;
}

// The words in the blocks of docs/STORE.md.
std::set<std::string> allowed_words() {
  std::istringstream lines(support::read_file(support::source_dir() + "/docs/STORE.md"));
  std::set<std::string> words;
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = line == "```sql-words";
    } else if (inside) {
      words.merge(words_of(line));
    }
  }
  return words;
}

// "word (statement)" of each word that is not allowed.
std::map<std::string, std::string> words_beyond(const std::vector<std::string>& statements) {
  const auto known = allowed_words();
  std::map<std::string, std::string> all;
  for (const auto& statement : statements) {
    for (const auto& word : words_of(statement))
      if (!known.contains(word)) all[word] = statement.substr(0, 300);
  }
  return all;
}

TEST(StoreSql, IsHeldToTheListInTheDocument) {
  support::PostgresServer server({"log_statement=all", "log_line_prefix=<%u> "});
  BridgeOn on(Server::sqlite);
  Crm store(server);
  store.execute("CREATE ROLE store LOGIN");
  store.execute("GRANT ALL ON SCHEMA public TO store");
  on.crm_.insert(orders(300));
  on.sandbox_.fault("before:reset:customer/add:1");
  const std::string before = on.folder_.write("before.toml", on.usual_);
  on.write(on.usual_ + store_in(replaced(store.connection(), "user=bridge", "user=store")));
  command({"sync"}, before);
  ASSERT_EQ(on.command({"move", "--confirm", "--from", before}).status, 0);
  const std::vector<Arguments> round = {{"check"},
                                        {"sync"},
                                        {"status"},
                                        {"verify"},
                                        {"report"},
                                        {"release", "orders"},
                                        {"explain", "1", "--push", "orders"},
                                        {"forget", "--unknown", "nobody@example.test"},
                                        {"doubt", "list"},
                                        {"sync", "push"},
                                        {"sync", "pull"}};
  for (const auto& words : round)
    on.command(words);
  EXPECT_EQ(store.count("survey_push"), "300");
  const auto statements = statements_of(server.log(), "store");
  EXPECT_GT(statements.size(), 500u) << "the log has the statements";
  for (const auto& [word, statement] : words_beyond(statements))
    ADD_FAILURE() << "docs/STORE.md does not have \"" << word << "\": " << statement;
  const auto found = words_beyond({R"(SELECT "key" FROM "survey_push" FOR UPDATE SKIP LOCKED)",
                                   "CREATE TEMPORARY TABLE x (y xml)", "LISTEN orders"});
  for (const char* word : {"skip", "locked", "temporary", "xml", "listen"})
    EXPECT_TRUE(found.contains(word)) << word;
  EXPECT_FALSE(found.contains("survey_push")) << "names of ours are in quotes";
}

}  // namespace
}  // namespace program
