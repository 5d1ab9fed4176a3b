#include "connectors/crm/driver/postgresql_refusal.hpp"

#include <chrono>
#include <memory>
#include <sstream>

#include <libpq-fe.h>
#include <poll.h>

#include "config/text.hpp"
#include "connectors/crm/driver/connection_text.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLongest = 10s;
constexpr std::size_t kStateSize = 5;

// Until the connect has succeeded, failed, or taken too long.
PostgresPollingStatusType finished(PGconn* connection) {
  const auto end = Clock::now() + kLongest;
  auto state = PGRES_POLLING_WRITING;
  while (state == PGRES_POLLING_WRITING || state == PGRES_POLLING_READING) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    pollfd socket{PQsocket(connection),
                  static_cast<short>(state == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
    if (left <= 0ms || ::poll(&socket, 1, static_cast<int>(left.count())) <= 0) break;
    state = PQconnectPoll(connection);
  }
  return state;
}

bool is_state(const std::string& word) {
  return word.size() == kStateSize &&
         word.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos &&
         word.find_first_of("0123456789") != std::string::npos;
}

std::string key_value(const std::string& key, const std::string& value) {
  std::string text = " " + key + "='";
  for (const char c : value) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text + "'";
}

}  // namespace

// Each line is of a host that was tried, and ends with the state that it gave: of several hosts the
// last one counts.
std::optional<std::string> state_of_refusal(const std::string& key_values) {
  const std::unique_ptr<PGconn, decltype(&PQfinish)> connection(PQconnectStart(key_values.c_str()),
                                                                PQfinish);
  if (!connection || PQstatus(connection.get()) == CONNECTION_BAD) return std::nullopt;
  PQsetErrorVerbosity(connection.get(), PQERRORS_SQLSTATE);
  if (finished(connection.get()) != PGRES_POLLING_FAILED) return std::nullopt;
  std::istringstream words(PQerrorMessage(connection.get()));
  std::string word, last;
  while (words >> word)
    last = word;
  return is_state(last) ? std::optional(last) : std::nullopt;
}

std::optional<std::string> state_of_odbc_refusal(const std::string& text) {
  const std::string driver = config::lower_case(odbc_value(text, "driver"));
  const std::string host = odbc_value(text, "server");
  const bool is_postgresql =
      driver.find("postgres") != std::string::npos || driver.find("psql") != std::string::npos;
  if (!is_postgresql || host.empty()) return std::nullopt;
  std::string key_values = key_value("host", host);
  for (const auto& [key, name] :
       {std::pair{"port", "port"}, std::pair{"dbname", "database"}, std::pair{"user", "uid"},
        std::pair{"password", "pwd"}, std::pair{"sslmode", "sslmode"}})
    if (const std::string value = odbc_value(text, name); !value.empty())
      key_values += key_value(key, value);
  return state_of_refusal(key_values);
}

}  // namespace surveybridge::crm
