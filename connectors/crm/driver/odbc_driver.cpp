// Every database that has an ODBC driver: PostgreSQL, MariaDB, SQL Server. Cells come as text by
// SQLGetData, piece by piece, for bound buffers cut what is longer.
#include <algorithm>
#include <array>
#include <chrono>

#include <soci/odbc/soci-odbc.h>

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/cell_text.hpp"
#include "connectors/crm/driver/driver.hpp"
#include "connectors/crm/driver/error_text.hpp"
#include "connectors/crm/driver/placeholders.hpp"
#include "connectors/crm/driver/postgresql_refusal.hpp"
#include "connectors/crm/driver/server_encoding.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using SociSession = soci::odbc_session_backend;
using SociStatement = soci::odbc_statement_backend;

constexpr SQLSMALLINT kOffsetTimestamp = -155;  // datetimeoffset of SQL Server
constexpr std::size_t kLongText = 4000;         // characters that a driver's plain VARCHAR takes

SQLCHAR* characters(const std::string& text) {
  return reinterpret_cast<SQLCHAR*>(const_cast<char*>(text.data()));
}

bool failed(SQLRETURN code) {
  return !SQL_SUCCEEDED(code) && code != SQL_NO_DATA;
}

// SOCI 4.0.3 leaks both handles when a connect fails, and we try again every few seconds while a
// database is away: so we knock first, with handles of our own.
class Knock {
 public:
  Knock() {
    SQLAllocHandle(SQL_HANDLE_ENV, SQL_NULL_HANDLE, &environment_);
    SQLSetEnvAttr(environment_, SQL_ATTR_ODBC_VERSION, reinterpret_cast<void*>(SQL_OV_ODBC3), 0);
    SQLAllocHandle(SQL_HANDLE_DBC, environment_, &connection_);
    SQLSetConnectAttr(connection_, SQL_ATTR_LOGIN_TIMEOUT, reinterpret_cast<void*>(10), 0);
  }
  ~Knock() {
    SQLDisconnect(connection_);
    SQLFreeHandle(SQL_HANDLE_DBC, connection_);
    SQLFreeHandle(SQL_HANDLE_ENV, environment_);
  }
  Knock(const Knock&) = delete;
  Knock& operator=(const Knock&) = delete;

  void at(const std::string& connection) {
    SQLSMALLINT length = 0;
    const SQLRETURN code = SQLDriverConnect(connection_, nullptr, characters(connection), SQL_NTS,
                                            nullptr, 0, &length, SQL_DRIVER_NOPROMPT);
    if (!SQL_SUCCEEDED(code)) {
      throw soci::odbc_soci_error(SQL_HANDLE_DBC, connection_, "connecting to database");
    }
  }

 private:
  SQLHENV environment_ = nullptr;
  SQLHDBC connection_ = nullptr;
};

std::string info_of(SQLHDBC connection, SQLUSMALLINT what) {
  std::array<char, 256> text{};
  SQLSMALLINT length = 0;
  SQLGetInfo(connection, what, text.data(), static_cast<SQLSMALLINT>(text.size()), &length);
  return text.data();
}

Dialect dialect_of(SQLHDBC connection) {
  const std::string product = info_of(connection, SQL_DBMS_NAME);
  std::string expected;
  for (const Dialect dialect : all_dialects()) {
    for (const std::string_view known : traits(dialect).odbc_products) {
      if (known.empty()) continue;
      if (product == known) return dialect;
      expected += (expected.empty() ? "" : ", ") + std::string(known);
    }
  }
  throw DatabaseError(DatabaseError::Kind::other, "the ODBC driver speaks for \"" + product +
                                                      "\"; expected one of " + expected);
}

// By the database's own name of the type; empty where the ODBC type says enough.
std::optional<ColumnKind> kind_by_name(std::string_view name, Dialect dialect) {
  if (name == "bit" && traits(dialect).bits_are_numbers) return ColumnKind::bits;
  if (name == "timestamp" && traits(dialect).timestamp_is_instant)
    return ColumnKind::instant;  // in UTC, as we are
  if (name == "bool") return ColumnKind::boolean;
  if (name == "timestamptz" || name == "datetimeoffset") return ColumnKind::instant;
  if (name == "bytea") return ColumnKind::bytes;
  if (name == "text" || name == "varchar" || name == "bpchar" || name == "char" || name == "name")
    return ColumnKind::text;
  if (name == "uuid" || name == "json" || name == "jsonb" || name == "interval" || name == "xml" ||
      name == "money") {
    return ColumnKind::other;
  }
  return std::nullopt;
}

