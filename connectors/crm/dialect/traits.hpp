// Everything that differs between databases, as one description for each. Each database has a file
// in this room (postgresql.cpp, mariadb.cpp with MySQL, …) that fills in one DialectTraits; all
// other code asks the description and never which database it is. Pure.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/keys/sql_text.hpp"
#include "connectors/crm/dialect/dialect.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::crm {

using mapping::ColumnType;
using mapping::Instant;
using mapping::Table;

// An SQL text with parameters :p1, :p2, … and their values.
struct TextQuery {
  std::string sql;
  std::vector<std::string> parameters;
};

// The edges of a window over dates that are stored as text. Each is a parameter of its own.
enum class WindowEdge {
  first_day,  // dates of days, some days around the window
  end_day,
  since,  // the window as instants
  until,
  local_since,  // the window in the CRM's time zone
  local_until,
};
using BindEdge = std::function<std::string(WindowEdge)>;

// A table or view with its columns, and what people are told about them. `definition`: of a column,
// its type and NOT NULL.
struct Commented {
  struct Column {
    std::string name, definition, words;
  };
  std::string name, words;
  bool is_view = false;
  std::vector<Column> columns;
};

// An expression of SQL made of another expression, usually a column.
using Expression = std::string (*)(const std::string& of);

// The forms that most databases share (sql_parts.cpp).
std::string as_it_is(const std::string& of);
std::string with_limit(const std::string& select, const std::string& rows);

struct DialectTraits {
  std::string_view name;                  // of `surveybridge schema --database`
  std::string_view product, oldest = "";  // whose servers are refused below this version
  bool has_server = true;                 // false: a session costs nothing, and none is shared
  bool keeps_our_tables = true;  // false: a CRM only, and what serves our tables alone is not there
  config::SqlSyntax syntax = {};
  char open_quote = '"', close_quote = '"';  // of a table's or column's name

  // Statements.
  // Before the name of a function of the database's own that takes any type: a function of that
  // name and the very type, in a schema in which others may create, would be called instead.
  std::string_view functions = "";
  // One statement takes a whole batch: each parameter is the array of a column (arrays.hpp), and
  // every parameter is cast to its column's type. Otherwise one run takes one row.
  bool takes_arrays = false;
  // Has deferred constraints checked at each statement of a transaction; empty: there are none.
  std::string_view constraints_at_once = {};
  std::string (*limited)(const std::string& select, const std::string& rows) = with_limit;
  std::string (*upsert)(const Table& table) = nullptr;
  bool has_on_conflict = false;        // INSERT … ON CONFLICT DO NOTHING
  std::string_view from_nothing = "";  // what a SELECT without a table must say
  // At the end of a SELECT that locks its rows, and of one where others may lock them so, too.
  std::string_view lock_clause = "", share_clause = "";
  std::string_view whole_number = "BIGINT";  // the type to cast a sum of integers to
  std::string_view now = "";                 // a query: the database's clock in UTC
  // Until the transaction ends an index is used where there is one: without statistics, which a new
  // table does not have, the planner may prefer to read the whole table.
  std::string_view prefer_indexes = "";
  // Before the name of a table: counts its rows anew, where statements are planned by old counts.
  std::string_view renew_counts = "";
  // A query: until the transaction ends no plan is compiled, which for a long statement may take
  // longer than the statement.
  std::string_view plan_quickly = "";
  // Makes the session's next transactions read the database as it is at one moment; and no longer.
  std::string_view snapshots_begin = "", snapshots_end = "";
  // NULL is a value. The second is of texts: letter by letter, whatever the column's collation. The
  // third is of a column with words of its own.
  std::string (*differs)(const std::string& column, const std::string& parameter) = nullptr;
  std::string (*text_differs)(const std::string& column, const std::string& parameter) = nullptr;
  std::string (*word_differs)(const std::string& column, const std::string& parameter) = nullptr;
  // A key of a JSON object in a column. The types of such columns, as `columns_of` names them;
  // none: text. Is a column NULL, or has it an object?
  std::array<std::string_view, 2> json_types{};
  Expression is_json_object = nullptr;
  // The object with the members of `patch`, and without those that are null there; NULL is an
  // object without members. None: no key is written.
  std::string (*json_merged)(const std::string& object, const std::string& patch) = nullptr;
  std::string_view json_without_members = "JSON_OBJECT()";

