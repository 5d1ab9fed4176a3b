// MariaDB, and MySQL by what differs there. Every text that needs no name of a collation is the
// same.
#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql_parts.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

// The collation that compares letters by their bytes, blanks at the end among them.
struct OfMariadb {
  static constexpr const char* kByLetter = " COLLATE utf8mb4_nopad_bin";
  static constexpr std::string_view kKeyText = "varchar(191) COLLATE utf8mb4_nopad_bin";
};
struct OfMysql {
  static constexpr const char* kByLetter = " COLLATE utf8mb4_0900_bin";
  static constexpr std::string_view kKeyText = "varchar(191) COLLATE utf8mb4_0900_bin";
};

std::string upsert(const Table& table) {
  return insert_by(kMariadb, table) + " ON DUPLICATE KEY UPDATE " +
         assignments(kMariadb, table, "VALUES(", ")");
}

std::string differs(const std::string& column, const std::string& parameter) {
  return "NOT (" + column + " <=> " + parameter + ")";
}

// Bytes of one character set: a binary collation would leave out blanks at the end.
std::string text_differs(const std::string& column, const std::string& parameter) {
  const auto bytes = [](const std::string& text) {
    return "CAST(CONVERT(" + text + " USING utf8mb4) AS BINARY)";
  };
  return differs(bytes(column), bytes(parameter));
}

// As texts: an UPDATE takes a parameter that an ENUM does not have for a value of it. The letters'
// case does not count, as it does not for the ENUM.
std::string word_differs(const std::string& column, const std::string& parameter) {
  return differs("CONVERT(" + column + " USING utf8mb4)",
                 "CONVERT(" + parameter + " USING utf8mb4)");
}

std::string is_json_object(const std::string& column) {
  return "CASE WHEN " + column + " IS NULL THEN TRUE WHEN JSON_VALID(" + column +
         ") THEN JSON_TYPE(" + column + ") = 'OBJECT' ELSE FALSE END";
}

std::string json_merged(const std::string& object, const std::string& patch) {
  return "JSON_MERGE_PATCH(COALESCE(" + object + ", JSON_OBJECT()), " + patch + ")";
}

// The first word of an ENUM is its default.
TextQuery columns_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT column_name, CASE data_type WHEN 'bit' THEN 'UNSIGNED'"
      " WHEN 'json' THEN 'JSON' ELSE '' END,"
      " CASE is_nullable WHEN 'NO' THEN 1 ELSE 0 END,"
      " CASE WHEN extra LIKE '%VIRTUAL GENERATED%' OR extra LIKE '%STORED GENERATED%' THEN 2"
      " WHEN column_default IS NOT NULL OR data_type = 'enum' OR extra LIKE '%auto_increment%'"
      " OR extra LIKE '%generated%' THEN 1 ELSE 0 END,"
      " CASE WHEN data_type IN ('enum', 'set') OR column_type LIKE '%zerofill%' THEN column_type"
      " ELSE '' END,"
      " CASE column_key WHEN 'PRI' THEN 1 ELSE 0 END,"
      " CASE WHEN character_set_name IN ('utf8mb4', 'utf16', 'utf16le', 'utf32') THEN ''"
      " ELSE COALESCE(character_set_name, '') END,"
      " CASE WHEN data_type IN ('char', 'varchar') THEN"
      " CAST(character_maximum_length AS SIGNED) END"
      " FROM information_schema.columns"
      " WHERE table_schema = COALESCE(NULLIF(:p1, ''), DATABASE()) AND table_name = :p2",
      {schema, table}};
}

TextQuery engine_without_transactions(const std::string& schema, const std::string& table) {
  return {
      "SELECT t.engine FROM information_schema.tables AS t JOIN information_schema.engines AS e"
      " ON e.engine = t.engine WHERE e.transactions = 'NO'"
      " AND t.table_schema = COALESCE(NULLIF(:p1, ''), DATABASE()) AND t.table_name = :p2",
      {schema, table}};
}

TextQuery unique_keys_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT index_name, column_name FROM information_schema.statistics WHERE non_unique = 0"
      " AND table_schema = COALESCE(NULLIF(:p1, ''), DATABASE()) AND table_name = :p2"
      " ORDER BY index_name, seq_in_index",
      {schema, table}};
}

template <class Of>
std::string key(const std::string& column) {
  return "CAST(" + column + " AS CHAR CHARACTER SET utf8mb4)" + Of::kByLetter;
}

std::string octets(const std::string& column) {
  return "OCTET_LENGTH(" + column + ")";
}

