// What [crm] connection says, taken apart: which backend, and the text that SOCI gives it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::crm {

struct ConnectionText {
  enum class Backend { postgresql, odbc, sqlite } backend = Backend::sqlite;
  std::string text;                  // without the scheme
  std::vector<std::string> secrets;  // passwords in it: they never reach an error
};

// "postgresql://host=… dbname=…", "postgresql://user@host:5432/db?sslmode=require" (also
// "postgres://"), "odbc://DSN=…;UID=…", "sqlite3:///path", "sqlite3://path", "sqlite3://:memory:".
// Throws DatabaseError(connection); its text shows no more than the scheme.
ConnectionText parse_connection(std::string_view connection);

// `message` with each secret of the connection replaced by "***".
std::string without_secrets(std::string message, const ConnectionText& connection);

}  // namespace surveybridge::crm
