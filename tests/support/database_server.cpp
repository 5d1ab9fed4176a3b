#include "tests/support/database_server.hpp"

namespace support {

std::string server_name(const testing::TestParamInfo<DatabaseServer>& info) {
  switch (info.param) {
    case DatabaseServer::postgresql:
      return "postgresql";
    case DatabaseServer::odbc:
      return "odbc";
    case DatabaseServer::mariadb:
      return "mariadb";
    case DatabaseServer::mysql:
      return "mysql";
    case DatabaseServer::sqlite:
      break;
  }
  return "sqlite";
}

bool speaks_mysql(DatabaseServer server) {
  return server == DatabaseServer::mariadb || server == DatabaseServer::mysql;
}

}  // namespace support
