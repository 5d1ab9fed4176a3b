#include "tests/crm/conformance.hpp"

#include "tests/support/servers.hpp"

namespace surveybridge::crm {

OnEveryDatabase::OnEveryDatabase() {
  if (GetParam() == Server::sqlite) {
    connection_ = "sqlite3://" + folder_.path() + "/crm.db";
    return;
  }
  auto& server = support::PostgresServer::shared();
  name_ = server.create_database();
  connection_ = GetParam() == Server::odbc ? server.odbc(name_) : server.native(name_);
}

OnEveryDatabase::~OnEveryDatabase() {
  open_.clear();
  if (!name_.empty()) support::PostgresServer::shared().drop_database(name_);
}

Database& OnEveryDatabase::open() {
  return *open_.emplace_back(open_database(connection_));
}

std::string database_name(const testing::TestParamInfo<Server>& info) {
  switch (info.param) {
    case Server::postgresql:
      return "postgresql";
    case Server::odbc:
      return "odbc";
    case Server::sqlite:
      break;
  }
  return "sqlite";
}

}  // namespace surveybridge::crm
