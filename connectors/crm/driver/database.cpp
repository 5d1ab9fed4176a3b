#include "connectors/crm/driver/database.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <soci/version.h>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/cell_text.hpp"
#include "connectors/crm/driver/connection_text.hpp"
#include "connectors/crm/driver/driver.hpp"

namespace surveybridge::crm {
namespace {

struct PreparedStatement {
  std::string sql;
  std::size_t parameters;
  soci::statement statement;
};

// Prepared statements of a session that wait to be executed again. One that is in use is not among
// them. They must go before their session.
class KeptStatements {
 public:
  // Of no or one element, so that nothing is copied.
  using Taken = std::list<PreparedStatement>;

  Taken take(const std::string& sql, std::size_t parameters) {
    Taken taken;
    const auto found = std::ranges::find_if(kept_, [&](const PreparedStatement& each) {
      return each.parameters == parameters && each.sql == sql;
    });
    if (found != kept_.end()) taken.splice(taken.begin(), kept_, found);
    return taken;
  }
  // The one that was used longest ago goes when there are too many.
  void keep(Taken statement) {
    kept_.splice(kept_.begin(), statement);
    if (kept_.size() > kMost) kept_.pop_back();
  }
  void clear() noexcept { kept_.clear(); }

 private:
  static constexpr std::size_t kMost = 200;

  std::list<PreparedStatement> kept_;  // the last used is the first
};

// A SOCI session and the driver of its backend. It connects when the connection is first needed and
// again after it was lost, but never inside a transaction.
class SociDatabase final : public Database {
 public:
  // Connects; throws DatabaseError(connection).
  SociDatabase(ConnectionText connection, const std::string& zone, const SessionUse& use);

  Dialect dialect() const override;
  Result query(const Statement& statement) override;
  std::vector<Column> read_each(const std::string& sql, const RowSink& row) override;
  std::int64_t execute(const Statement& statement) override;
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<Value>>& rows) override;
  bool copy_from(const std::string& sql, const RowSource& rows) override;
  void begin() override;
  void commit() override;
  void rollback() noexcept override;
  Instant now() override;

 private:
  // broken: a statement or the connection has failed; only rollback() is allowed.
  enum class InTransaction { no, yes, broken };

  soci::session& session();
  void tell_use(soci::session& session);
  void tell_each_transaction(soci::session& session);
  void expect_schema(soci::session& session) const;
  void disconnect() noexcept;
  KeptStatements::Taken prepare(soci::session& open, const std::string& sql, std::size_t parameters,
                                bool again);
  void keep(KeptStatements::Taken prepared);
  std::vector<Column> read_by_cursor(const std::string& sql, const RowSink& row);
  bool run(PreparedStatement& prepared, const std::vector<Value>& parameters);
  void failed(DatabaseError::Kind kind) noexcept;
  DatabaseError of_reader(DatabaseError error) const;
  template <typename Work>
  auto guarded(Work work) -> decltype(work());
  template <typename Work>
  auto in_transaction(Work work) -> decltype(work(std::declval<soci::session&>()));

