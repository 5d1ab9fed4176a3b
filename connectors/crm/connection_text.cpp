#include "connectors/crm/connection_text.hpp"

#include "connectors/crm/database.hpp"

namespace surveybridge::crm {
namespace {

using Backend = ConnectionText::Backend;

[[noreturn]] void refuse(const std::string& rule) {
  throw DatabaseError(DatabaseError::Kind::connection, "crm.connection: " + rule);
}

// SOCI takes a text with '=' for key=value pairs, so such a path needs its quotes.
ConnectionText sqlite(std::string_view path) {
  if (path.empty()) refuse("sqlite3:// needs a path");
  if (path.find('=') == std::string_view::npos) return {Backend::sqlite, std::string(path), {}};
  if (path.find('"') != std::string_view::npos)
    refuse("a path with both = and \" cannot be opened");
  return {Backend::sqlite, "dbname=\"" + std::string(path) + "\"", {}};
}

}  // namespace

ConnectionText parse_connection(std::string_view connection) {
  const auto mark = connection.find("://");
  if (mark == std::string_view::npos) {
    refuse("expected postgresql://, odbc:// or sqlite3:// before anything else");
  }
  const std::string_view scheme = connection.substr(0, mark);
  const std::string_view rest = connection.substr(mark + 3);
  if (scheme == "sqlite3") return sqlite(rest);
  if (scheme == "postgresql") return {Backend::postgresql, std::string(rest), {}};
  if (scheme == "odbc") return {Backend::odbc, std::string(rest), {}};
  refuse("unknown scheme; expected postgresql://, odbc:// or sqlite3://");
}

std::string without_secrets(std::string message, const ConnectionText& connection) {
  for (const std::string& secret : connection.secrets) {
    if (secret.empty()) continue;
    for (auto at = message.find(secret); at != std::string::npos; at = message.find(secret, at)) {
      message.replace(at, secret.size(), "***");
      at += 3;
    }
  }
  return message;
}

}  // namespace surveybridge::crm
