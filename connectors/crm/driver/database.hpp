// A connection to the CRM's database of any kind. An interface without state, so that a test can
// add a layer (faults, a clock of its own); the real one is SociDatabase. A database belongs to one
// thread. Errors are exceptions: a step with an error cannot continue.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "connectors/crm/dialect/dialect.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::crm {

using mapping::Instant;
using mapping::Value;

// The kind of a result's column, as far as the database tells it.
enum class ColumnKind {
  boolean,
  integer,
  decimal,
  real,
  bits,  // of MariaDB; its value is a number, as that of a small integer
  text,
  instant,
  local_time,
  date,
  bytes,
  other
};

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::other;
  bool padded = false;  // by ODBC, a CHAR: with blanks that do not count
};

// At most 100,000 rows (read_each() has no limit), and 64 MiB in a cell; more is a DatabaseError.
// Cells lose nothing: integers are int64, numeric and floats Decimal (exact, without exponent),
// timestamps with a zone Instant, timestamps without a zone and dates LocalTime. A value of another
// type (interval, uuid, infinity) is the database's text. In SQLite each cell has its own type; a
// text is a date only in a column declared DATE, DATETIME or TIMESTAMP, and 0 or 1 a boolean only
// in one declared BOOLEAN.
struct Result {
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
};

// SQL with parameters :p1, :p2, … each once and in this order. An Instant is bound in SQLite as
// "YYYY-MM-DDTHH:MM:SS.ffffffZ", which sorts as text and which julianday() reads. A NUL character
// in a text becomes U+FFFD: no database stores it. An Enumerator cannot be bound.
struct Statement {
  std::string sql;
  std::vector<Value> parameters;
};

// Gives rows one by one to the function; a row is valid during the call.
using RowSink = std::function<void(const std::vector<Value>& row)>;
using RowSource = std::function<void(const RowSink& take)>;

// An error as the database reports it: its SQLSTATE, and the number of a driver that has one.
struct ErrorCode {
  std::string sqlstate = {};
  int number = 0;
};

// The database refused or failed a statement. The text has no values of a row. What to do about it
// is decided by kind and code: a server writes the text in its own language.
struct DatabaseError : std::runtime_error {
  enum class Kind {
    connection,  // not reachable, or lost: reconnect and try later
    busy,        // lock, deadlock, serialization: the transaction may be repeated
    constraint,  // a key or check was violated
    too_large,   // a value is longer than what is read or sent in one piece
    other,       // the statement is wrong, or a privilege is missing
  };
  DatabaseError(Kind k, const std::string& what, ErrorCode c = {})
      : std::runtime_error(what), kind(k), code(std::move(c)) {}
  Kind kind;
  ErrorCode code;
};

class Database {
 public:
  virtual ~Database() = default;
  virtual Dialect dialect() const = 0;
  virtual Result query(const Statement& statement) = 0;
  // A query without parameters whose result may have any number of rows: `row` gets one after the
  // other, and may be called though the query fails later. Returns the columns. A layer that does
  // not pass it on reads the result as query() does.
  virtual std::vector<Column> read_each(const std::string& sql, const RowSink& row) {
    const Result result = query({sql, {}});
    for (const auto& cells : result.rows)
      row(cells);
    return result.columns;
  }
  // Returns the number of changed rows.
  virtual std::int64_t execute(const Statement& statement) = 0;
  // The same statement for each row of parameters, prepared once. Returns the sum of changed rows.
  virtual std::int64_t execute_each(const std::string& sql,
                                    const std::vector<std::vector<Value>>& rows) = 0;
  // Inserts whole rows by COPY, several times as fast as a statement with arrays: the text of
  // copy_text.hpp. The database stores the first rows while `rows` gives the next ones; without any
  // row nothing is executed. False: this database has no such thing, or a layer over it does not
  // pass it on; nothing was done.
  virtual bool copy_from(const std::string& sql, const RowSource& rows) {
    static_cast<void>(sql), static_cast<void>(rows);
    return false;
  }
  bool copy(const std::string& sql, const std::vector<std::vector<Value>>& rows) {
    return copy_from(sql, [&](const RowSink& take) {
      for (const auto& row : rows)
        take(row);
    });
  }
  // SQLite: BEGIN IMMEDIATE. After an error in a transaction only rollback() is allowed: every
  // other call, also commit(), throws.
  virtual void begin() = 0;
  virtual void commit() = 0;
  virtual void rollback() noexcept = 0;
  // The database's clock, UTC.
  virtual Instant now() = 0;
};

// Opens a connection: "postgresql://…" (URI or key=value), "odbc://DSN=…;…", "sqlite3://PATH".
// SQLite: foreign keys, busy time-out 5 s, and WAL; a session that only reads or has a lock_timeout
// leaves the file in its journal mode. `zone`: an IANA zone for what SQL says without one (NOW(), a
// cast of an instant to a local time), where sessions have a zone: PostgreSQL's has this one, those
// by ODBC (PostgreSQL, MariaDB) the offset that it has now. An Instant is the same Instant in any
// session. Throws DatabaseError(connection), whose text never has a password. A lost connection is
// opened again by the first begin(), query() or execute() after the error.
inline constexpr std::chrono::seconds kStatementTimeout{60};
struct SessionUse {
  // Where tables without a schema in their name are, and no others are seen: PostgreSQL's schema,
  // MariaDB's database. Empty: as the connection has it. SQLite and SQL Server take none:
  // DatabaseError(other).
  std::string schema = {};
  // The session refuses to change anything. SQL Server has no such sessions: there the account's
  // rights decide.
  bool reads_only = false;
  // A statement that takes longer is ended: DatabaseError(busy). SQLite has no such limit.
  std::chrono::milliseconds statement_timeout = kStatementTimeout;
  // A statement that waits longer for a lock is ended: DatabaseError(busy). 0: it waits as long as
  // a statement may take. SQLite waits for 5 s.
  std::chrono::milliseconds lock_timeout{0};
};
std::unique_ptr<Database> open_database(const std::string& connection,
                                        const std::string& zone = "UTC",
                                        const SessionUse& use = {});

// The databases that are compiled in, with their libraries: "PostgreSQL (libpq 15.14), …".
std::string driver_libraries();

// Rolls back unless commit() was called.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.begin(); }
  ~Transaction() {
    if (open_) database_.rollback();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit() {
    database_.commit();
    open_ = false;
  }

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace surveybridge::crm