ColumnKind kind_by_type(SQLLEN type) {
  switch (type) {
    case SQL_BIT:
      return ColumnKind::boolean;
    case SQL_TINYINT:
    case SQL_SMALLINT:
    case SQL_INTEGER:
    case SQL_BIGINT:
      return ColumnKind::integer;
    case SQL_DECIMAL:
    case SQL_NUMERIC:
      return ColumnKind::decimal;
    case SQL_REAL:
    case SQL_FLOAT:
    case SQL_DOUBLE:
      return ColumnKind::real;
    case SQL_CHAR:
    case SQL_VARCHAR:
    case SQL_LONGVARCHAR:
    case SQL_WCHAR:
    case SQL_WVARCHAR:
    case SQL_WLONGVARCHAR:
      return ColumnKind::text;
    case SQL_TYPE_DATE:
      return ColumnKind::date;
    case SQL_TYPE_TIMESTAMP:
      return ColumnKind::local_time;
    case kOffsetTimestamp:
      return ColumnKind::instant;
    case SQL_BINARY:
    case SQL_VARBINARY:
    case SQL_LONGVARBINARY:
      return ColumnKind::bytes;
    default:
      return ColumnKind::other;
  }
}

std::string attribute(SQLHSTMT statement, SQLUSMALLINT column, SQLUSMALLINT which) {
  std::array<char, 1024> text{};
  SQLSMALLINT length = 0;
  SQLColAttribute(statement, column, which, text.data(), static_cast<SQLSMALLINT>(text.size()),
                  &length, nullptr);
  return text.data();
}

struct Shape {
  Column column;
  bool uuid = false;  // drivers write it in capitals, PostgreSQL and its keys do not
};

// psqlodbc calls every type that it does not know a text, which the server does not compare as one.
ColumnKind kind_of(const std::string& name, SQLLEN type, Dialect dialect) {
  if (const auto named = kind_by_name(name, dialect)) return *named;
  const ColumnKind kind = kind_by_type(type);
  const bool unknown = kind == ColumnKind::text && dialect == Dialect::postgresql;
  return unknown ? ColumnKind::other : kind;
}

Shape shape_of(SQLHSTMT statement, SQLUSMALLINT column, Dialect dialect) {
  SQLLEN type = 0;
  SQLColAttribute(statement, column, SQL_DESC_CONCISE_TYPE, nullptr, 0, nullptr, &type);
  const std::string name = attribute(statement, column, SQL_DESC_TYPE_NAME);
  return {{attribute(statement, column, SQL_DESC_NAME), kind_of(name, type, dialect),
           name == "bpchar" || name == "char"},
          name == "uuid"};
}

// A cell in pieces; empty for NULL.
std::optional<std::string> pieces(SQLHSTMT statement, SQLUSMALLINT column, SQLSMALLINT as) {
  std::array<char, 16384> buffer;
  const std::size_t room = buffer.size() - (as == SQL_C_CHAR ? 1 : 0);
  std::string all;
  for (;;) {
    SQLLEN length = 0;
    const SQLRETURN code = SQLGetData(statement, column, as, buffer.data(),
                                      static_cast<SQLLEN>(buffer.size()), &length);
    if (code == SQL_NO_DATA) return all;
    if (!SQL_SUCCEEDED(code)) {
      throw soci::odbc_soci_error(SQL_HANDLE_STMT, statement, "reading a cell");
    }
    if (length == SQL_NULL_DATA) return std::nullopt;
    const bool more = length == SQL_NO_TOTAL || static_cast<std::size_t>(length) > room;
    all.append(buffer.data(), more ? room : static_cast<std::size_t>(length));
    if (!more) return all;
    if (all.size() > kCellBytesMax) {
      throw DatabaseError(DatabaseError::Kind::too_large, "a cell has more than 64 MiB");
    }
  }
}