// Of the key's text: the bytes of a UUID, an INET6 or UTF-16 may hold zeros.
template <class Of>
std::string key_fits(const std::string& column) {
  const std::string bytes = "CAST(" + key<Of>(column) + " AS BINARY)";
  return "(OCTET_LENGTH(" + bytes + ") BETWEEN 1 AND " + std::to_string(kKeyBytesMax) +
         " AND LOCATE(x'00', " + bytes + ") = 0)";
}

// Zero dates, whole or in part: 0000-00-00, 2026-11-00.
std::string no_date(const std::string& column) {
  return "(" + column + " IS NULL OR MONTH(" + column + ") = 0 OR DAYOFMONTH(" + column + ") = 0)";
}

std::string session_offset(std::chrono::minutes offset) {
  return "SET time_zone = '" + offset_text(offset) + "'";
}

// Our parameters are UTC. Offsets need no tables of zones.
std::string in_session_zone(const std::string& parameter) {
  return "CONVERT_TZ(" + parameter + ", '+00:00', @@session.time_zone)";
}

std::string instant_text(Instant instant) {
  return mapping::write_timestamp(instant);
}

template <class Of>
std::string exact(const std::string& text) {
  return text + Of::kByLetter;
}

std::string day_of(const std::string& instant, const std::string& minutes) {
  return "CAST(DATE_ADD(" + instant + ", INTERVAL " + minutes + " MINUTE) AS DATE)";
}

std::string week_of(const std::string& day, int first) {
  return "DATE_SUB(" + day + ", INTERVAL MOD(WEEKDAY(" + day + ") + " + std::to_string(7 - first) +
         ", 7) DAY)";
}

std::string month_of(const std::string& day) {
  return "DATE_SUB(" + day + ", INTERVAL DAYOFMONTH(" + day + ") - 1 DAY)";
}

std::string days_ago(int days) {
  return "(UTC_TIMESTAMP(6) - INTERVAL " + std::to_string(days) + " DAY)";
}

std::string days_since(const std::string& instant) {
  return "TIMESTAMPDIFF(DAY, " + instant + ", UTC_TIMESTAMP(6))";
}

std::string day_text(const std::string& day) {
  return "CAST(" + day + " AS CHAR CHARACTER SET utf8mb4)";
}

std::string statement_limit(std::chrono::milliseconds limit) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(limit).count();
  return "SET max_statement_time = " + std::to_string(seconds);
}

// Of statements that only read; the others have no limit.
std::string reading_limit(std::chrono::milliseconds limit) {
  return "SET max_execution_time = " + std::to_string(limit.count());
}

// The first is of definitions and LOCK TABLES, the second of rows.
std::string lock_limit(std::chrono::milliseconds limit) {
  const auto seconds = std::to_string(std::chrono::ceil<std::chrono::seconds>(limit).count());
  return "SET lock_wait_timeout = " + seconds + ", innodb_lock_wait_timeout = " + seconds;
}

std::string use_schema(const std::string& schema) {
  return "USE " + quoted_by(kMariadb, schema);
}

// Each column is defined again with its comment: INSTANT refuses any other change of the column,
// and in MySQL the comment of the table, too.
std::vector<std::string> comments(const Commented& of) {
  if (of.is_view) return {};
  const std::string table = "ALTER TABLE " + quoted_by(kMariadb, of.name);
  std::string columns = table;
  for (const auto& column : of.columns)
    columns += "\n  MODIFY COLUMN " + quoted_by(kMariadb, column.name) + " " + column.definition +
               " COMMENT " + literal_by(kMariadb, column.words) + ",";
  return {table + " COMMENT = " + literal_by(kMariadb, of.words),
          columns + "\n  ALGORITHM = INSTANT"};
}

// Nothing that the server may set otherwise changes a text, number, date, order or truth. The modes
// by which it reads the query otherwise are off, too; kept are the two whose change refuses a query
// and alters no row. READ COMMITTED: otherwise a transaction does not see what others commit.
// Strict: otherwise a value that does not fit its column is cut without a word.
constexpr std::string_view kSession =
    "SET time_zone = '+00:00', NAMES utf8mb4, innodb_lock_wait_timeout = 10,"
    " sql_mode = CONCAT_WS(',',"
    " 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',"
    " IF(FIND_IN_SET('PIPES_AS_CONCAT', @@sql_mode) > 0, 'PIPES_AS_CONCAT', NULL),"
    " IF(FIND_IN_SET('ONLY_FULL_GROUP_BY', @@sql_mode) > 0, 'ONLY_FULL_GROUP_BY', NULL)),"
    " div_precision_increment = 4, group_concat_max_len = 1048576, default_week_format = 0,"
    " lc_time_names = 'en_US', max_sort_length = 1024, sql_auto_is_null = 0,"
    " sql_select_limit = 18446744073709551615, sql_safe_updates = 0, sql_big_selects = 1";

