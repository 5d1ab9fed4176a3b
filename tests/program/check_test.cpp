// What `check` tells before anything runs, against a real database and service; and a service that
// ignores a filter: `check` names it, a pull drops what the filter excludes, and `status` shows it.
#include <filesystem>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/raw_server.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

class Check : public BridgeAndSqlite {
 protected:
  // The configuration of the room, with `old` replaced by `with`.
  std::string file(const std::string& old, const std::string& with) {
    return write(replaced(usual_, old, with));
  }
};

TEST_F(Check, RefusesAPushOfWhichNoRowHasADate) {
  crm_.insert(orders(3));
  const std::string config = file("SELECT * FROM orders", "SELECT *, NULL AS paid_at FROM orders");
  const auto right = bridge({"check", "-c", config});
  EXPECT_EQ(right.status, 0) << right.err;
  const std::string wrong = support::read_file(config);
  const auto undated =
      bridge({"check", "-c",
              folder_.write("undated.toml", replaced(wrong, "when      = \"delivered_at\"",
                                                     "when      = \"paid_at\""))});
  EXPECT_EQ(undated.status, 78);
  EXPECT_THAT(undated.err, HasSubstr("none of the 3 rows of the query has a date in the column"
                                     " \"paid_at\": nothing would be sent"));
}

TEST_F(Check, TellsAProgramEveryProblemAndEveryNote) {
  crm_.insert(orders(3));
  const auto told = [&](const std::string& config, bool offline) {
    std::vector<std::string> words = {"check", "--json", "-c", config};
    if (offline) words.emplace_back("--offline");
    return nlohmann::json::parse(bridge(words).out);
  };
  for (const bool offline : {false, true}) {
    EXPECT_EQ(told(config_, offline).at("file"), config_);
    EXPECT_TRUE(told(config_, offline).at("problems").empty());
    EXPECT_TRUE(told(config_, offline).at("notes").is_array());
  }
  const std::string wrong = file("[crm]", "[crm]\nconections = 3");
  for (const bool offline : {false, true})
    EXPECT_THAT(told(wrong, offline).at("problems").at(0).get<std::string>(),
                HasSubstr("crm.conections: unknown key"));
}

// Before the bridge's tables are there, on every database.
TEST(CheckBeforeTheFirstRun, SaysWhyNothingWouldGoOut) {
  SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  for (const Server server :
       {Server::sqlite, Server::postgresql, Server::odbc, Server::mariadb, Server::mysql}) {
    Crm crm(server);
    crm.insert(orders(3));
    const std::string text = configuration(crm.connection(), sandbox.url());
    const auto from = text.find("start ");
    ASSERT_NE(from, std::string::npos) << text;
    const auto with_start = [&](const std::string& start) {
      return folder.write("bridge.toml", text.substr(0, from) + "start = " + start +
                                             text.substr(text.find('\n', from)));
    };
    const auto later = bridge({"check", "-c", with_start("2999-01-01")});
    EXPECT_THAT(later.err, HasSubstr("start lies in the future: nothing is sent before it"));
    crm.execute("UPDATE orders SET delivered_at = '2999-01-01 00:00:00'");
    const auto none = bridge({"check", "-c", with_start("2025-01-01")});
    EXPECT_THAT(none.err, HasSubstr("3 later than the database's clock"));
  }
}

// A CRM's own program may count on the journal mode of its file. The test's own session goes on
// telling the mode that it knows: the file is read.
TEST_F(Check, LeavesAFileAsItIs) {
  crm_.insert(orders(3));
  EXPECT_EQ(crm_.cell("PRAGMA journal_mode = DELETE"), "delete");
  const std::string path = crm_.connection().substr(std::string_view("sqlite3://").size());
  const std::string before = support::read_file(path);
  for (const Arguments& looks : {Arguments{"check"}, {"preview", "-n", "2"}, {"status"}}) {
    EXPECT_EQ(command(looks).status, 0) << looks[0];
    EXPECT_TRUE(support::read_file(path) == before) << looks[0];
  }
}

// A row without a date among others is a note.
TEST_F(Check, CountsRowsWithoutADate) {
  crm_.insert(orders(3));
  crm_.execute("UPDATE orders SET delivered_at = NULL WHERE id = 2");
  const auto checked = command({"check"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr("push.orders.when: 1 rows have no date in the column"));
}

// Counting its rows does not compute the column.
TEST_F(Check, ReadsTheFirstRowsOfAQuery) {
  for (const Server server : {Server::postgresql, Server::odbc}) {
    Crm crm(server);
    crm.insert(orders(3));
    const std::string config = folder_.write(
        "bridge.toml",
        replaced(configuration(crm.connection(), sandbox_.url()), "SELECT * FROM orders",
                 "SELECT id, email, first_name, last_name, phone, amount, delivered_at, remark,"
                 " grade, CAST(email AS integer) AS priority FROM orders"));
    for (const Arguments& looks : {Arguments{"check", "-c", config}, {"preview", "-c", config}}) {
      const auto ran = bridge(looks);
      EXPECT_EQ(ran.status, 78) << looks[0];
      EXPECT_THAT(ran.err, HasSubstr("a value cannot be read as the type that is asked for"))
          << looks[0];
    }
  }
}

// The push sets such a row aside and goes on.
TEST_F(Check, TakesARowWhoseCellIsTooLarge) {
  crm_.insert(orders(3));
  const std::string config = file("SELECT * FROM orders",
                                  "SELECT id, email, first_name, last_name, phone, amount,"
                                  " delivered_at, grade, priority, CASE WHEN id = (SELECT MIN(id)"
                                  " FROM orders) THEN printf('%.*c', 67108865, 'x') ELSE remark"
                                  " END AS remark FROM orders");
  const auto checked = bridge({"check", "-c", config});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.err, Not(HasSubstr("can only be rolled back")));
  EXPECT_THAT(checked.err, HasSubstr("1 row of the first 500 would be quarantined: "));
}