bool is_time(ColumnKind kind) {
  return kind == ColumnKind::instant || kind == ColumnKind::local_time || kind == ColumnKind::date;
}

// What psqlodbc makes of infinity and of years that it does not know: dates that PostgreSQL has not
// written, and that nobody may take for real ones.
bool is_beyond_calendar(std::string_view text) {
  return text == "9999-12-31 23:59:59" || text.starts_with("0000-00-00");
}

Value cell(SQLHSTMT statement, SQLUSMALLINT column, const Shape& shape, Dialect dialect) {
  const bool bytes =
      shape.column.kind == ColumnKind::bytes || shape.column.kind == ColumnKind::bits;
  auto text =
      pieces(statement, column, static_cast<SQLSMALLINT>(bytes ? SQL_C_BINARY : SQL_C_CHAR));
  if (!text) return mapping::Null{};
  if (shape.uuid) text = config::lower_case(*text);
  if (shape.column.padded) text->resize(text->find_last_not_of(' ') + 1);
  if (dialect == Dialect::postgresql && is_time(shape.column.kind) && is_beyond_calendar(*text))
    return std::string("infinity");
  return read_cell(shape.column.kind, *text);
}

// What is bound must stay where it is until the statement has been executed.
struct Bound {
  std::string text;
  SQLLEN length = 0;
};

// Text is national (W), since a server would turn plain text into its code page; plain only where
// the driver knows one kind of text.
SQLSMALLINT text_type(std::size_t size, Dialect dialect) {
  const bool is_long = size > kLongText;
  if (traits(dialect).odbc_plain_text) return is_long ? SQL_LONGVARCHAR : SQL_VARCHAR;
  return is_long ? SQL_WLONGVARCHAR : SQL_WVARCHAR;
}

void bind_one(SQLHSTMT statement, SQLUSMALLINT position, const Value& value, Dialect dialect,
              const std::string& encoding, Bound& bound) {
  SQLSMALLINT from = SQL_C_CHAR, to = text_type(0, dialect);
  const auto* bytes = std::get_if<mapping::Bytes>(&value);
  if (mapping::is_null(value)) {
    bound.length = SQL_NULL_DATA;
  } else if (bytes != nullptr && !traits(dialect).odbc_plain_text) {
    bound.text = bytes->bytes;
    from = SQL_C_BINARY;
    to = SQL_LONGVARBINARY;
  } else {
    bound.text = fitting(parameter_text(value, dialect), encoding);
    to = text_type(bound.text.size(), dialect);
  }
  if (!mapping::is_null(value)) bound.length = static_cast<SQLLEN>(bound.text.size());
  const SQLULEN size = std::max<SQLULEN>(bound.text.size(), 1);
  const SQLRETURN code =
      SQLBindParameter(statement, position, SQL_PARAM_INPUT, from, to, size, 0, bound.text.data(),
                       static_cast<SQLLEN>(bound.text.size()), &bound.length);
  if (failed(code)) throw soci::odbc_soci_error(SQL_HANDLE_STMT, statement, "binding a parameter");
}

// The offset of a zone at this moment, in whole minutes.
std::chrono::minutes offset_now(const std::string& zone) {
  if (zone == "UTC") return std::chrono::minutes{0};
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const mapping::LocalTime local = mapping::to_zone(now, zone);
  return std::chrono::round<std::chrono::minutes>(local.time_since_epoch() -
                                                  now.time_since_epoch());
}

class OdbcDriver final : public Driver {
 public:
  OdbcDriver(std::string zone, std::chrono::milliseconds statement_timeout)
      : zone_(std::move(zone)),
        statement_seconds_(std::chrono::ceil<std::chrono::seconds>(statement_timeout).count()) {}

