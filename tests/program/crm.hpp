// A company's CRM: a database with a table of orders, in PostgreSQL, in PostgreSQL or MariaDB by
// ODBC, or in SQLite.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "connectors/crm/driver/database.hpp"
#include "tests/program/orders.hpp"
#include "tests/support/database_server.hpp"
#include "tests/support/servers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {

using support::server_name;
using Server = support::DatabaseServer;

class Crm {
 public:
  explicit Crm(Server server);
  // In a server of the test, which it may stop and start.
  explicit Crm(support::PostgresServer& server);
  // The same database of PostgreSQL, seen from a new schema with an empty table of orders.
  Crm(const Crm& other, const std::string& schema);

  // The table of orders, in a database of PostgreSQL.
  static void make_orders(surveybridge::crm::Database& database);

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

 private:
  support::TemporaryFolder folder_;
  std::string connection_, schema_;
  std::unique_ptr<surveybridge::crm::Database> database_;
};

// Within the caller's transaction.
void insert_into(surveybridge::crm::Database& database, const std::vector<Order>& orders);

// A value as text in one spelling, for every database.
std::string plain(const surveybridge::mapping::Value& value);

}  // namespace program
