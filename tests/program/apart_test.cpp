// The bridge's own tables in a place of their own ([store]): a CRM that may only be read, a
// standby, a CRM that is away for a while, and two services beside each other in one database.
#include <gmock/gmock.h>

#include "tests/program/bridge.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/program/tables.hpp"

namespace program {
namespace {

constexpr int kInvited = 1000;

std::string stored_in(const std::string& connection) {
  return "[store]\nconnection = \"" + connection + "\"\n";
}

// Without [[pull.customers.write]]: nothing of the CRM is to be written.
std::string without_writes(const std::string& text) {
  const auto from = text.find("[[pull.customers.write]]");
  return text.substr(0, from) + text.substr(text.find("[pull.ratings]"));
}

// A PostgreSQL that logs who changes what.
class CrmThatIsOnlyRead : public testing::Test {
 protected:
  CrmThatIsOnlyRead() { crm_.insert(orders(kInvited)); }

  std::string configured(const std::string& connection) {
    return folder_.write("bridge.toml",
                         replaced(without_writes(configuration(connection, sandbox_.url())),
                                  "SELECT * FROM orders", "SELECT * FROM invitable") +
                             stored_in("sqlite3://" + folder_.path() + "/store.db"));
  }
  std::string connection_of(const std::string& user) const {
    return replaced(crm_.connection(), "user=bridge", "user=" + user);
  }
  std::vector<std::vector<std::string>> relations() {
    return crm_.rows(
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v', 'S', 'm') AND relnamespace ="
        " 'public'::regnamespace ORDER BY relname");
  }

  support::PostgresServer server_{{"log_statement=mod", "log_line_prefix=<%u> "}};
  Crm crm_{server_};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
};

TEST_F(CrmThatIsOnlyRead, IsPushedFromByARoleThatMayReadOneViewAndNotWrittenByOneThatMayWrite) {
  crm_.execute("CREATE VIEW invitable AS SELECT * FROM orders");
  crm_.execute("CREATE ROLE reader LOGIN");
  crm_.execute("GRANT SELECT ON invitable TO reader");
  crm_.execute("CREATE ROLE owner SUPERUSER LOGIN");
  const std::string config = configured(connection_of("reader"));
  const auto checked = command({"check"}, config);
  EXPECT_EQ(checked.status, 0) << checked.err;
  const auto synced = command({"sync"}, config);
  EXPECT_EQ(synced.status, 0) << synced.err;
  EXPECT_EQ(sandbox_.customers().size(), 1000u);
  EXPECT_EQ(command({"verify"}, config).status, 0);
  crm_.insert(orders(10, kInvited + 1));
  EXPECT_EQ(command({"sync"}, configured(connection_of("owner"))).status, 0);
  EXPECT_EQ(sandbox_.customers().size(), 1010u);
  const std::string log = server_.log();
  EXPECT_NE(log.find("CREATE VIEW invitable"), std::string::npos) << "it logs changes";
  EXPECT_EQ(log.find("<reader> "), std::string::npos) << "no change, and no refusal";
  EXPECT_EQ(log.find("<owner> "), std::string::npos);
  EXPECT_EQ(relations(), (std::vector<std::vector<std::string>>{{"invitable"}, {"orders"}}));
}

TEST_F(CrmThatIsOnlyRead, MayBeAHotStandby) {
  crm_.execute("CREATE VIEW invitable AS SELECT * FROM orders");
  // A copy that is made now has every row, whatever it has received of the stream.
  const auto standby = support::PostgresServer::standby_of(server_);
  const std::string connection =
      replaced(crm_.connection(), "port=" + std::to_string(server_.port()),
               "port=" + std::to_string(standby->port()));
  const std::string config = configured(connection);
  const auto checked = command({"check"}, config);
  EXPECT_EQ(checked.status, 0) << checked.err;
  const auto synced = command({"sync"}, config);
  EXPECT_EQ(synced.status, 0) << synced.err;
  EXPECT_EQ(sandbox_.customers().size(), 1000u);
  EXPECT_EQ(standby->sql("postgres", "SELECT pg_is_in_recovery()"), "t");
}

TEST(CrmThatIsNotWritten, RefusesAQueryThatWrites) {
  Crm crm(Server::postgresql);
  crm.insert(orders(1));
  crm.execute("CREATE SEQUENCE numbers");
  const SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  for (const char* query :
       {"SELECT *, nextval('numbers') AS number FROM orders", "SELECT * FROM orders FOR UPDATE"}) {
    const std::string config = folder.write(
        "bridge.toml", replaced(without_writes(configuration(crm.connection(), sandbox.url())),
                                "SELECT * FROM orders", query) +
                           stored_in("sqlite3://" + folder.path() + "/store.db"));
    const auto checked = command({"check"}, config);
    EXPECT_EQ(checked.status, 78) << query << checked.err;
    EXPECT_NE(checked.err.find("with [store] the CRM is only read, and the query writes"),
              std::string::npos)
        << checked.err;
    const auto synced = command({"sync", "push"}, config);
    EXPECT_EQ(synced.status, 78) << query << synced.out << synced.err;
    EXPECT_NE(synced.err.find("with [store] the CRM is only read, and the query writes"),
              std::string::npos)
        << synced.err;
  }
  EXPECT_EQ(sandbox.customers().size(), 0u);
}

// A daemon whose CRM goes away and comes back.
TEST(CrmThatIsAway, HoldsUpNoPullAndIsWrittenAfterwards) {
  support::PostgresServer server;
  Crm crm(server);
  crm.insert(orders(kInvited));
  SandboxProgram sandbox({"--speed", "5000000"});
  const support::TemporaryFolder folder;
  const std::string store = "sqlite3://" + folder.path() + "/store.db";
  const std::string config = folder.write(
      "bridge.toml", configuration(crm.connection(), sandbox.url()) + stored_in(store));
  ASSERT_EQ(command({"sync", "push"}, config).status, 0);
  server.stop();
  const auto pulled = command({"sync", "pull"}, config);
  EXPECT_NE(pulled.status, 0) << "what is written back is left";
  const auto tables = surveybridge::crm::open_database(store);
  const auto count = [&](const std::string& table) {
    return plain(tables->query({"SELECT count(*) FROM " + table, {}}).rows.at(0).at(0));
  };
  EXPECT_NE(count("survey_customer"), "0");
  EXPECT_EQ(count("survey_write_queue"), count("survey_customer"));
  server.start();
  crm.reconnect();
  const std::string told = count("survey_write_queue") + " changes are queued for the CRM";
  EXPECT_NE(command({"status"}, config).out.find(told), std::string::npos) << told;
  EXPECT_EQ(command({"sync", "pull"}, config).status, 0);
  EXPECT_EQ(count("survey_write_queue"), "0");
  EXPECT_EQ(crm.cell("SELECT count(*) FROM orders WHERE survey_status IS NOT NULL"),
            count("survey_customer"));
}

// A CRM whose columns are to be emptied: it is away, or a daemon writes into it.
class ForgetApart : public testing::Test {
 protected:
  ForgetApart() {
    crm_.insert(orders(2));
    EXPECT_EQ(command({"sync", "push"}, config_).status, 0);
    tables_ = surveybridge::crm::open_database(store_);
  }
  std::string forgotten() {
    return plain(tables_->query({"SELECT count(*) FROM survey_person WHERE kind = 'forgotten'", {}})
                     .rows.at(0)
                     .at(0));
  }