  std::unique_ptr<soci::session> open(const std::string& connection) override {
    refused_by_.reset();
    try {
      Knock().at(connection);
    } catch (const soci::odbc_soci_error&) {
      refused_by_ = state_of_odbc_refusal(connection);
      throw;
    }
    soci::connection_parameters parameters(soci::odbc, connection);
    parameters.set_option(soci::odbc_option_driver_complete, std::to_string(SQL_DRIVER_NOPROMPT));
    auto session = std::make_unique<soci::session>(parameters);
    dialect_ = dialect_of(native(*session).hdbc_);
    if (const auto why = too_old(dialect_, info_of(native(*session).hdbc_, SQL_DBMS_VER));
        !why.empty())
      throw DatabaseError(DatabaseError::Kind::other, why);
    for (const std::string_view settings : traits(dialect_).session)
      if (!settings.empty()) session->once << std::string(settings);
    read_latest(*session);
    set_offset(*session);
    const std::string encoding(traits(dialect_).encoding);
    if (!encoding.empty()) session->once << encoding, soci::into(encoding_);
    return session;
  }

  Dialect dialect() const override { return dialect_; }

  // Its zone has another offset since the clock was turned forward or back.
  bool is_stale() const override { return told_offset_ && offset_now(zone_) != *told_offset_; }

  void begin(soci::session& session) override { session.begin(); }

  void prepare(Backend& statement, const std::string& sql, std::size_t parameters, bool) override {
    auto& backend = static_cast<SociStatement&>(statement);
    backend.query_ = with_placeholders(sql, parameters, Placeholder::question, dialect_);
    if (traits(dialect_).driver_limits_time)
      SQLSetStmtAttr(backend.hstmt_, SQL_ATTR_QUERY_TIMEOUT,
                     reinterpret_cast<void*>(statement_seconds_), 0);
    const SQLRETURN code = SQLPrepare(backend.hstmt_, characters(backend.query_),
                                      static_cast<SQLINTEGER>(backend.query_.size()));
    if (failed(code)) {
      throw soci::odbc_soci_error(SQL_HANDLE_STMT, backend.hstmt_, "preparing a statement");
    }
  }

  void bind(Backend& statement, const std::vector<Value>& values) override {
    bound_.assign(values.size(), {});
    for (std::size_t i = 0; i < values.size(); ++i) {
      bind_one(static_cast<SociStatement&>(statement).hstmt_, static_cast<SQLUSMALLINT>(i + 1),
               values[i], dialect_, encoding_, bound_[i]);
    }
  }

  // As SOCI does, which does not look at what comes with a success.
  bool execute(soci::statement& statement) override {
    auto& backend = static_cast<SociStatement&>(*statement.get_backend());
    SQLCloseCursor(backend.hstmt_);  // of an execution before
    const SQLRETURN code = SQLExecute(backend.hstmt_);
    if (failed(code) || (code == SQL_SUCCESS_WITH_INFO && hides_error(backend.hstmt_)))
      throw soci::odbc_soci_error(SQL_HANDLE_STMT, backend.hstmt_, "executing a statement");
    SQLSMALLINT columns = 0;
    SQLNumResultCols(backend.hstmt_, &columns);
    return columns > 0 && backend.fetch(1) == Backend::ef_success;
  }

  std::vector<Column> read_rows(Backend& statement, bool first, const RowTaker& take) override {
    SQLHSTMT handle = static_cast<SociStatement&>(statement).hstmt_;
    SQLSMALLINT count = 0;
    SQLNumResultCols(handle, &count);
    std::vector<Column> columns;
    std::vector<Shape> shapes;
    for (SQLUSMALLINT c = 1; c <= static_cast<SQLUSMALLINT>(count); ++c) {
      shapes.push_back(shape_of(handle, c, dialect_));
      columns.push_back(shapes.back().column);
    }
    for (bool row = first && count > 0; row; row = statement.fetch(1) == Backend::ef_success) {
      std::vector<Value> cells;
      for (std::size_t c = 0; c < shapes.size(); ++c)
        cells.push_back(
            in_utc(cell(handle, static_cast<SQLUSMALLINT>(c + 1), shapes[c], dialect_)));
      take(std::move(cells));
    }
    return columns;
  }

  std::int64_t changed(Backend& statement, bool) override {
    SQLLEN rows = 0;
    SQLRowCount(static_cast<SociStatement&>(statement).hstmt_, &rows);
    return std::max<std::int64_t>(rows, 0);
  }

