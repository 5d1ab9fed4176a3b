// The databases that a test can be run with.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace support {

enum class DatabaseServer { sqlite, postgresql, odbc, mariadb, mysql };  // odbc: PostgreSQL by ODBC

// MariaDB and MySQL share their types, statements and settings but for a few.
bool speaks_mysql(DatabaseServer server);

// The name of a test's parameter.
std::string server_name(const testing::TestParamInfo<DatabaseServer>& info);

}  // namespace support
