// PostgreSQL by libpq, whose handles SOCI's backend holds. Parameters go and cells come as text.
#include <algorithm>

#include <fmt/format.h>
#include <soci/postgresql/soci-postgresql.h>

#include "connectors/crm/dialect/copy_text.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/cell_text.hpp"
#include "connectors/crm/driver/driver.hpp"
#include "connectors/crm/driver/error_text.hpp"
#include "connectors/crm/driver/placeholders.hpp"
#include "connectors/crm/driver/postgresql_connection.hpp"
#include "connectors/crm/driver/postgresql_refusal.hpp"
#include "connectors/crm/driver/server_encoding.hpp"

namespace surveybridge::crm {
namespace {

using SociSession = soci::postgresql_session_backend;
using SociStatement = soci::postgresql_statement_backend;

constexpr Oid kPadded = 1042;  // char(n): the blanks at its end do not count

// From pg_type: these numbers are the same in every server.
ColumnKind kind_of(Oid type) {
  switch (type) {
    case 16:
      return ColumnKind::boolean;
    case 20:  // int8
    case 21:  // int2
    case 23:  // int4
    case 26:  // oid
      return ColumnKind::integer;
    case 1700:
      return ColumnKind::decimal;
    case 700:  // float4
    case 701:  // float8
      return ColumnKind::real;
    case 18:  // "char"
    case 19:  // name
    case 25:  // text
    case kPadded:
    case 1043:  // varchar(n)
      return ColumnKind::text;
    case 1184:
      return ColumnKind::instant;
    case 1114:
      return ColumnKind::local_time;
    case 1082:
      return ColumnKind::date;
    case 17:
      return ColumnKind::bytes;
    default:
      return ColumnKind::other;
  }
}

Value cell(const PGresult* result, int row, int column, ColumnKind kind) {
  if (PQgetisnull(result, row, column) != 0) return mapping::Null{};
  const auto size = static_cast<std::size_t>(PQgetlength(result, row, column));
  if (size > kCellBytesMax) {
    throw DatabaseError(DatabaseError::Kind::too_large, "a cell has more than 64 MiB");
  }
  std::string_view text(PQgetvalue(result, row, column), size);
  if (PQftype(result, column) == kPadded) text = text.substr(0, text.find_last_not_of(' ') + 1);
  if (kind == ColumnKind::bytes && text.substr(0, 2) == "\\x") {
    if (auto bytes = from_hex(text.substr(2))) return mapping::Bytes{std::move(*bytes)};
  }
  return read_cell(kind, text);
}

PGconn* handle_of(soci::session& session) {
  return static_cast<SociSession*>(session.get_backend())->conn_;
}

// A database that knows no encoding would refuse a whole result for one row that is no UTF-8: what
// is wrong with a row is for the row's reader to say.
constexpr const char* kBytesAsTheyAre =
    "SELECT pg_catalog.set_config('client_encoding', 'SQL_ASCII', false)"
    " WHERE current_setting('server_encoding') = 'SQL_ASCII'";

// The name of a prepared statement; SOCI deallocates it with the statement that bears it.
std::string prepared(SociSession& session, const std::string& sql) {
  const std::string name = "bridge_" + std::to_string(++session.statementCount_);
  std::unique_ptr<PGresult, decltype(&PQclear)> result(
      PQprepare(session.conn_, name.c_str(), sql.c_str(), 0, nullptr), PQclear);
  if (PQresultStatus(result.get()) == PGRES_COMMAND_OK) return name;
  const char* sqlstate = PQresultErrorField(result.get(), PG_DIAG_SQLSTATE);
  throw soci::postgresql_soci_error(PQresultErrorMessage(result.get()),
                                    sqlstate != nullptr ? sqlstate : "08000");
}

// A pool shows a session number of its own. PgBouncer in session mode is treated alike.
bool is_behind_pool(soci::session& session) {
  int number = 0;
  session.once << "SELECT pg_catalog.pg_backend_pid()", soci::into(number);
  return number != PQbackendPID(handle_of(session));
}

void refuse_unknown_zone(const soci::postgresql_soci_error& error, const std::string& zone) {
  constexpr std::string_view kNoSuchValue = "22023";
  if (error.sqlstate() != kNoSuchValue) return;
  throw DatabaseError(DatabaseError::Kind::other,
                      "crm.time_zone: the server does not know the zone \"" + zone + "\"");
}

// The name is one of the system's zones; the server has a list of its own.
void set_zone(soci::session& session, const std::string& zone) {
  if (zone == "UTC") return;
  try {
    session << "SELECT pg_catalog.set_config('TimeZone', '" + zone + "', false)";
  } catch (const soci::postgresql_soci_error& error) {
    refuse_unknown_zone(error, zone);
    throw;
  }
}

class PostgresqlDriver final : public Driver {
 public:
  explicit PostgresqlDriver(std::string zone) : zone_(std::move(zone)) {}