constexpr DialectTraits kOfMariadb = {
    .name = "mariadb",
    .product = "MariaDB",
    .oldest = "10.5",
    .syntax = {.backslash_escapes = true,
               .backquotes = true,
               .hash_comments = true,
               .pipes_are_or = true},
    .open_quote = '`',
    .close_quote = '`',
    .upsert = upsert,
    .from_nothing = " FROM DUAL",
    .lock_clause = " FOR UPDATE",
    .share_clause = " LOCK IN SHARE MODE",
    .whole_number = "SIGNED",
    .now = "SELECT UTC_TIMESTAMP(6)",
    .snapshots_begin = "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    .snapshots_end = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
    .differs = differs,
    .text_differs = text_differs,
    .word_differs = word_differs,
    .is_json_object = is_json_object,
    .json_merged = json_merged,
    // A key's characters have four bytes: two keys fit InnoDB's 3072.
    .column_types = {"boolean", "bigint", "decimal(65,30)", "longtext", OfMariadb::kKeyText,
                     "datetime(6)", "longblob"},
    .numbered = " AUTO_INCREMENT",
    // A server may make tables of another row format, whose indexes hold no key of ours.
    .table_options = " ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4",
    // The database's own collation, so that its queries can join with our text.
    .own_table_options =
        "SELECT CONCAT(' ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARACTER SET utf8mb4 COLLATE ',"
        " @@collation_database) FROM DUAL WHERE @@character_set_database = 'utf8mb4'",
    .row_bytes_max = "SELECT @@max_allowed_packet",
    .moving_dates =
        "SELECT table_name, column_name FROM information_schema.columns WHERE"
        " table_schema = DATABASE() AND extra LIKE '%on update%' ORDER BY table_name, column_name",
    .create_trial = "CREATE TABLE survey_trial LIKE survey_no_such_table",
    .create_refusal = 1142,
    .place_and_account =
        "SELECT CONCAT('`', DATABASE(), '`.*'),"
        " CONCAT(QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', 1)), '@',"
        " QUOTE(SUBSTRING_INDEX(CURRENT_USER(), '@', -1))) FROM DUAL",
    // `preview` looks at tables that only its session sees, as long as there are no others.
    .grant_to_create =
        "GRANT CREATE, CREATE TEMPORARY TABLES, ALTER, INDEX, CREATE VIEW, SELECT, INSERT, UPDATE,"
        " DELETE, DROP ON ",
    .temporary_table = "CREATE TEMPORARY TABLE ",
    .objects =
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = DATABASE() AND table_name LIKE 'survey%'"
        " UNION SELECT index_name, column_name FROM information_schema.statistics"
        " WHERE table_schema = DATABASE() AND table_name LIKE 'survey%'",
    // Each CREATE ends the transaction and holds a lock of its own.
    .may_read_invitations =
        "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()"
        " AND table_name = 'survey_invitation'",
    .tables =
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
        " ORDER BY table_name",
    .columns_of = columns_of,
    .engine_without_transactions = engine_without_transactions,
    .unique_keys_of = unique_keys_of,
    .key = key<OfMariadb>,
    .key_fits = key_fits<OfMariadb>,
    .octets = octets,
    .local_time_type = "datetime(6)",
    .instant_type = "datetime(6)",
    .date_of_number = "FROM_UNIXTIME(x)",
    .no_date = no_date,
    .short_lock_wait = "SET SESSION lock_wait_timeout = 0",
    .usual_lock_wait = "SET SESSION lock_wait_timeout = DEFAULT",
    .exact = exact<OfMariadb>,
    .real_type = "DOUBLE",
    .day_of = day_of,
    .week_of = week_of,
    .month_of = month_of,
    .days_ago = days_ago,
    .days_since = days_since,
    .day_text = day_text,
    .comments = comments,
    // Older servers do not know that old_mode.
    .session = {kSession, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
                "SET max_statement_time = 60, default_regex_flags = 0,"
                " system_versioning_asof = DEFAULT"
                " /*!100601 , old_mode = 'UTF8_IS_UTF8MB3' */",
                // Nodes of Galera give numbers in steps, from another offset each.
                "SET @surveybridge_gate = (SELECT MOD(CONNECTION_ID() * @@auto_increment_increment"
                " + @@auto_increment_offset, 60) FROM information_schema.session_variables"
                " WHERE variable_name = 'wsrep_on' AND variable_value = 'ON')"},
    // 1: SELECT and BEGIN, 2: UPDATE and DELETE, 4: INSERT and REPLACE. Dirty reads are those of a
    // node that the cluster has lost.
    .reads_latest = "SET wsrep_sync_wait = 7, wsrep_dirty_reads = OFF",
    .cluster_gate = "@surveybridge_gate",
    .write_cluster_gate = R"(INSERT INTO "survey_seal" ("name", "value") VALUES ({key}, UUID()))"
                          R"( ON DUPLICATE KEY UPDATE "value" = UUID())",
    .never_before = "UUID()",
    .cluster_gaps =
        "SELECT 'this is a node of a Galera cluster, and wsrep_sync_wait cannot be set: what is"
        " read here may be older than what another node has committed' FROM DUAL"
        " WHERE @surveybridge_gate IS NOT NULL AND NOT EXISTS (SELECT 1 FROM"
        " information_schema.session_variables WHERE variable_name = 'wsrep_sync_wait'"
        " AND CAST(variable_value AS UNSIGNED) & 7 = 7)",
    .statement_limit = statement_limit,
    .lock_limit = lock_limit,
    .use_schema = use_schema,
    .read_only = "SET SESSION TRANSACTION READ ONLY",
    .session_offset = session_offset,
    .durability_gaps =
        "SELECT CONCAT('innodb_flush_log_at_trx_commit is ', @@innodb_flush_log_at_trx_commit,"
        " ': what was committed last is lost when the machine stops') AS gap FROM DUAL"
        " WHERE @@innodb_flush_log_at_trx_commit <> 1",
    .odbc_products = {"MariaDB"},
    // Lock waits, a statement cut off, and a definition that another session changed meanwhile;
    // reported as HY000 and 70100. 1180: a COMMIT failed, as where a node leaves its cluster.
    .odbc_busy = {1205, 1969, 1020, 1412, 1615, 1180},
    // Of a password, of a right on the database, of a database that is not there.
    .odbc_login_refused = {1045, 1044, 1049, 1698},
    .odbc_password_expired = {1820, 1862},
    .odbc_too_large = {1153, 1301, 2020},
    .odbc_hides_errors = true,
    .bits_are_numbers = true,
    .pads_char_by_mode = true,
    .timestamp_is_instant = true,
    .in_session_zone = in_session_zone,
    .database_name = "SELECT COALESCE(DATABASE(), '')",
    .instant_text = instant_text,
    .own_zone =
        "SELECT IF(@@global.time_zone = 'SYSTEM', @@global.system_time_zone, @@global.time_zone),"
        " CONVERT_TZ(UTC_TIMESTAMP(), '+00:00', @@global.time_zone), UTC_TIMESTAMP()",
};