  // Our own tables.
  std::array<std::string_view, 7> column_types{};  // in the order of ColumnType
  std::string_view numbered = "";       // behind the type of a column that numbers itself
  std::string_view table_options = "";  // behind CREATE TABLE (…)
  // A query: what stands there in this database, if it differs from one database to the next.
  std::string_view own_table_options = "";
  // A query: how many bytes a row may have, where a server bounds what a client sends.
  std::string_view row_bytes_max = "";
  // A query: table and column of each date that every change of its row sets anew.
  std::string_view moving_dates = "";
  // A query: tables whose policies count for this account. Empty: no table has any.
  std::string_view tables_that_hide_rows = "";
  // A statement that makes nothing: it fails for another reason where tables may be created.
  std::string_view create_trial = "";
  int create_refusal = 0;  // the driver's number where they may not
  // A query: this place and account, as GRANT writes them; and the words before the place. Empty:
  // there is no GRANT.
  std::string_view place_and_account = "", grant_to_create = "";
  // Where CREATE TABLE ends a transaction: the words for a table that only this session sees.
  std::string_view temporary_table = "";
  std::string_view create_index = "CREATE INDEX IF NOT EXISTS ";
  // The driver's number of "another session has made that index": where a statement cannot say IF
  // NOT EXISTS.
  int index_is_there = 0;
  std::string_view index_beside_writers = "";  // behind CREATE INDEX, outside of a transaction
  std::string_view objects = "";  // a query: tables and indexes named survey…, each column
  // Queries, where other roles may own or make what our statements find: relations named survey…
  // that belong to another role, which has no power over this one anyway, with its name; and
  // schemas in which such a role may create.
  std::string_view strange_relations = "", shared_schemas = "";
  std::string_view schema_lock = "";  // held until the transaction ends; empty: none is needed
  // A query that fails where the database speaks the dialect and lacks the lock. Empty: none lacks.
  std::string_view schema_lock_trial = "";

  // A query: not 0 where survey_invitation may be read; the reports' tables may be another role's.
  // Empty: it may be.
  std::string_view may_read_invitations = "";

  // The CRM's tables and the operator's queries.
  std::string_view tables =
      "";  // a query: tables and views that may be read, as a query names them
  // name, type to cast to (arrays only), 1 where NULL is refused, 1 where a new row gets a value
  // that nobody gives, 2 where it can have no other, the column's own words where a text is one of
  // those or it shows leading zeros, or an empty text, 1 where it is a part of the primary key, the
  // name of a character set that lacks letters, or an empty text, how many characters it has room
  // for, or NULL; of a table, its schema or none
  TextQuery (*columns_of)(const std::string& schema, const std::string& table) = nullptr;
  // Columns of a table to which a new row gives numbers of a sequence that this account may not
  // use, and the sequence as GRANT writes it. None: no right on a sequence is needed.
  TextQuery (*refused_sequences)(const std::string& schema, const std::string& table) = nullptr;
  // The engine of such a table, where nothing that is written can be taken back. None: no table is
  // of such a one.
  TextQuery (*engine_without_transactions)(const std::string& schema,
                                           const std::string& table) = nullptr;
  // Each column of each key of such a table that is unique: name of the key, name of the column.
  TextQuery (*unique_keys_of)(const std::string& schema, const std::string& table) = nullptr;
  Expression comparable = as_it_is;    // text that is compared without regard to its type
  std::string_view text_type = "";     // to cast a text parameter to; empty: no cast
  std::string_view integer_type = "";  // the same for an integer
  Expression key = nullptr;            // as the ledger stores it, with the ledger's collation
  Expression key_fits = nullptr;       // there is a key, and the ledger can store it
  // Only where each cell has its own type: "real" or "blob" of a key that is one, else NULL.
  Expression odd_key_type = nullptr;
  Expression octets = nullptr;  // how many bytes a text, or bytes, are
  // The name of an expression's type, where keys of type "uuid" are compared by that type.
  Expression type_name = nullptr;
  std::string_view local_time_type = "", instant_type = "";  // to cast an edge of a window to
  // Advice: how a query makes a date of a number.
  std::string_view date_of_number = "to_timestamp(x) or what the database has for it";
  Expression no_date = nullptr;  // nothing that has a place in a window: NULL, …
  // Only where dates are stored as text: which rows lie in a window, and which hold a number.
  std::string (*text_window)(const std::string& when, const BindEdge& bind) = nullptr;
  Expression number_for_date = nullptr;

  // Views for reports.
  std::string_view create_view = "CREATE OR REPLACE VIEW ";
  // Within a transaction that makes views, which name tables by their schemas: no function or
  // operator but the database's own is found.
  std::string_view narrow_path = "";
  // A query: relations named survey…, which a statement finds, and the schema of each; empty: a
  // view need not name it.
  std::string_view schemas = "";
  std::string_view current_schema = "";  // a query: where new tables and views are made
  bool drops_view_first = false;         // there is no CREATE OR REPLACE
  // Statements of a transaction that changes the shape of a table or view: at its begin, so that it
  // fails instead of waiting for a reader, and behind its end. Empty: no reader locks it out, or
  // the setting ends with the transaction.
  std::string_view short_lock_wait = "", usual_lock_wait = "";
  // A text of our own tables that is grouped and compared letter by letter: another case, an accent
  // or a blank at the end makes another text.
  Expression exact = as_it_is;
  std::string_view real_type = "";  // to cast to for a division
  // The day of an instant, some minutes east of UTC; both are expressions.
  std::string (*day_of)(const std::string& instant, const std::string& minutes) = nullptr;
  // The first day of a day's week. `first`: 0 for Monday.
  std::string (*week_of)(const std::string& day, int first) = nullptr;
  Expression month_of = nullptr;  // the first day of a day's month
  std::string (*days_ago)(int days) = nullptr;
  Expression days_since = nullptr;  // whole days from an instant to now
  Expression day_text = as_it_is;   // a day as "2026-11-23"

