// What differs between SOCI's backends: setting up a session, passing SQL and parameters, and
// reading a result from the native handle (soci::row loses data). One file for each backend
// implements it; only that file includes the backend. Drivers have no state of a connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <soci/soci.h>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

inline constexpr std::size_t kRowsMax = 100'000;

class Driver {
 public:
  using Backend = soci::details::statement_backend;

  virtual ~Driver() = default;

  // Throws DatabaseError(connection) or SOCI's error.
  virtual std::unique_ptr<soci::session> open(const std::string& connection) = 0;
  virtual Dialect dialect() const = 0;
  // The session was told something that is no longer so: it is opened anew between transactions.
  virtual bool is_stale() const { return false; }
  virtual void begin(soci::session& session) = 0;

  // True: a pool gives the server's sessions to other clients between transactions. Settings of a
  // session are lost then, so that each transaction begins with its own. Known once connected.
  virtual bool is_pooled() const { return false; }
  // Behind a pool: statements SET …, each for every transaction.
  virtual void tell_each_transaction(const std::vector<std::string>& settings, bool reads_only) {
    static_cast<void>(settings), static_cast<void>(reads_only);
  }
  // Behind a pool: `sql`, outside of a transaction, changes the isolation of the next transactions,
  // which the driver keeps. False: it is another statement.
  virtual bool keeps_setting(const std::string& sql) {
    static_cast<void>(sql);
    return false;
  }

  // `sql` has parameters :p1 to :pN; `again` says that it will be executed more than once.
  virtual void prepare(Backend& statement, const std::string& sql, std::size_t parameters,
                       bool again) = 0;
  // The values must live until the statement has been executed.
  virtual void bind(Backend& statement, const std::vector<Value>& values) = 0;
  // Returns whether a first row is ready.
  virtual bool execute(soci::statement& statement) { return statement.execute(true); }
  // After the execution: every row, or the number of changed rows. `first`: a row is ready.
  using RowTaker = std::function<void(std::vector<Value>&& row)>;
  virtual std::vector<Column> read_rows(Backend& statement, bool first, const RowTaker& take) = 0;
  virtual std::int64_t changed(Backend& statement, bool first) = 0;
  // After that: true where the statement may be bound and executed again while the session lasts.
  // It holds nothing of this execution then.
  virtual bool can_repeat(Backend& statement, std::string_view sql) {
    static_cast<void>(statement), static_cast<void>(sql);
    return false;
  }

  // See Database::copy_from().
  virtual bool copy(soci::session&, const std::string&, const RowSource&) { return false; }

  // `session`: none where the connect has failed. `statement`: the one that was at work, if any.
  virtual DatabaseError translate(const soci::soci_error& error, soci::session* session,
                                  std::string_view statement) = 0;
};

// `zone`: of the session, see open_database().
// `keeps_journal`: the file stays in its journal mode.
std::unique_ptr<Driver> make_sqlite_driver(bool reads_only, bool keeps_journal);
std::unique_ptr<Driver> make_postgresql_driver(const std::string& zone);
std::unique_ptr<Driver> make_odbc_driver(const std::string& zone,
                                         std::chrono::milliseconds statement_timeout);

// Their libraries as they are loaded: "SQLite 3.40.1", "PostgreSQL (libpq 15.14)".
std::string sqlite_library();
std::string postgresql_library();

}  // namespace surveybridge::crm
