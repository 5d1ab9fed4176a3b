// One connection to the CRM's database, whatever it is. An interface without state, so that a test
// can stand between (faults, a clock it turns); the real one is SociDatabase. A database belongs
// to one thread. Errors are exceptions: a step that meets one cannot go on.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "connectors/crm/dialect/dialect.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::crm {

using mapping::Instant;
using mapping::Value;

// What a result's column can hold, as far as the database says.
enum class ColumnKind {
  boolean,
  integer,
  decimal,
  real,
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
};

// At most 100,000 rows and 64 MiB a cell; more is a DatabaseError. Cells lose nothing:
// integers are int64, numeric and floats Decimal (exact, without exponent), timestamps with a zone
// Instant, without one and dates LocalTime; what fits none of these (interval, uuid, infinity)
// is the database's text. SQLite goes by what each cell holds; there a text is a date only in a
// column declared DATE, DATETIME or TIMESTAMP, and 0 or 1 a bool only in one declared BOOLEAN.
struct Result {
  std::vector<Column> columns;
  std::vector<std::vector<Value>> rows;
};

// SQL with parameters :p1, :p2, … each once and in this order. Values are bound as what they are;
// an Instant is "YYYY-MM-DDTHH:MM:SS.ffffffZ" in SQLite, which sorts as text and which julianday()
// reads. A NUL character in a text becomes U+FFFD: no database stores it. No Enumerator is bound.
struct Statement {
  std::string sql;
  std::vector<Value> parameters;
};

// The database refused or failed a statement. The text holds the database's words, no row's values.
struct DatabaseError : std::runtime_error {
  enum class Kind {
    connection,  // not there, or gone: reconnect and try later
    busy,        // lock, deadlock, serialization: the transaction may be tried again
    constraint,  // a key or check was violated
    other,       // the statement is wrong, or a privilege is missing
  };
  DatabaseError(Kind k, const std::string& what) : std::runtime_error(what), kind(k) {}
  Kind kind;
};

class Database {
 public:
  virtual ~Database() = default;
  virtual Dialect dialect() const = 0;
  virtual Result query(const Statement& statement) = 0;
  // How many rows it changed.
  virtual std::int64_t execute(const Statement& statement) = 0;
  // The same statement for each row of parameters, prepared once. Sum of rows changed.
  virtual std::int64_t execute_each(const std::string& sql,
                                    const std::vector<std::vector<Value>>& rows) = 0;
  // SQLite: BEGIN IMMEDIATE. After an error within a transaction only rollback() is left: every
  // other call, commit() too, throws.
  virtual void begin() = 0;
  virtual void commit() = 0;
  virtual void rollback() noexcept = 0;
  // The database's own clock, UTC.
  virtual Instant now() = 0;
};

// Opens a connection: "postgresql://…" (URI or key=value), "odbc://DSN=…;…", "sqlite3://PATH".
// PostgreSQL: UTC session; SQLite: WAL, foreign keys, busy time-out 5 s.
// Throws DatabaseError(connection); its text never holds a password.
// A lost connection is opened again by the first begin(), query() or execute() after the error.
std::unique_ptr<Database> open_database(const std::string& connection);

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