  ConnectionText connection_;
  SessionUse use_;
  std::unique_ptr<Driver> driver_;
  std::unique_ptr<soci::session> session_;
  KeptStatements kept_;  // of the session
  InTransaction transaction_ = InTransaction::no;
  std::string_view statement_;  // during a call, for its error
};

Driver::Backend& backend_of(PreparedStatement& prepared) {
  return *prepared.statement.get_backend();
}

std::unique_ptr<Driver> make_driver(ConnectionText::Backend backend, const std::string& zone,
                                    const SessionUse& use) {
  switch (backend) {
    case ConnectionText::Backend::postgresql:
      return make_postgresql_driver(zone);
    case ConnectionText::Backend::odbc:
      return make_odbc_driver(zone, use.statement_timeout);
    case ConnectionText::Backend::sqlite:
      break;
  }
  // Who gives up a lock soon only looks.
  return make_sqlite_driver(use.reads_only, use.lock_timeout.count() > 0);
}

SociDatabase::SociDatabase(ConnectionText connection, const std::string& zone,
                           const SessionUse& use)
    : connection_(std::move(connection)),
      use_(use),
      driver_(make_driver(connection_.backend, zone, use)) {
  guarded([&] { session(); });
}

Dialect SociDatabase::dialect() const {
  return driver_->dialect();
}

Result SociDatabase::query(const Statement& statement) {
  return in_transaction([&](soci::session& open) {
    auto prepared = prepare(open, statement.sql, statement.parameters.size(), false);
    const bool first = run(prepared.front(), statement.parameters);
    Result result;
    result.columns =
        driver_->read_rows(backend_of(prepared.front()), first, [&](std::vector<Value>&& row) {
          if (result.rows.size() == kRowsMax)
            throw DatabaseError(DatabaseError::Kind::other,
                                "the result has more than 100,000 rows");
          result.rows.push_back(std::move(row));
        });
    keep(std::move(prepared));
    return result;
  });
}

std::vector<Column> SociDatabase::read_each(const std::string& sql, const RowSink& row) {
  if (dialect() == Dialect::postgresql) return read_by_cursor(sql, row);
  return in_transaction([&](soci::session& open) {
    auto prepared = prepare(open, sql, 0, false);
    const bool first = run(prepared.front(), {});
    auto columns = driver_->read_rows(backend_of(prepared.front()), first,
                                      [&](std::vector<Value>&& cells) { row(cells); });
    keep(std::move(prepared));
    return columns;
  });
}

// libpq keeps the whole result of a statement in memory.
std::vector<Column> SociDatabase::read_by_cursor(const std::string& sql, const RowSink& row) {
  const bool is_own = transaction_ == InTransaction::no;
  if (is_own) begin();
  try {
    execute({"DECLARE bridge_rows NO SCROLL CURSOR FOR\n" + sql, {}});
    Result part;
    do {
      part = query({"FETCH 10000 FROM bridge_rows", {}});
      for (const auto& cells : part.rows)
        row(cells);
    } while (!part.rows.empty());
    execute({"CLOSE bridge_rows", {}});
    if (is_own) commit();
    return part.columns;
  } catch (...) {
    if (is_own) rollback();
    throw;
  }
}

std::int64_t SociDatabase::execute(const Statement& statement) {
  if (transaction_ == InTransaction::no && driver_->keeps_setting(statement.sql)) return 0;
  return in_transaction([&](soci::session& open) {
    auto prepared = prepare(open, statement.sql, statement.parameters.size(), false);
    const bool first = run(prepared.front(), statement.parameters);
    const auto changed = driver_->changed(backend_of(prepared.front()), first);
    keep(std::move(prepared));
    return changed;
  });
}

std::int64_t SociDatabase::execute_each(const std::string& sql,
                                        const std::vector<std::vector<Value>>& rows) {
  if (rows.empty()) return 0;
  return in_transaction([&](soci::session& open) {
    auto prepared = prepare(open, sql, rows.front().size(), true);
    std::int64_t changed = 0;
    for (const auto& row : rows) {
      if (row.size() != rows.front().size()) throw std::logic_error("rows of different length");
      const bool first = run(prepared.front(), row);
      changed += driver_->changed(backend_of(prepared.front()), first);
    }
    keep(std::move(prepared));
    return changed;
  });
}

bool SociDatabase::copy_from(const std::string& sql, const RowSource& rows) {
  return in_transaction([&](soci::session& open) {
    statement_ = sql;
    return driver_->copy(open, sql, rows);
  });
}

// One that was kept, or a new one.
KeptStatements::Taken SociDatabase::prepare(soci::session& open, const std::string& sql,
                                            std::size_t parameters, bool again) {
  if (sql.find_first_not_of(" \t\r\n;") == std::string::npos) {
    throw DatabaseError(DatabaseError::Kind::other, "an empty statement");
  }
  statement_ = sql;
  auto prepared = kept_.take(sql, parameters);
  if (!prepared.empty()) return prepared;
  prepared.push_back({sql, parameters, soci::statement(open)});
  prepared.front().statement.alloc();
  driver_->prepare(backend_of(prepared.front()), sql, parameters, again);
  return prepared;
}

// For one that has failed this is not called: it goes.
void SociDatabase::keep(KeptStatements::Taken prepared) {
  if (driver_->can_repeat(backend_of(prepared.front()), prepared.front().sql))
    kept_.keep(std::move(prepared));
}

// Returns whether there is a first row.
bool SociDatabase::run(PreparedStatement& prepared, const std::vector<Value>& parameters) {
  driver_->bind(backend_of(prepared), parameters);
  return driver_->execute(prepared.statement);
}

void SociDatabase::begin() {
  if (transaction_ != InTransaction::no) throw std::logic_error("a transaction is already open");
  guarded([&] { driver_->begin(session()); });
  transaction_ = InTransaction::yes;
}

// After a failed statement PostgreSQL answers COMMIT with success although it rolled back.
void SociDatabase::commit() {
  if (transaction_ == InTransaction::no) throw std::logic_error("no transaction is open");
  guarded([&] { session().commit(); });
  transaction_ = InTransaction::no;
}

void SociDatabase::rollback() noexcept {
  if (transaction_ == InTransaction::no) return;
  transaction_ = InTransaction::no;
  try {
    if (session_) session_->rollback();
  } catch (...) {
    disconnect();  // its state is unknown; the server rolls back the open transaction
  }
}

Instant SociDatabase::now() {
  const Result result = query({std::string(traits(dialect()).now), {}});
  const Value& cell = result.rows.at(0).at(0);
  if (const auto* instant = std::get_if<Instant>(&cell)) return *instant;
  if (const auto* local = std::get_if<mapping::LocalTime>(&cell)) {
    return Instant(local->time_since_epoch());
  }
  const auto* text = std::get_if<std::string>(&cell);
  const Value read = text ? read_cell(ColumnKind::instant, *text) : Value();
  if (const auto* instant = std::get_if<Instant>(&read)) return *instant;
  throw DatabaseError(DatabaseError::Kind::other, "the database's clock cannot be read");
}

soci::session& SociDatabase::session() {
  if (transaction_ == InTransaction::broken) {
    throw DatabaseError(DatabaseError::Kind::other,
                        "the transaction has failed and can only be rolled back");
  }
  if (session_ && transaction_ == InTransaction::no && driver_->is_stale()) disconnect();
  if (!session_) {
    auto opened = driver_->open(connection_.text);
    tell_use(*opened);
    session_ = std::move(opened);
  }
  return *session_;
}

void SociDatabase::disconnect() noexcept {
  kept_.clear();
  session_.reset();
}

// PostgreSQL takes any name, and says at the first CREATE TABLE only that there is no such schema.
void SociDatabase::expect_schema(soci::session& session) const {
  const DialectTraits& dialect = traits(driver_->dialect());
  if (dialect.has_schema.empty()) return;
  int found = 0;
  session << std::string(dialect.has_schema), soci::into(found);
  if (found > 0) return;
  throw DatabaseError(DatabaseError::Kind::other,
                      "there is no schema \"" + use_.schema +
                          "\", or this user has no USAGE on it: create it (CREATE SCHEMA \"" +
                          use_.schema + "\" AUTHORIZATION …)");
}

void SociDatabase::tell_use(soci::session& session) {
  const DialectTraits& dialect = traits(driver_->dialect());
  if (driver_->is_pooled()) return tell_each_transaction(session);
  if (!use_.schema.empty()) {
    if (dialect.use_schema == nullptr) {
      throw DatabaseError(DatabaseError::Kind::other,
                          "schema = \"" + use_.schema + "\": " + std::string(dialect.name) +
                              " takes none, name the place in the connection");
    }
    session << dialect.use_schema(use_.schema);
    expect_schema(session);
  }
  if (use_.statement_timeout != kStatementTimeout && dialect.statement_limit != nullptr)
    session << dialect.statement_limit(use_.statement_timeout);
  if (use_.lock_timeout.count() > 0 && dialect.lock_limit != nullptr)
    session << dialect.lock_limit(use_.lock_timeout);
  if (use_.reads_only && !dialect.read_only.empty()) session << std::string(dialect.read_only);
}

// The same behind a pool.
void SociDatabase::tell_each_transaction(soci::session& session) {
  const DialectTraits& dialect = traits(driver_->dialect());
  std::vector<std::string> settings;
  if (!use_.schema.empty()) settings.push_back(dialect.use_schema(use_.schema));
  if (use_.statement_timeout != kStatementTimeout)
    settings.push_back(dialect.statement_limit(use_.statement_timeout));
  if (use_.lock_timeout.count() > 0) settings.push_back(dialect.lock_limit(use_.lock_timeout));
  driver_->tell_each_transaction(settings, use_.reads_only);
  if (use_.schema.empty()) return;
  driver_->begin(session);
  expect_schema(session);
  session.rollback();
}

void SociDatabase::failed(DatabaseError::Kind kind) noexcept {
  if (transaction_ == InTransaction::yes) transaction_ = InTransaction::broken;
  // Behind what is too large the rest of a result may be left.
  const bool lost = kind == DatabaseError::Kind::connection ||
                    (kind == DatabaseError::Kind::too_large && transaction_ == InTransaction::no);
  if (lost) disconnect();
}

// Behind a pool a statement outside of a transaction gets one of its own.
template <typename Work>
auto SociDatabase::in_transaction(Work work) -> decltype(work(std::declval<soci::session&>())) {
  return guarded([&] {
    soci::session& open = session();
    if (transaction_ != InTransaction::no || !driver_->is_pooled()) return work(open);
    driver_->begin(open);
    try {
      auto result = work(open);
      open.commit();
      return result;
    } catch (...) {
      try {
        open.rollback();
      } catch (const soci::soci_error&) {
        disconnect();  // its state is unknown
      }
      throw;
    }
  });
}

// A session of ours that may only read is no standby: what it was asked writes.
DatabaseError SociDatabase::of_reader(DatabaseError error) const {
  constexpr int kReadOnlyFile = 8;  // of SQLite
  const auto& [sqlstate, number] = error.code;
  const bool writes = sqlstate == "25006" || (sqlstate.empty() && (number & 0xff) == kReadOnlyFile);
  if (!session_ || !use_.reads_only || !writes) return error;
  return {DatabaseError::Kind::other,
          std::string(error.what()) +
              ": with [store] the CRM is only read, and the query writes (nextval, FOR UPDATE, a"
              " function)",
          error.code};
}

template <typename Work>
auto SociDatabase::guarded(Work work) -> decltype(work()) {
  statement_ = {};
  try {
    return work();
  } catch (const soci::soci_error& error) {
    const auto ours = of_reader(driver_->translate(error, session_.get(), statement_));
    // Without a session the connect has failed, whatever kind the driver reports.
    const bool connects = !session_;
    const auto kind = connects ? DatabaseError::Kind::connection : ours.kind;
    const std::string server = connects ? server_of(connection_) : "";
    failed(kind);
    throw DatabaseError(
        kind, (server.empty() ? "" : server + ": ") + without_secrets(ours.what(), connection_),
        ours.code);
  } catch (const DatabaseError& error) {
    failed(error.kind);
    throw;
  }
}

}  // namespace

std::unique_ptr<Database> open_database(const std::string& connection, const std::string& zone,
                                        const SessionUse& use) {
  return std::make_unique<SociDatabase>(parse_connection(connection), zone, use);
}

std::string driver_libraries() {
  return fmt::format("{}, ODBC, {}; SOCI {}.{}.{}", postgresql_library(), sqlite_library(),
                     SOCI_VERSION / 100'000, SOCI_VERSION / 100 % 1000, SOCI_VERSION % 100);
}

}  // namespace surveybridge::crm