TEST_F(Check, SaysWhichOptOutsWouldNotBeSeen) {
  crm_.insert(orders(1));
  const std::string note =
      "an opt-out that does not change the date by which [pull.customers] walks";
  const std::string config =
      file("[pull.customers]", "[suppress]\nopted_out = true\n[pull.customers]");
  const auto checked = bridge({"check", "-c", config});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.err, HasSubstr(note));
  const std::string walk = "[[pull.customers.walk]]\nby = \"OptedOutDate\"\n";
  const auto finds = bridge(
      {"check", "-c",
       folder_.write("walk.toml", replaced(support::read_file(config), "[[pull.customers.write]]",
                                           walk + "[[pull.customers.write]]"))});
  EXPECT_EQ(finds.status, 0) << finds.err;
  EXPECT_THAT(finds.err, Not(HasSubstr(note)));
}

TEST_F(Check, ProposesNamesThatTheFileLacks) {
  crm_.insert(orders(3));
  const std::string lacking = file("FormStatus   = { 0 = \"None\",", "FormStatus   = {");
  ASSERT_EQ(bridge({"sync", "push", "-c", lacking}).status, 0);
  const auto checked = bridge({"check", "-c", lacking});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.err,
              HasSubstr("note: service.enumerations: the file lacks names that the service has: "
                        "FormStatus = { 0 = \"None\", 1 = \"New\", "));
  write(usual_);
  const auto whole = command({"check"});
  EXPECT_THAT(whole.err, Not(HasSubstr("service.enumerations")));
}

TEST_F(Check, SaysWhereNobodyIsMailedUntilAPersonApproves) {
  crm_.insert(orders(3));
  const std::string note =
      "push.orders.batch.ApproveAutomatically is not true: the service mails"
      " nobody until a person approves each batch there\n";
  const std::string by_hand = file("ApproveAutomatically = true", "ApproveAutomatically = false");
  EXPECT_THAT(bridge({"check", "-c", by_hand}).err, HasSubstr(note));
  EXPECT_THAT(bridge({"sync", "push", "-c", by_hand}).out, HasSubstr(note));
  EXPECT_THAT(bridge({"sync", "push", "-c", by_hand}).out, Not(HasSubstr(note))) << "nothing sent";
  write(usual_);
  EXPECT_THAT(command({"check"}).err, Not(HasSubstr("ApproveAutomatically")));
}

TEST_F(Check, NamesTheSettingOfAColumnThatTheQueryLacks) {
  const std::string config = file("when      = \"delivered_at\"", "when      = \"deliverd_at\"");
  const auto checked = bridge({"check", "-c", config});
  EXPECT_EQ(checked.status, 78);
  EXPECT_THAT(checked.err,
              HasSubstr("the query has no column \"deliverd_at\", which push.orders.when names (did"
                        " you mean \"delivered_at\"?); it has id, email,"));
  const std::string text = support::read_file(file("key       = \"id\"", "key       = \"number\""));
  const std::string same = replaced(text, "OrderNumber = \"id\"", "OrderNumber = \"number\"");
  EXPECT_THAT(bridge({"check", "-c", folder_.write("key.toml", same)}).err,
              HasSubstr("the query has no column \"number\", which push.orders.key names"));
  EXPECT_THAT(bridge({"check", "-c", folder_.write("key.toml", text)}).err,
              HasSubstr("must be the column \"number\", which push.orders.key names, and no more"));
}

// A store that is not there yet is named, and `check` makes nothing.
TEST_F(Check, MakesNoStore) {
  const auto checked = [&](const std::string& store) {
    return bridge({"check", "-c", file("[push.orders]", "[store]\n" + store + "\n[push.orders]")});
  };
  const std::string path = folder_.path() + "/store.db";
  const auto later = checked("connection = \"sqlite3://" + path + "\"");
  EXPECT_EQ(later.status, 0) << later.err;
  EXPECT_THAT(later.err, HasSubstr("store: there is no file \"" + path + "\" yet"));
  EXPECT_FALSE(std::filesystem::exists(path));
  const auto nowhere = checked("connection = \"sqlite3://" + path + "/x/store.db\"");
  EXPECT_EQ(nowhere.status, 69);
  EXPECT_THAT(nowhere.err, HasSubstr("store: there is no folder \"" + path + "/x\""));
  const Crm other(Server::postgresql);
  const auto schema =
      checked("connection = \"" + other.connection() + "\"\nschema = \"survey bridge\"");
  EXPECT_EQ(schema.status, 78);
  EXPECT_THAT(schema.err, HasSubstr("store: there is no schema \"survey bridge\""));
  const Crm third(Server::mariadb);
  const auto database =
      checked("connection = \"" + third.connection() + "\"\nschema = \"nowhere\"");
  EXPECT_NE(database.status, 0);
  EXPECT_THAT(database.err, HasSubstr("nowhere"));
}