constexpr DialectTraits of_mysql() {
  DialectTraits mysql = kOfMariadb;
  mysql.name = "mysql";
  mysql.product = "MySQL";
  mysql.oldest = "8.0.17";
  mysql.column_types[static_cast<std::size_t>(ColumnType::key_text)] = OfMysql::kKeyText;
  mysql.json_types = {"JSON"};
  mysql.create_index = "CREATE INDEX ";  // it has no IF NOT EXISTS
  mysql.index_is_there = 1061;
  mysql.key = key<OfMysql>;
  mysql.key_fits = key_fits<OfMysql>;
  mysql.exact = exact<OfMysql>;
  // A writing statement has no limit, and waits for a lock on the table for a year by default.
  mysql.short_lock_wait = "SET SESSION lock_wait_timeout = 1";  // the least that it takes
  mysql.usual_lock_wait = "SET SESSION lock_wait_timeout = 60";
  mysql.session[2] =
      "SET max_execution_time = 60000, lock_wait_timeout = 60, windowing_use_high_precision = 1";
  // Its clusters have not been tried.
  mysql.session[3] = "";
  mysql.reads_latest = mysql.cluster_gate = mysql.write_cluster_gate = "";
  mysql.never_before = mysql.cluster_gaps = "";
  mysql.statement_limit = reading_limit;
  mysql.odbc_products = {"MySQL"};
  // The last: a statement took longer than max_execution_time.
  mysql.odbc_busy = {1205, 1412, 1615, 3024};
  // Of a password or a right, and of a password that is not sent without TLS.
  mysql.odbc_constraint = 3819;
  mysql.odbc_login_refused = {1045, 1044, 1049, 1698, 1251, 2061};
  return mysql;
}

}  // namespace

constinit const DialectTraits kMariadb = kOfMariadb;
constinit const DialectTraits kMysql = of_mysql();

}  // namespace surveybridge::crm
