// Parses [crm] connection: the backend, and the text for SOCI. Nothing is connected.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::crm {

struct ConnectionText {
  enum class Backend { postgresql, odbc, sqlite } backend = Backend::sqlite;
  std::string text;                  // without the scheme
  std::vector<std::string> secrets;  // passwords in it, as they are written and as the driver
                                     // reads them: never part of an error message
};

// "postgresql://host=… dbname=…", "postgresql://user@host:5432/db?sslmode=verify-full" (also
// "postgres://"), "odbc://DSN=…;UID=…", "sqlite3:///path", "sqlite3://path", "sqlite3://:memory:".
// Throws DatabaseError(connection), whose text shows at most the scheme: also where a password
// stands as it cannot be read back (an @, / or ? in a URL, a blank in a pair), or as the port of a
// URL whose host is missing.
ConnectionText parse_connection(std::string_view connection);

// A database that ends with its only session.
inline constexpr const char* kInMemory = "sqlite3://:memory:";

// The file of a database that is one; empty: the database is none.
std::filesystem::path database_file(const std::string& connection);

// With an absolute path where the text names a relative one: the daemon runs in another folder.
std::string with_whole_path(const std::string& connection);

// The text with `password` in place of the first "***", written so that it is read back as it is:
// in braces or quotes, or encoded, as the form of the text wants it. Unchanged without "***".
std::string with_password(std::string connection, const std::string& password);

// The host of the server that, over a network, proves by no certificate that it is the one; empty:
// it does, or it is on this machine, or that is not known (a DSN, a service). Throws as above.
std::string unverified_host(std::string_view connection);

// Is a password part of the text? False for a text that parse_connection() refuses.
bool has_password(std::string_view connection);

// The value of a key (in small letters) of an ODBC text, without the scheme; empty: none.
std::string odbc_value(std::string_view text, std::string_view key);

// "host:port/database", as far as an ODBC text names them: the messages of these drivers do not.
// Empty for others, and where a name has characters that no such name has.
std::string server_of(const ConnectionText& connection);

// `message` with each secret of the connection replaced by "***"; one below four bytes only as a
// whole word.
std::string without_secrets(std::string message, const ConnectionText& connection);

}  // namespace surveybridge::crm
