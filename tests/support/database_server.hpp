// The databases that a test can be run with.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace support {

enum class DatabaseServer { sqlite, postgresql, odbc, mariadb };  // odbc: PostgreSQL by ODBC

// The name of a test's parameter.
std::string server_name(const testing::TestParamInfo<DatabaseServer>& info);

}  // namespace support