  support::PostgresServer server_;
  Crm crm_{server_};
  SandboxProgram sandbox_{{"--speed", "0"}};
  const support::TemporaryFolder folder_;
  const std::string store_ = "sqlite3://" + folder_.path() + "/store.db";
  const std::string config_ = folder_.write(
      "bridge.toml", replaced(configuration(crm_.connection(), sandbox_.url()),
                              "table = \"orders\"\n", "table = \"orders\"\nforget = true\n") +
                         stored_in(store_));
  std::unique_ptr<surveybridge::crm::Database> tables_;
};

TEST_F(ForgetApart, MarksWhomTheBridgeKnowsWhileTheCrmIsAway) {
  server_.stop();
  const auto stranger = command({"forget", "stranger@example.test"}, config_);
  EXPECT_EQ(stranger.status, 69) << stranger.err;
  EXPECT_EQ(forgotten(), "0") << "it may be a typing error";
  const auto known = command({"forget", orders(1)[0].email}, config_);
  EXPECT_EQ(known.status, 69) << known.err;
  EXPECT_NE(known.err.find("nothing is erased yet: "), std::string::npos) << known.err;
  EXPECT_EQ(forgotten(), "1");
  server_.start();
  crm_.reconnect();
}

TEST_F(ForgetApart, MarksWhomTheBridgeKnowsWhereADaemonGoesOnWriting) {
  tables_->execute(
      {"INSERT OR REPLACE INTO survey_lease (name, owner, fence, expires_at) VALUES"
       " ('write.customers', 'a daemon', 7,"
       " strftime('%Y-%m-%dT%H:%M:%f000Z', 'now', '+30 minutes'))",
       {}});
  support::ChildProcess waits(bridge_program({"forget", orders(1)[0].email, "-c", config_}));
  ASSERT_TRUE(waits.wait_for("still waits for the database", std::chrono::minutes{1}));
  waits.signal(SIGTERM);
  EXPECT_EQ(waits.wait(std::chrono::seconds{30}), 69);
  EXPECT_NE(waits.err().find("nothing is erased yet: the daemon writes into the CRM"),
            std::string::npos)
      << waits.err();
  EXPECT_EQ(forgotten(), "1");
}

TEST(CrmWithoutRoom, IsNamedWithColumnAndReason) {
  Crm crm(Server::postgresql);
  crm.insert(orders(20));
  crm.execute("ALTER TABLE orders ALTER COLUMN survey_status TYPE varchar(3)");
  SandboxProgram sandbox({"--speed", "0"});
  const support::TemporaryFolder folder;
  const std::string config =
      folder.write("bridge.toml", configuration(crm.connection(), sandbox.url()) +
                                      stored_in("sqlite3://" + folder.path() + "/store.db"));
  const auto synced = command({"sync"}, config);
  const std::string told =
      "not written into orders.survey_status: the value is too long for the column";
  const auto first = synced.err.find(told);
  EXPECT_NE(first, std::string::npos) << synced.err;
  EXPECT_EQ(synced.err.find(told, first + 1), std::string::npos) << "once";
  const auto shown = command({"status"}, config);
  EXPECT_EQ(shown.status, 1) << "a person is needed";
  EXPECT_NE(shown.out.find("20 records are not in orders.survey_status"), std::string::npos)
      << shown.out;
  crm.execute("ALTER TABLE orders ALTER COLUMN survey_status TYPE text");
  EXPECT_EQ(command({"write-back", "customers", "--json"}, config).out,
            "{\"list\":\"customers\",\"tables\":[\"orders\"]}\n");
  EXPECT_EQ(command({"write-back", "customers"}, config).out,
            "all stored customers will be written again by the daemon or the next `sync`\n");
  EXPECT_EQ(command({"sync", "pull"}, config).status, 0);
  const auto mended = command({"status"}, config);
  EXPECT_EQ(mended.out.find("records are not in"), std::string::npos) << mended.out;
  EXPECT_EQ(crm.cell("SELECT count(*) FROM orders WHERE survey_status IS NOT NULL"), "20");
}

// MariaDB's schemas are the databases of its server.
TEST(TwoBridges, HaveADatabaseEachInOneMariadb) {
  Crm crm(Server::mariadb), live(Server::mariadb), test(Server::mariadb);
  crm.insert(orders(kInvited));
  const support::TemporaryFolder folder;
  SandboxProgram live_service({"--speed", "0"}), test_service({"--speed", "0"});
  const auto config = [&](const char* name, Crm& tables, const SandboxProgram& service) {
    return folder.write(std::string(name) + ".toml",
                        without_writes(configuration(crm.connection(), service.url())) +
                            "[store]\nschema = \"" + tables.cell("SELECT DATABASE()") + "\"\n");
  };
  EXPECT_EQ(command({"sync"}, config("live", live, live_service)).status, 0);
  const auto before = snapshot(live, Server::mariadb);
  EXPECT_EQ(command({"sync"}, config("test", test, test_service)).status, 0);
  EXPECT_EQ(live_service.customers().size(), 1000u);
  EXPECT_EQ(test_service.customers().size(), 1000u);
  EXPECT_EQ(snapshot(live, Server::mariadb), before);
  EXPECT_EQ(test.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"), "1000");
  EXPECT_EQ(crm.cell("SELECT count(*) FROM information_schema.tables WHERE table_schema ="
                     " DATABASE()"),
            "1");
}

// Test and live, or two services: each bridge has a schema of the same database.
TEST(TwoBridges, LiveBesideEachOtherInOneDatabase) {
  Crm crm(Server::postgresql);
  crm.insert(orders(kInvited));
  const support::TemporaryFolder folder;
  SandboxProgram live_service({"--speed", "0"}), test_service({"--speed", "0"});
  Crm live(crm, "live"), test(crm, "test");
  const auto config = [&](const char* schema, const SandboxProgram& service) {
    return folder.write(std::string(schema) + ".toml",
                        without_writes(configuration(crm.connection(), service.url())) +
                            "[store]\nschema = \"" + schema + "\"\n");
  };
  const std::string live_config = config("live", live_service);
  const std::string test_config = config("test", test_service);
  EXPECT_EQ(command({"sync"}, live_config).status, 0);
  EXPECT_EQ(live_service.customers().size(), 1000u);
  EXPECT_EQ(test_service.customers().size(), 0u);
  const auto before = snapshot(live, Server::postgresql);
  EXPECT_EQ(command({"sync"}, test_config).status, 0);
  EXPECT_EQ(test_service.customers().size(), 1000u);
  EXPECT_EQ(live_service.customers().size(), 1000u);
  EXPECT_EQ(snapshot(live, Server::postgresql), before) << "the other's tables stay as they are";
  EXPECT_EQ(test.cell("SELECT count(*) FROM survey_push WHERE state = 'sent'"), "1000");
  EXPECT_EQ(crm.cell("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "1");
}

}  // namespace
}  // namespace program