  // Statements that write comments into the database. None: it has no comments.
  std::vector<std::string> (*comments)(const Commented& of) = nullptr;

  // Connections and parameters.
  // What a new session is told first: its zone is UTC, and what the server, the database or the
  // account may set otherwise changes nothing that is read.
  std::array<std::string_view, 4> session{};
  // What it is told then, where the server knows these words. In a cluster whose nodes apply later
  // what another node has committed: from now on no statement outside of a transaction, and no
  // transaction, begins before this node has applied what any node had committed by then.
  std::string_view reads_latest = "";
  // In a cluster locks end at the node, and only rows that are written are compared between nodes.
  // An expression: which of kClusterGates rows this session writes instead of taking a lock for
  // reading; NULL outside of a cluster.
  std::string_view cluster_gate = "";
  std::string_view write_cluster_gate = "";  // a pattern of in_dialect(): its parameter is the row
  // An expression: a text that was never there before, which a row gets that is written for that.
  std::string_view never_before = "";
  // A query: a sentence where this is a node of a cluster, and `reads_latest` is not in force.
  std::string_view cluster_gaps = "";
  // Another limit for each of its statements than kStatementTimeout, which `session` sets; none:
  // the session has no such limit.
  std::string (*statement_limit)(std::chrono::milliseconds limit) = nullptr;
  // For how long each of its statements waits for a lock; none: another way sets it.
  std::string (*lock_limit)(std::chrono::milliseconds limit) = nullptr;
  // Where tables without a schema in their name are, and no others are seen.
  std::string (*use_schema)(const std::string& schema) = nullptr;
  std::string_view has_schema = "";  // a query: 0 where the schema in use is not there; empty: told
  std::string_view read_only = "";   // the session refuses to change anything
  // Then by ODBC, where sessions have a zone: another offset from UTC.
  std::string (*session_offset)(std::chrono::minutes offset) = nullptr;
  // A query: the encoding of the server's text, where that may be another than UTF-8.
  std::string_view encoding = "";
  // Where a session's end shows. An expression: this session's name, unique for ever, "NUMBER
  // REST"; NULL behind a pool, which may end a session at any time.
  std::string_view session_name = "";
  // A query: the names of all sessions. The REST of one that may not be looked at is empty.
  std::string_view sessions = "";
  // A query: a sentence for each setting under which what is committed may be lost.
  std::string_view durability_gaps = "";
  std::array<std::string_view, 2> odbc_products{};  // what its ODBC drivers call the database
  bool driver_limits_time = false;  // the session has no limit for a statement: the driver's is set
  // The driver's numbers of "waited too long for a lock" and "the statement took too long".
  std::array<int, 6> odbc_busy{};
  // Of "does not let this user in", and of "longer than a message may be".
  std::array<int, 6> odbc_login_refused{};
  std::array<int, 2> odbc_password_expired{};  // each statement is refused for it
  std::array<int, 4> odbc_too_large{};
  int odbc_constraint = 0;  // of a CHECK, where its SQLSTATE says nothing
  // A statement that failed with an SQLSTATE of class 01 ("Data truncated" of an ENUM) succeeds.
  bool odbc_hides_errors = false;
  bool odbc_plain_text = false;       // parameters are plain text, not national; bytes too
  bool bits_are_numbers = false;      // a column of type bit holds a number, of up to 64 bits
  bool pads_char_by_mode = false;     // a CHAR had blanks at its end where the server wanted it so
  bool timestamp_is_instant = false;  // a column of type timestamp is shown by the session's clock
  // A parameter that is an instant, as it is compared with and stored in such a column of the
  // CRM's.
  Expression in_session_zone = nullptr;
  std::string_view true_text = "1", false_text = "0", bytes_prefix = "";
  std::string_view database_name = "";  // a query: which database this is; a file: its path
  std::string (*instant_text)(Instant instant) = nullptr;
  // A query: the zone that the server is set to, whatever this session's is, its local time now,
  // and that of UTC. Empty: it has none.
  std::string_view own_zone = "";

  constexpr std::string_view column_type(ColumnType type) const {
    return column_types.at(static_cast<std::size_t>(type));
  }
};

// A number that those of nodes in most clusters (2 to 6) divide: sessions of two nodes have no gate
// in common.
inline constexpr int kClusterGates = 60;

const DialectTraits& traits(Dialect dialect);
// Why a server of this version ("8.0.17", "09.07.000004") is refused, as a sentence. Empty: it is
// not.
std::string too_old(Dialect dialect, std::string_view version);
const std::vector<Dialect>& all_dialects();

// The files of this room, one for each database.
extern const DialectTraits kPostgresql;
extern const DialectTraits kMariadb;
extern const DialectTraits kMysql;
extern const DialectTraits kSqlserver;
extern const DialectTraits kSqlite;

}  // namespace surveybridge::crm