  std::unique_ptr<soci::session> open(const std::string& connection) override {
    refused_by_.reset();
    const std::string key_values = postgresql_key_values(connection);
    auto session = connected(key_values);
    const int version = PQserverVersion(handle_of(*session));  // 150008 is 15.8
    if (const auto why =
            too_old(Dialect::postgresql, fmt::format("{}.{}", version / 10'000, version % 10'000));
        !why.empty())
      throw DatabaseError(DatabaseError::Kind::other, why);
    // Otherwise libpq writes what a server notes to standard error.
    PQsetNoticeProcessor(
        handle_of(*session), [](void*, const char*) {}, nullptr);
    pooled_ = is_behind_pool(*session);
    for (const std::string_view settings : kPostgresql.session)
      if (!pooled_ && !settings.empty()) session->once << std::string(settings);
    session->once << std::string(kPostgresql.encoding), soci::into(encoding_);
    if (pooled_) {
      tell_each_transaction({}, false);
      begin(*session);  // refuses an unknown zone now
      session->rollback();
    } else {
      set_zone(*session, zone_);
      session->once << kBytesAsTheyAre;
    }
    return session;
  }

  bool is_pooled() const override { return pooled_; }

  // By one message, so that it costs no round trip more than BEGIN alone.
  void tell_each_transaction(const std::vector<std::string>& settings, bool reads_only) override {
    constexpr std::string_view kSet = "SET ", kSetLocal = "SET LOCAL ";
    settings_ = fmt::format("{}; {}", kPostgresql.session[0], kPostgresql.session[1]);
    for (auto at = settings_.find(kSet); at != std::string::npos; at = settings_.find(kSet, at))
      at = settings_.replace(at, kSet.size(), kSetLocal).find(kSetLocal, at) + kSetLocal.size();
    constexpr std::string_view kStays = "value, false";  // of set_config()
    settings_.replace(settings_.find(kStays), kStays.size(), "value, true");
    settings_ += "; SET LOCAL surveybridge.pooled = 'on'";
    if (zone_ != "UTC") settings_ += "; SET LOCAL TIME ZONE '" + zone_ + "'";
    if (encoding_ == "SQL_ASCII") settings_ += "; SET LOCAL client_encoding = 'SQL_ASCII'";
    for (const auto& setting : settings)
      settings_.append("; ").append(kSetLocal).append(setting.substr(kSet.size()));
    reads_only_ = reads_only;
  }

  bool keeps_setting(const std::string& sql) override {
    if (!pooled_) return false;
    const bool begins = sql == kPostgresql.snapshots_begin;
    if (begins || sql == kPostgresql.snapshots_end) snapshots_ = begins;
    return begins || sql == kPostgresql.snapshots_end;
  }

  Dialect dialect() const override { return Dialect::postgresql; }

  void begin(soci::session& session) override {
    if (!pooled_) return session.begin();
    const std::string begin = std::string("BEGIN") +
                              (snapshots_ ? " ISOLATION LEVEL REPEATABLE READ" : "") +
                              (reads_only_ ? " READ ONLY;" : ";");
    PGconn* connection = handle_of(session);
    try {
      expect(connection, PQexec(connection, (begin + settings_).c_str()), PGRES_COMMAND_OK);
    } catch (const soci::postgresql_soci_error& error) {
      if (PQstatus(connection) == CONNECTION_OK) session.rollback();
      refuse_unknown_zone(error, zone_);
      throw;
    }
  }

  // A statement executed once needs one round trip; only what is repeated is prepared.
  void prepare(Backend& statement, const std::string& sql, std::size_t parameters,
               bool again) override {
    auto& backend = static_cast<SociStatement&>(statement);
    backend.query_ = with_placeholders(sql, parameters, Placeholder::dollar, dialect());
    backend.stType_ = soci::details::st_one_time_query;
    // Behind a pool the next client of the session would find the name.
    if (!again || pooled_) return;
    backend.statementName_ = prepared(backend.session_, backend.query_);
    backend.stType_ = soci::details::st_repeatable_query;
  }

  void bind(Backend& statement, const std::vector<Value>& values) override {
    auto& backend = static_cast<SociStatement&>(statement);
    texts_.assign(values.size(), {});
    pointers_.assign(values.size(), nullptr);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!mapping::is_null(values[i])) {
        texts_[i] = fitting(parameter_text(values[i], dialect()), encoding_);
        pointers_[i] = texts_[i].data();
      }
      backend.useByPosBuffers_[static_cast<int>(i) + 1] = &pointers_[i];
    }
  }

  std::vector<Column> read_rows(Backend& statement, bool, const RowTaker& take) override {
    const PGresult* rows = static_cast<SociStatement&>(statement).result_;
    std::vector<Column> columns;
    const int width = PQnfields(rows), count = PQntuples(rows);
    for (int c = 0; c < width; ++c)
      columns.push_back({PQfname(rows, c), kind_of(PQftype(rows, c))});
    for (int r = 0; r < count; ++r) {
      std::vector<Value> cells;
      for (int c = 0; c < width; ++c)
        cells.push_back(cell(rows, r, c, columns[static_cast<std::size_t>(c)].kind));
      take(std::move(cells));
    }
    return columns;
  }