// There a CREATE TABLE cannot be tried and taken back.
TEST_F(Check, NamesARoleOfMariadbThatMayCreateNoTable) {
  Crm other(Server::mariadb);
  const std::string role = "'maker'@'localhost'";
  other.execute("CREATE USER " + role);
  const std::string right = configuration(other.connection(), sandbox_.url());
  const std::string config = folder_.write("maker.toml", replaced(right, "UID=root", "UID=maker"));
  const std::string database = other.cell("SELECT DATABASE()");
  other.execute("GRANT SELECT ON `" + database + "`.* TO " + role);
  const auto refused = bridge({"check", "-c", config});
  const auto found = refused.err.find("GRANT CREATE");
  if (found != std::string::npos)
    other.execute(refused.err.substr(found, refused.err.find('\n', found) - found));
  const auto created = bridge({"check", "-c", config});
  const auto shown = bridge({"preview", "-c", config});
  const std::string tables = other.cell(
      "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"
      " AND table_name LIKE 'survey%'");
  other.execute("DROP USER " + role);
  EXPECT_EQ(refused.status, 78);
  EXPECT_THAT(refused.err, HasSubstr("database: the bridge's tables cannot be created: "));
  EXPECT_THAT(refused.err, HasSubstr("a database for the bridge alone is better ([store]"));
  const auto grant = refused.err.find("GRANT CREATE");
  ASSERT_NE(grant, std::string::npos) << refused.err;
  EXPECT_THAT(refused.err.substr(grant), HasSubstr(" ON `" + database + "`.* TO " + role + "\n"));
  EXPECT_THAT(created.err, Not(HasSubstr("cannot be created")));
  EXPECT_THAT(shown.err, Not(HasSubstr("denied"))) << "preview needs no other right";
  EXPECT_EQ(tables, "0");
}

TEST_F(Check, NamesTheColumnThatAServiceWithoutDataColumnsLacks) {
  const support::RawServer bare([](const auto&) {
    return support::RawServer::Said{support::ok(R"({"CustomerDataColumns":[]})")};
  });
  const std::string config =
      folder_.write("bare.toml", configuration(crm_.connection(), bare.url()));
  for (const char* command : {"check", "preview"}) {
    const auto ran = bridge({command, "-c", config});
    EXPECT_NE(ran.status, 0) << command;
    EXPECT_THAT(ran.err, HasSubstr("push.orders.correlate: the service has no data column "
                                   "\"OrderNumber\": it lists none at all"))
        << command;
  }
}

TEST_F(Check, TakesBothNamesOfPostgresql) {
  const Crm other(Server::postgresql);
  const std::string connection = other.connection();
  ASSERT_TRUE(connection.starts_with("postgresql://"));
  const std::string config = folder_.write(
      "bridge.toml", configuration("postgres" + connection.substr(10), sandbox_.url()));
  const auto checked = bridge({"check", "-c", config});
  EXPECT_EQ(checked.status, 0) << checked.err;
}

class IgnoredFilter : public BridgeAndSqlite {
 protected:
  IgnoredFilter() : BridgeAndSqlite({"--speed", "5000000", "--ignore", "Statuses"}) {
    crm_.insert(orders(20));
  }
  support::Finished run(const std::string& name, const std::string& filter) {
    write(replaced(usual_, "overlap = ", "filter  = { " + filter + " }\noverlap = "));
    return command({name});
  }
};

TEST_F(IgnoredFilter, IsNamedByCheckAndShownByStatusUntilItIsGone) {
  const std::string ignored = "Statuses = [99]", heeded = "IncludeNotes = true";
  EXPECT_EQ(run("sync", ignored).status, 1) << "somebody has to know";
  EXPECT_EQ(run("sync", ignored).status, 1);
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_customer"), "0");

  const auto checked = run("check", ignored);
  EXPECT_EQ(checked.status, 78);
  EXPECT_THAT(checked.err, HasSubstr("pull.customers: Statuses: the service ignores this filter"));

  const auto status = run("status", ignored);
  EXPECT_EQ(status.status, 1);
  EXPECT_THAT(status.out, HasSubstr("the service ignores Statuses"));

  EXPECT_EQ(run("check", heeded).status, 0);
  EXPECT_EQ(run("sync", heeded).status, 0);
  const auto after = run("status", heeded);
  EXPECT_EQ(after.status, 0) << after.out;
  EXPECT_THAT(after.out, Not(HasSubstr("ignores")));
  EXPECT_EQ(crm_.cell("SELECT count(*) FROM survey_customer"), "20");
}

}  // namespace
}  // namespace program
