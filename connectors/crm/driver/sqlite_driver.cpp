#include <soci/sqlite3/soci-sqlite3.h>
#include <sys/stat.h>

#include "config/text.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/cell_text.hpp"
#include "connectors/crm/driver/driver.hpp"
#include "connectors/crm/driver/error_text.hpp"

namespace surveybridge::crm {
namespace {

using namespace sqlite_api;  // where SOCI includes sqlite3.h

constexpr int kBusy = 5, kLocked = 6, kInputOutput = 10, kCannotOpen = 14, kConstraint = 19;

sqlite3_stmt* native(Driver::Backend& statement) {
  return static_cast<soci::sqlite3_statement_backend&>(statement).stmt_;
}

sqlite3* native(soci::session& session) {
  return static_cast<soci::sqlite3_session_backend*>(session.get_backend())->conn_;
}

void run(soci::session& session, std::string_view sql) {
  sqlite3* connection = native(session);
  const int result = sqlite3_exec(connection, std::string(sql).c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) throw soci::sqlite3_soci_error(sqlite3_errmsg(connection), result);
}

// Cells are read, and keys measured, by the bytes that the file has.
void refuse_utf16(soci::session& session) {
  std::string encoding;
  const auto take = [](void* to, int, char** cells, char**) {
    *static_cast<std::string*>(to) = cells[0];
    return 0;
  };
  sqlite3_exec(native(session), "PRAGMA encoding", take, &encoding, nullptr);
  if (!encoding.starts_with("UTF-16")) return;
  throw DatabaseError(DatabaseError::Kind::other,
                      "the texts of the database are " + encoding +
                          ", and only UTF-8 is read; `sqlite3 OLD .dump | sqlite3 NEW` makes a"
                          " database of UTF-8 from it");
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A PRAGMA may be executed when it is prepared.
bool is_about_rows(std::string_view sql) {
  return sql.starts_with("SELECT") || sql.starts_with("INSERT") || sql.starts_with("UPDATE") ||
         sql.starts_with("DELETE") || sql.starts_with("WITH");
}

// SQLite has no types of its own here, only the words of CREATE TABLE.
ColumnKind kind_of(const char* declared) {
  if (declared == nullptr) return ColumnKind::other;
  const std::string type = config::upper_case(declared);
  if (contains(type, "BOOL")) return ColumnKind::boolean;
  if (contains(type, "INT")) return ColumnKind::integer;
  if (contains(type, "CHAR") || contains(type, "TEXT") || contains(type, "CLOB"))
    return ColumnKind::text;
  if (contains(type, "DATETIME") || contains(type, "TIMESTAMP")) return ColumnKind::instant;
  if (type == "DATE") return ColumnKind::date;
  if (contains(type, "BLOB")) return ColumnKind::bytes;
  if (contains(type, "REAL") || contains(type, "FLOA") || contains(type, "DOUB"))
    return ColumnKind::real;
  if (contains(type, "DEC") || contains(type, "NUM")) return ColumnKind::decimal;
  return ColumnKind::other;
}

std::string bytes_of(sqlite3_stmt* statement, int column) {
  const void* start = sqlite3_column_blob(statement, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  if (size > kCellBytesMax) {
    throw DatabaseError(DatabaseError::Kind::too_large, "a cell has more than 64 MiB");
  }
  return size == 0 ? std::string() : std::string(static_cast<const char*>(start), size);
}

// The storage class of the cell decides; the column's type only where text is a date or 1 is true.
Value cell(sqlite3_stmt* statement, int column, ColumnKind kind) {
  switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER: {
      const std::int64_t number = sqlite3_column_int64(statement, column);
      if (kind == ColumnKind::boolean && (number == 0 || number == 1)) return number == 1;
      return number;
    }
    case SQLITE_FLOAT: {
      const double number = sqlite3_column_double(statement, column);
      if (auto text = plain_decimal(number)) return mapping::Decimal{*text};
      return std::string(number > 0 ? "Infinity" : "-Infinity");
    }
    case SQLITE_TEXT: {
      std::string text = bytes_of(statement, column);
      const bool date = kind == ColumnKind::instant || kind == ColumnKind::date;
      return date ? read_cell(ColumnKind::local_time, text) : Value(std::move(text));
    }
    case SQLITE_BLOB:
      return mapping::Bytes{bytes_of(statement, column)};
    default:
      return mapping::Null{};
  }
}

void bind_text(sqlite3_stmt* statement, int position, const std::string& text) {
  sqlite3_bind_text64(statement, position, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void bind_one(sqlite3_stmt* statement, int position, const Value& value) {
  if (mapping::is_null(value)) {
    sqlite3_bind_null(statement, position);
  } else if (const auto* flag = std::get_if<bool>(&value)) {
    sqlite3_bind_int64(statement, position, *flag ? 1 : 0);
  } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
    sqlite3_bind_int64(statement, position, *number);
  } else if (const auto* bytes = std::get_if<mapping::Bytes>(&value)) {
    sqlite3_bind_blob64(statement, position, bytes->bytes.c_str(), bytes->bytes.size(),
                        SQLITE_TRANSIENT);
  } else {
    bind_text(statement, position, parameter_text(value, Dialect::sqlite));
  }
}

// Device and inode; empty: there is no file, or the database is in memory.
using File = std::optional<std::pair<dev_t, ino_t>>;

File file_at(const std::string& path) {
  struct stat about {};
  if (path == ":memory:" || ::stat(path.c_str(), &about) != 0) return std::nullopt;
  return std::pair{about.st_dev, about.st_ino};
}

class SqliteDriver final : public Driver {
 public:
  SqliteDriver(bool reads_only, bool keeps_journal)
      : reads_only_(reads_only), keeps_journal_(reads_only || keeps_journal) {}

  std::unique_ptr<soci::session> open(const std::string& connection) override {
    if (opened_ && !file_at(connection)) {
      throw DatabaseError(DatabaseError::Kind::connection,
                          "there is no file \"" + connection + "\"");
    }
    auto session = std::make_unique<soci::session>(soci::sqlite3, connection);
    sqlite3_busy_timeout(native(*session), 5000);
    for (const std::string_view settings : kSqlite.session)
      if (!settings.empty()) run(*session, settings);
    refuse_utf16(*session);
    if (!keeps_journal_) switch_to_wal(*session);
    path_ = connection;
    opened_ = file_at(path_);
    return session;
  }

  // The file was moved away, or another one, a backup say, has taken its place.
  bool is_stale() const override { return opened_ && file_at(path_) != opened_; }

  Dialect dialect() const override { return Dialect::sqlite; }

  // Asking for the write lock at once: two that read first and write later would deadlock.
  void begin(soci::session& session) override {
    run(session, reads_only_ ? "BEGIN" : "BEGIN IMMEDIATE");
  }

  void prepare(Backend& statement, const std::string& sql, std::size_t parameters, bool) override {
    statement.prepare(sql, soci::details::st_repeatable_query);
    sqlite3_stmt* handle = native(statement);
    if (static_cast<std::size_t>(sqlite3_bind_parameter_count(handle)) != parameters) {
      throw DatabaseError(DatabaseError::Kind::other,
                          "the statement has other parameters than the " +
                              std::to_string(parameters) + " it was given");
    }
    total_ = sqlite3_total_changes(sqlite3_db_handle(handle));
  }

  void bind(Backend& statement, const std::vector<Value>& values) override {
    sqlite3_stmt* handle = native(statement);
    sqlite3_reset(handle);
    total_ = sqlite3_total_changes(sqlite3_db_handle(handle));
    for (std::size_t i = 0; i < values.size(); ++i) {
      bind_one(handle, static_cast<int>(i) + 1, values[i]);
    }
  }

  std::vector<Column> read_rows(Backend& statement, bool first, const RowTaker& take) override {
    sqlite3_stmt* handle = native(statement);
    std::vector<Column> columns;
    const int count = sqlite3_column_count(handle);
    for (int c = 0; c < count; ++c)
      columns.push_back(
          {sqlite3_column_name(handle, c), kind_of(sqlite3_column_decltype(handle, c))});
    for (bool row = first; row; row = statement.fetch(1) == Backend::ef_success) {
      std::vector<Value> cells;
      for (int c = 0; c < count; ++c)
        cells.push_back(cell(handle, c, columns[static_cast<std::size_t>(c)].kind));
      take(std::move(cells));
    }
    return columns;
  }

  // sqlite3_changes() keeps the count of an earlier statement when this one changes nothing.
  std::int64_t changed(Backend& statement, bool first) override {
    for (bool row = first; row; row = statement.fetch(1) == Backend::ef_success) {
    }
    sqlite3* connection = sqlite3_db_handle(native(statement));
    return sqlite3_total_changes(connection) == total_ ? 0 : sqlite3_changes(connection);
  }

  // SQLite compiles it anew by itself when the tables have changed.
  bool can_repeat(Backend& statement, std::string_view sql) override {
    if (!is_about_rows(sql)) return false;
    sqlite3_reset(native(statement));
    sqlite3_clear_bindings(native(statement));
    return true;
  }

  DatabaseError translate(const soci::soci_error& error, soci::session* session,
                          std::string_view sql) override {
    const auto* sqlite = dynamic_cast<const soci::sqlite3_soci_error*>(&error);
    std::string message = error.get_error_message();
    const std::string_view preface = "sqlite3_statement_backend::";  // SOCI's, then its function
    if (message.starts_with(preface)) message.erase(0, message.find(": ", preface.size()) + 2);
    const int number = sqlite ? sqlite->result() & 0xff : 0;
    // SOCI tells the first byte only.
    const int extended = session ? sqlite3_extended_errcode(native(*session)) : number;
    const bool same = (extended & 0xff) == number;
    const ErrorCode code{"", same ? extended : number};
    return {
        kind(number),
        session == nullptr ? shown_connect_error(message, code) : shown_error(message, code, sql),
        code};
  }

 private:
  static void switch_to_wal(soci::session& session) {
    try {
      run(session, "PRAGMA journal_mode = WAL");
    } catch (const soci::sqlite3_soci_error& error) {
      // Somebody is at work in the old mode; the next to open it will switch.
      if ((error.result() & 0xff) != kBusy) throw;
    }
  }

  bool reads_only_, keeps_journal_;
  std::string path_;
  File opened_;  // what the session has open
  static DatabaseError::Kind kind(int result) {
    switch (result) {
      case kBusy:
      case kLocked:
        return DatabaseError::Kind::busy;
      case kConstraint:
        return DatabaseError::Kind::constraint;
      case kInputOutput:
      case kCannotOpen:
        return DatabaseError::Kind::connection;
      default:
        return DatabaseError::Kind::other;
    }
  }

  int total_ = 0;
};

}  // namespace

std::unique_ptr<Driver> make_sqlite_driver(bool reads_only, bool keeps_journal) {
  return std::make_unique<SqliteDriver>(reads_only, keeps_journal);
}

std::string sqlite_library() {
  return std::string("SQLite ") + sqlite3_libversion();
}

}  // namespace surveybridge::crm