  std::int64_t changed(Backend& statement, bool) override {
    return std::max<std::int64_t>(statement.get_affected_rows(), 0);
  }

  bool copy(soci::session& session, const std::string& sql, const RowSource& rows) override {
    PGconn* connection = handle_of(session);
    std::string lines;
    bool begun = false;
    const auto take = [&](const std::vector<Value>& row) {
      if (!begun) expect(connection, PQexec(connection, sql.c_str()), PGRES_COPY_IN);
      begun = true;
      append_copy_row(lines, row);
      if (lines.size() >= kCopyAtOnce) put_lines(connection, lines);
    };
    try {
      rows(take);
    } catch (...) {
      if (begun) PQputCopyEnd(connection, "the rows cannot be read");
      drain(connection);
      throw;
    }
    if (!begun) return true;
    put_lines(connection, lines);
    PQputCopyEnd(connection, nullptr);
    expect(connection, PQgetResult(connection), PGRES_COMMAND_OK);
    drain(connection);
    return true;
  }

  DatabaseError translate(const soci::soci_error& error, soci::session* session,
                          std::string_view sql) override {
    const auto* known = dynamic_cast<const soci::postgresql_soci_error*>(&error);
    const std::string sqlstate = known ? known->sqlstate() : "";
    if (session == nullptr && refused_by_) {
      const ErrorCode code{*refused_by_};
      return {DatabaseError::Kind::connection, shown_connect_error(error.get_error_message(), code),
              code};
    }
    DatabaseError::Kind kind = kind_of_state(sqlstate);
    if (session != nullptr && PQstatus(handle_of(*session)) != CONNECTION_OK) {
      kind = DatabaseError::Kind::connection;
    }
    const std::string text = error.get_error_message();
    return {kind,
            session == nullptr ? shown_connect_error(text, {sqlstate})
                               : shown_error(text, {sqlstate}, sql),
            {sqlstate}};
  }

 private:
  // SOCI tells the words of a connect that fails, not its state.
  std::unique_ptr<soci::session> connected(const std::string& key_values) {
    try {
      return std::make_unique<soci::session>(soci::postgresql, key_values);
    } catch (const soci::soci_error&) {
      refused_by_ = state_of_refusal(key_values);
      throw;
    }
  }

  struct Clear {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Answer = std::unique_ptr<PGresult, Clear>;
  static constexpr std::size_t kCopyAtOnce = std::size_t{32} * 1024;
  static constexpr std::size_t kCopyMost = std::size_t{1} << 20;

  // Sends whole lines and leaves none. What does not go out fails at the end of the COPY.
  void put_lines(PGconn* connection, std::string& lines) const {
    lines = fitting(std::move(lines), encoding_);
    for (std::string_view rest = lines; !rest.empty();) {
      const std::string_view part = rest.substr(0, kCopyMost);
      rest.remove_prefix(part.size());
      if (PQputCopyData(connection, part.data(), static_cast<int>(part.size())) != 1) break;
    }
    lines.clear();
  }

  // The last answer of a statement is none.
  static void drain(PGconn* connection) {
    while (const Answer more{PQgetResult(connection)}) {
    }
  }

  // Throws as SOCI does for its own statements, when the answer is another one; nothing is left on
  // the wire then.
  static void expect(PGconn* connection, PGresult* answer, ExecStatusType wanted) {
    const Answer owned(answer);
    if (PQresultStatus(answer) == wanted) return;
    const char* field = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
    std::string sqlstate = "08000", message = PQerrorMessage(connection);
    if (field != nullptr) {
      sqlstate = field;
      message = PQresultErrorMessage(answer);
    } else if (PQstatus(connection) == CONNECTION_OK) {
      sqlstate = "42601";
      message = "the statement is no COPY FROM STDIN";
    }
    drain(connection);
    throw soci::postgresql_soci_error(message, sqlstate.c_str());
  }

  std::string zone_;      // of the session
  bool pooled_ = false;   // see is_pooled()
  std::string settings_;  // behind a pool: SET LOCAL …
  bool reads_only_ = false, snapshots_ = false;
  std::string encoding_;                   // of the server, known once connected
  std::optional<std::string> refused_by_;  // the state of a connect that the server refused
  std::vector<std::string> texts_;         // what is bound, until the next bind
  std::vector<char*> pointers_;
};

}  // namespace

std::unique_ptr<Driver> make_postgresql_driver(const std::string& zone) {
  return std::make_unique<PostgresqlDriver>(zone);
}

std::string postgresql_library() {
  const int version = PQlibVersion();  // since version 10: 150014 is 15.14
  return fmt::format("PostgreSQL (libpq {}.{})", version / 10'000, version % 10'000);
}

}  // namespace surveybridge::crm
