#include <algorithm>

#include <libpq-fe.h>

#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/driver/error_text.hpp"
#include "connectors/crm/driver/notifications.hpp"
#include "connectors/crm/driver/postgresql_connection.hpp"

namespace surveybridge::crm {

namespace {

// A stop of the daemon does not wait longer for a host that does not answer.
constexpr const char* kConnectWithin = " connect_timeout=3";

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;
using Notified = std::unique_ptr<PGnotify, decltype(&PQfreemem)>;

DatabaseError lost(PGconn* connection, const ConnectionText& text) {
  return {DatabaseError::Kind::connection,
          without_secrets(shown_connect_error(PQerrorMessage(connection), {}), text)};
}

void listen_to(PGconn* connection, const std::string& channel) {
  const std::unique_ptr<char, decltype(&PQfreemem)> name(
      PQescapeIdentifier(connection, channel.data(), channel.size()), PQfreemem);
  const std::string statement = std::string("LISTEN ") + (name ? name.get() : "");
  const Answer answer(PQexec(connection, statement.c_str()), PQclear);
  if (PQresultStatus(answer.get()) == PGRES_COMMAND_OK) return;
  const char* state = PQresultErrorField(answer.get(), PG_DIAG_SQLSTATE);
  const std::string sqlstate = state != nullptr ? state : "08000";
  throw DatabaseError(kind_of_state(sqlstate),
                      shown_error(PQresultErrorMessage(answer.get()), {sqlstate}, statement),
                      {sqlstate});
}

// A pool accepts LISTEN, but the notification reaches the client that has the session then.
void refuse_pool(PGconn* connection) {
  const Answer answer(PQexec(connection, "SELECT pg_catalog.pg_backend_pid()"), PQclear);
  const bool told = PQresultStatus(answer.get()) == PGRES_TUPLES_OK;
  if (!told || PQgetvalue(answer.get(), 0, 0) == std::to_string(PQbackendPID(connection))) return;
  throw DatabaseError(DatabaseError::Kind::other,
                      "notify needs a session of the server's own, and a pool such as PgBouncer is"
                      " between: leave notify out, or connect to the server itself");
}

}  // namespace

struct Notifications::Session {
  ConnectionText text;
  Connection connection;
};

bool can_notify(const std::string& connection) {
  try {
    return parse_connection(connection).backend == ConnectionText::Backend::postgresql;
  } catch (const DatabaseError&) {
    return false;
  }
}

Notifications::Notifications(const std::string& connection,
                             const std::vector<std::string>& channels) {
  ConnectionText text = parse_connection(connection);
  const std::string pairs = postgresql_key_values(text.text) + kConnectWithin;
  Connection opened(PQconnectdb(pairs.c_str()), PQfinish);
  if (PQstatus(opened.get()) != CONNECTION_OK) throw lost(opened.get(), text);
  PQsetNoticeProcessor(
      opened.get(), [](void*, const char*) {}, nullptr);
  refuse_pool(opened.get());
  for (const auto& channel : channels)
    listen_to(opened.get(), channel);
  session_ = std::make_unique<Session>(Session{std::move(text), std::move(opened)});
}

Notifications::~Notifications() = default;

int Notifications::descriptor() const {
  return PQsocket(session_->connection.get());
}

std::vector<std::string> Notifications::take() {
  PGconn* connection = session_->connection.get();
  if (PQconsumeInput(connection) == 0 || PQstatus(connection) != CONNECTION_OK)
    throw lost(connection, session_->text);
  std::vector<std::string> channels;
  for (Notified notified(PQnotifies(connection), PQfreemem); notified;
       notified.reset(PQnotifies(connection))) {
    if (std::ranges::find(channels, notified->relname) == channels.end())
      channels.emplace_back(notified->relname);
  }
  return channels;
}

}  // namespace surveybridge::crm
