// A company's CRM with a table of orders, in any kind of database; the service's stand-in, whose
// customers do not change unless a test says so; and the usual configuration of the bridge between
// them, with one push, all pulls and short intervals. Each test changes what it needs.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "tests/program/bridge.hpp"
#include "tests/support/database_server.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {

using support::server_name;
using Server = support::DatabaseServer;

struct Order {
  std::int64_t id = 0;
  std::string email, first_name, last_name, phone;
  std::string amount;                                               // exact
  std::chrono::local_time<std::chrono::microseconds> delivered_at;  // in Amsterdam
  std::optional<std::string> remark;
  std::optional<int> grade;
  int priority = 0;
};

// Orders of 2025, eight hours apart, with ids from `first`.
std::vector<Order> orders(int count, std::int64_t first = 1);

// Reads the table of orders and uses the sandbox's built-in data columns.
std::string configuration(const std::string& connection, const std::string& base_url);
// `text`, and a status page on this port of 127.0.0.1; `more`: further lines of [status].
std::string with_page(const std::string& text, int port, const std::string& more = "");
// `text` with each `old` replaced by `with`; std::invalid_argument if there is none.
std::string replaced(std::string text, const std::string& old, const std::string& with);
// Without [[pull.customers.write]]: nothing of the CRM is to be written.
std::string without_writes(const std::string& text);
// The section [store] with this connection.
std::string store_in(const std::string& connection);

class Crm {
 public:
  explicit Crm(Server server);
  // In a server of the test, which it may stop and start.
  explicit Crm(support::PostgresServer& server);
  // The same database of PostgreSQL, seen from a new schema with an empty table of orders.
  Crm(const Crm& other, const std::string& schema);

  // The value of `[crm] connection`.
  const std::string& connection() const { return connection_; }
  // The test's own session.
  surveybridge::crm::Database& database() { return *database_; }
  // Another session.
  std::unique_ptr<surveybridge::crm::Database> open() const;
  // After the server was stopped.
  void reconnect() { database_ = open(); }

  void insert(const std::vector<Order>& orders);
  void execute(const std::string& sql) { database_->execute({sql, {}}); }
  // Cells as text, NULL as "-"; rows in the order of the query.
  std::vector<std::vector<std::string>> rows(const std::string& sql);
  // The only cell of a query.
  std::string cell(const std::string& sql) { return rows(sql).at(0).at(0); }
  std::string count(const std::string& from) { return cell("SELECT COUNT(*) FROM " + from); }

 private:
  support::TemporaryFolder folder_{support::TemporaryFolder::Place::memory};
  std::string connection_, schema_;
  std::unique_ptr<surveybridge::crm::Database> database_;
};

// The CREATE TABLE of a Crm.
std::string table_of_orders(Server server);
// The demo's orders instead.
void make_demo_orders(Crm& crm, Server server);
// Within the caller's transaction.
void insert_into(surveybridge::crm::Database& database, const std::vector<Order>& orders);
// A value as text in one spelling, for every database.
std::string plain(const surveybridge::mapping::Value& value);

struct BridgeOn {
  explicit BridgeOn(Server server, const Arguments& service = {"--speed", "0"})
      : crm_(server), sandbox_(service) {}
  explicit BridgeOn(support::PostgresServer& server, const Arguments& service = {"--speed", "0"})
      : crm_(server), sandbox_(service) {}

  support::Finished command(const Arguments& words) { return program::command(words, config_); }
  support::Finished expect(const Arguments& words, int status, const Said& out = testing::_,
                           const Said& err = testing::_) {
    return program::expect(with_file(words, config_), status, out, err);
  }
  // What it tells a program.
  nlohmann::json told(Arguments words, int status = 0) {
    words.emplace_back("--json");
    return nlohmann::json::parse(expect(words, status).out);
  }
  // Another configuration in the same file, whose path is returned.
  std::string write(const std::string& text) { return folder_.write("bridge.toml", text); }
  // The first run, which makes the bridge's tables.
  void make_tables() {
    ASSERT_EQ(command({"forget", "--unknown", "nobody@example.test"}).status, 0);
  }
  // The query's only cell is this before a minute is over, and the daemon lives.
  bool comes(const std::string& query, const std::string& cell, Daemon& daemon) {
    return daemon.until([&] { return crm_.cell(query) == cell; });
  }
  // A row of the ledger, of the first of November 2026.
  void add_row(const std::string& key, const std::string& state) {
    crm_.execute(
        "INSERT INTO survey_push (push, key, state, attempts, seen_at, changed_at, test)"
        " VALUES ('orders', '" +
        key + "', '" + state + "', 1, '2026-11-01 00:00:00', '2026-11-01 00:00:00', 0)");
  }
  // How many transactions have this state.
  std::string in_state(const std::string& state) {
    return crm_.count("survey_push WHERE state = '" + state + "'");
  }

  Crm crm_;
  SandboxProgram sandbox_;
  support::TemporaryFolder folder_{support::TemporaryFolder::Place::memory};
  const std::string usual_ = configuration(crm_.connection(), sandbox_.url());
  std::string config_ = write(usual_);
};

struct BridgeAndCrm : testing::TestWithParam<Server>, BridgeOn {
  explicit BridgeAndCrm(const Arguments& service = {"--speed", "0"})
      : BridgeOn(GetParam(), service) {}
};

// Where the database makes no difference to what is proved.
struct BridgeAndSqlite : testing::Test, BridgeOn {
  explicit BridgeAndSqlite(const Arguments& service = {"--speed", "0"})
      : BridgeOn(Server::sqlite, service) {}
};

struct BridgeAndPostgresql : testing::Test, BridgeOn {
  explicit BridgeAndPostgresql(const Arguments& service = {"--speed", "0"})
      : BridgeOn(Server::postgresql, service) {}
};

}  // namespace program