  DatabaseError translate(const soci::soci_error& error, soci::session* session,
                          std::string_view sql) override {
    const auto* known = dynamic_cast<const soci::odbc_soci_error*>(&error);
    if (known == nullptr) return {DatabaseError::Kind::other, shown_error(error.what(), {}, sql)};
    const std::string state = reinterpret_cast<const char*>(known->odbc_error_code());
    const std::string message = reinterpret_cast<const char*>(known->odbc_error_message());
    const ErrorCode code{state, known->native_error_code()};
    if (session == nullptr)
      return {DatabaseError::Kind::connection, shown_connect_error(message, code),
              refused_by_ ? ErrorCode{*refused_by_, 0} : code};
    return {kind_of(*session, code), shown_error(message, code, sql), code};
  }

 private:
  // The statement has failed with a number of the server's.
  bool hides_error(SQLHSTMT statement) const {
    std::array<SQLCHAR, 6> state{};
    std::array<SQLCHAR, 2> text{};
    SQLINTEGER number = 0;
    SQLSMALLINT length = 0;
    return traits(dialect_).odbc_hides_errors &&
           SQL_SUCCEEDED(SQLGetDiagRec(SQL_HANDLE_STMT, statement, 1, state.data(), &number,
                                       text.data(), static_cast<SQLSMALLINT>(text.size()),
                                       &length)) &&
           number != 0;
  }

  static SociSession& native(soci::session& session) {
    return *static_cast<SociSession*>(session.get_backend());
  }

  // A server without clusters does not know the words; of another one durability_gaps() tells.
  void read_latest(soci::session& session) const {
    const std::string settings(traits(dialect_).reads_latest);
    if (settings.empty()) return;
    try {
      session.once << settings;
    } catch (const soci::soci_error&) {
      if (is_gone(native(session).hdbc_)) throw;
    }
  }

  void set_offset(soci::session& session) {
    told_offset_.reset();
    const auto tell = traits(dialect_).session_offset;
    if (!tell) return;
    const auto offset = offset_now(zone_);
    if (offset.count() != 0) session << tell(offset);
    told_offset_ = offset;
  }

  // Drivers write an instant as the session's clock shows it, and leave its zone out.
  Value in_utc(Value value) const {
    auto* instant = std::get_if<Instant>(&value);
    if (instant != nullptr && told_offset_) *instant -= *told_offset_;
    return value;
  }

  DatabaseError::Kind kind_of(soci::session& session, const ErrorCode& code) const {
    const DialectTraits& words = traits(dialect_);
    const auto is_one_of = [&](const auto& numbers) {
      return code.number != 0 && std::ranges::find(numbers, code.number) != numbers.end();
    };
    if (is_one_of(words.odbc_too_large)) return DatabaseError::Kind::too_large;
    if (code.number != 0 && code.number == words.odbc_constraint)
      return DatabaseError::Kind::constraint;
    if (is_gone(native(session).hdbc_) || is_one_of(words.odbc_password_expired))
      return DatabaseError::Kind::connection;
    return is_one_of(words.odbc_busy) ? DatabaseError::Kind::busy : kind_of_state(code.sqlstate);
  }

  // psqlodbc calls a lost connection HY000, as it does much else; but it knows.
  static bool is_gone(SQLHDBC connection) {
    SQLUINTEGER dead = SQL_CD_FALSE;
    SQLGetConnectAttr(connection, SQL_ATTR_CONNECTION_DEAD, &dead, 0, nullptr);
    return dead == SQL_CD_TRUE;
  }

  Dialect dialect_ = Dialect::postgresql;  // known once connected
  std::string zone_;
  std::intptr_t statement_seconds_;
  std::optional<std::chrono::minutes> told_offset_;  // of the session; none: it has no zone
  std::string encoding_;  // of the server's text; empty: it holds everything
  std::vector<Bound> bound_;
  // The state with which PostgreSQL has refused a connect: psqlodbc tells its words only.
  std::optional<std::string> refused_by_;
};

}  // namespace

std::unique_ptr<Driver> make_odbc_driver(const std::string& zone,
                                         std::chrono::milliseconds statement_timeout) {
  return std::make_unique<OdbcDriver>(zone, statement_timeout);
}

}  // namespace surveybridge::crm
