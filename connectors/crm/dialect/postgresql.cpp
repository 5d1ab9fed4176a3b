#include <stdexcept>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/sql_parts.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

std::string upsert(const Table& table) {
  return upsert_on_conflict(kPostgresql, table);
}

std::string differs(const std::string& column, const std::string& parameter) {
  return column + " IS DISTINCT FROM " + parameter;
}

// A type may have no equality (json), or one of its own (citext).
std::string text_differs(const std::string& column, const std::string& parameter) {
  return differs("CAST(" + column + R"( AS text) COLLATE "C")",
                 "CAST(" + parameter + R"( AS text) COLLATE "C")");
}

std::string is_json_object(const std::string& column) {
  return "(" + column + " IS NULL OR pg_catalog.jsonb_typeof(CAST(" + column +
         " AS jsonb)) = 'object')";
}

// Of json, too, which has no operators. A parameter stands there once.
std::string json_merged(const std::string& object, const std::string& patch) {
  return "(SELECT (COALESCE(CAST(" + object +
         " AS jsonb), pg_catalog.jsonb_build_object()) -"
         " ARRAY(SELECT pg_catalog.jsonb_object_keys(p.patch))) ||"
         " pg_catalog.jsonb_strip_nulls(p.patch) FROM (SELECT CAST(" +
         patch + " AS jsonb) AS patch) AS p)";
}

// -1 is "no length": a cast to varchar(10) would cut in silence where an assignment refuses.
TextQuery columns_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT a.attname, pg_catalog.format_type(a.atttypid, -1),"
      " CASE WHEN a.attnotnull OR t.typnotnull THEN 1 ELSE 0 END,"
      " CASE WHEN a.atthasdef OR a.attidentity <> '' OR t.typdefault IS NOT NULL THEN 1 ELSE 0 END,"
      " '', CASE WHEN a.attnum = ANY (i.indkey) THEN 1 ELSE 0 END, '',"
      " CASE WHEN t.typname IN ('varchar', 'bpchar') AND a.atttypmod > 4 THEN a.atttypmod - 4 END"
      " FROM pg_catalog.pg_attribute AS a"
      " JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid"
      " LEFT JOIN pg_catalog.pg_index AS i ON i.indrelid = a.attrelid AND i.indisprimary"
      " WHERE a.attrelid = CAST(CAST(:p1 AS text) AS regclass)"
      " AND a.attnum > 0 AND NOT a.attisdropped",
      {quoted_path(Dialect::postgresql, schema.empty() ? table : schema + "." + table)}};
}

// Of a column that is GENERATED AS IDENTITY the sequence needs no right. A CASE, because conditions
// are tried in any order, and the function refuses what is no sequence.
TextQuery refused_sequences(const std::string& schema, const std::string& table) {
  return {
      "SELECT a.attname, pg_catalog.quote_ident(CAST(n.nspname AS text)) || '.' ||"
      " pg_catalog.quote_ident(CAST(s.relname AS text))"
      " FROM pg_catalog.pg_attrdef AS d"
      " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = d.adrelid AND a.attnum = d.adnum"
      " JOIN pg_catalog.pg_depend AS p ON p.objid = d.oid"
      " AND p.classid = CAST('pg_catalog.pg_attrdef' AS regclass)"
      " AND p.refclassid = CAST('pg_catalog.pg_class' AS regclass)"
      " JOIN pg_catalog.pg_class AS s ON s.oid = p.refobjid"
      " JOIN pg_catalog.pg_namespace AS n ON n.oid = s.relnamespace"
      " WHERE d.adrelid = CAST(CAST(:p1 AS text) AS regclass)"
      " AND CASE WHEN s.relkind = 'S' THEN"
      " NOT pg_catalog.has_sequence_privilege(s.oid, 'USAGE, UPDATE') ELSE FALSE END"
      " ORDER BY a.attnum",
      {quoted_path(Dialect::postgresql, schema.empty() ? table : schema + "." + table)}};
}

TextQuery unique_keys_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT c.relname, a.attname FROM pg_catalog.pg_index AS i"
      " JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid"
      " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)"
      " WHERE i.indisunique AND i.indrelid = CAST(CAST(:p1 AS text) AS regclass)"
      " ORDER BY c.relname, a.attnum",
      {quoted_path(Dialect::postgresql, schema.empty() ? table : schema + "." + table)}};
}

// citext and domains compare as they like.
std::string comparable(const std::string& text) {
  return "CAST(" + text + " AS text)";
}

std::string key(const std::string& column) {
  return "CAST(" + column + " AS text) COLLATE \"default\"";
}

std::string octets(const std::string& column) {
  return "pg_catalog.octet_length(" + column + ")";
}

std::string key_fits(const std::string& column) {
  return "pg_catalog.octet_length(CAST(" + column + " AS text)) BETWEEN 1 AND " +
         std::to_string(kKeyBytesMax);
}

std::string type_name(const std::string& expression) {
  return "CAST(pg_catalog.pg_typeof(" + expression + ") AS text)";
}

std::string no_date(const std::string& column) {
  return "(" + column + " IS NULL OR NOT pg_catalog.isfinite(" + column + "))";
}

std::string session_offset(std::chrono::minutes offset) {
  return "SET TIME ZONE INTERVAL '" + offset_text(offset) + "' HOUR TO MINUTE";
}

std::string instant_text(Instant instant) {
  return mapping::write_timestamp(instant) + "+00";
}

std::string day_of(const std::string& instant, const std::string& minutes) {
  return "CAST((" + instant + " + CAST(" + minutes +
         " AS double precision) * INTERVAL '1 minute') AT TIME ZONE 'UTC' AS date)";
}

std::string week_of(const std::string& day, int first) {
  return "(" + day + " - CAST(EXTRACT(ISODOW FROM " + day + ") + " + std::to_string(6 - first) +
         " AS integer) % 7)";
}

std::string month_of(const std::string& day) {
  return "CAST(pg_catalog.date_trunc('month', CAST(" + day + " AS timestamp)) AS date)";
}

std::string days_ago(int days) {
  return "(CURRENT_TIMESTAMP - INTERVAL '" + std::to_string(24 * days) + " hours')";
}

std::string days_since(const std::string& instant) {
  return "CAST(pg_catalog.floor(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP - " + instant +
         ") / 86400) AS bigint)";
}

std::string day_text(const std::string& day) {
  return "CAST(" + day + " AS text)";
}

std::string statement_limit(std::chrono::milliseconds limit) {
  return "SET statement_timeout = " + std::to_string(limit.count());
}

std::string lock_limit(std::chrono::milliseconds limit) {
  return "SET lock_timeout = " + std::to_string(limit.count());
}

std::string use_schema(const std::string& schema) {
  return "SET search_path = " + quoted_by(kPostgresql, schema);
}

std::vector<std::string> comments(const Commented& of) {
  const auto text = [](const std::string& words) {
    return " IS " + literal_by(kPostgresql, words);
  };
  const std::string name = quoted_by(kPostgresql, of.name);
  std::vector<std::string> statements = {(of.is_view ? "COMMENT ON VIEW " : "COMMENT ON TABLE ") +
                                         name + text(of.words)};
  for (const auto& column : of.columns)
    statements.push_back("COMMENT ON COLUMN " + name + "." + quoted_by(kPostgresql, column.name) +
                         text(column.words));
  return statements;
}

}  // namespace

constinit const DialectTraits kPostgresql = {
    .name = "postgresql",
    .product = "PostgreSQL",
    .oldest = "13",
    .syntax = {.escape_strings = true, .dollar_quotes = true, .nested_comments = true},
    .functions = "pg_catalog.",
    .takes_arrays = true,
    .constraints_at_once = "SET CONSTRAINTS ALL IMMEDIATE",
    .upsert = upsert,
    .has_on_conflict = true,
    .lock_clause = " FOR UPDATE",
    .share_clause = " FOR SHARE",
    .now = "SELECT pg_catalog.clock_timestamp()",
    .prefer_indexes = "SET LOCAL enable_seqscan = off",
    .renew_counts = "ANALYZE ",
    // A database that speaks PostgreSQL may have no such setting.
    .plan_quickly = "SELECT set_config(name, 'off', true) FROM pg_settings WHERE name = 'jit'",
    .snapshots_begin = "SET default_transaction_isolation = 'repeatable read'",
    .snapshots_end = "SET default_transaction_isolation = DEFAULT",
    .differs = differs,
    .text_differs = text_differs,
    .json_types = {"json", "jsonb"},
    .is_json_object = is_json_object,
    .json_merged = json_merged,
    .json_without_members = "pg_catalog.jsonb_build_object()",
    .column_types = {"boolean", "bigint", "numeric", "text", "text", "timestamptz", "bytea"},
    .numbered = " GENERATED ALWAYS AS IDENTITY",
    .tables_that_hide_rows =
        "SELECT CAST(c.relname AS text) FROM pg_catalog.pg_class AS c WHERE c.relrowsecurity"
        " AND pg_catalog.row_security_active(c.oid) ORDER BY 1",
    .place_and_account =
        "SELECT pg_catalog.quote_ident(CAST(COALESCE(current_schema(), 'public') AS text)),"
        " pg_catalog.quote_ident(CAST(current_user AS text))",
    .grant_to_create = "GRANT CREATE, USAGE ON SCHEMA ",
    .index_beside_writers = " CONCURRENTLY",
    .objects =
        "SELECT c.relname, a.attname FROM pg_catalog.pg_class AS c"
        " JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid"
        " WHERE CAST(c.relname AS text) LIKE 'survey%' AND pg_catalog.pg_table_is_visible(c.oid)"
        " AND a.attnum > 0 AND NOT a.attisdropped",
    .strange_relations =
        "SELECT c.relname, o.rolname FROM pg_catalog.pg_class AS c"
        " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
        " JOIN pg_catalog.pg_roles AS o ON o.oid = c.relowner"
        " JOIN pg_catalog.pg_database AS d ON d.datname = pg_catalog.current_database()"
        " JOIN pg_catalog.pg_roles AS me ON me.rolname = current_user"
        " WHERE CAST(c.relname AS text) LIKE 'survey%'"
        " AND pg_catalog.pg_table_is_visible(c.oid) AND NOT o.rolsuper AND o.oid <> me.oid"
        " AND o.oid <> n.nspowner AND o.oid <> d.datdba"
        " AND (me.rolsuper OR NOT pg_catalog.pg_has_role(o.oid, 'MEMBER'))"
        " AND (pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE')"
        " OR pg_catalog.has_table_privilege(c.oid, 'DELETE, TRIGGER'))"
        " AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY c.relname",
    .shared_schemas =
        "SELECT n.nspname FROM pg_catalog.pg_namespace AS n"
        " JOIN pg_catalog.pg_database AS d ON d.datname = pg_catalog.current_database()"
        " JOIN pg_catalog.pg_roles AS me ON me.rolname = current_user"
        " WHERE n.nspname = ANY (pg_catalog.current_schemas(false)) AND EXISTS"
        " (SELECT 1 FROM pg_catalog.aclexplode(n.nspacl) AS a"
        " LEFT JOIN pg_catalog.pg_roles AS o ON o.oid = a.grantee"
        " WHERE a.privilege_type = 'CREATE' AND (a.grantee = CAST(0 AS oid) OR (NOT o.rolsuper"
        " AND o.oid <> me.oid AND o.oid <> n.nspowner AND o.oid <> d.datdba"
        " AND (me.rolsuper OR NOT pg_catalog.pg_has_role(o.oid, 'MEMBER')))))"
        " ORDER BY n.nspname",
    .schema_lock = "SELECT pg_advisory_xact_lock(7310867, 1) IS NULL",
    .schema_lock_trial = "SELECT pg_try_advisory_xact_lock(7310867, 1) IS NULL",
    .may_read_invitations =
        "SELECT CASE WHEN pg_catalog.has_table_privilege("
        "pg_catalog.to_regclass('survey_invitation'), 'SELECT') THEN 1 ELSE 0 END",
    .tables =
        "SELECT CASE WHEN pg_catalog.pg_table_is_visible(c.oid) THEN "
        "pg_catalog.quote_ident(CAST(c.relname AS text))"
        " ELSE pg_catalog.quote_ident(CAST(n.nspname AS text)) || '.' || "
        "pg_catalog.quote_ident(CAST(c.relname AS text)) END AS name"
        " FROM pg_catalog.pg_class AS c"
        " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition"
        " AND n.nspname <> 'information_schema' AND CAST(n.nspname AS text) NOT LIKE 'pg\\_%'"
        " AND pg_catalog.has_table_privilege(c.oid, 'SELECT') ORDER BY name",
    .columns_of = columns_of,
    .refused_sequences = refused_sequences,
    .unique_keys_of = unique_keys_of,
    .comparable = comparable,
    .text_type = "text",
    .integer_type = "bigint",
    .key = key,
    .key_fits = key_fits,
    .octets = octets,
    .type_name = type_name,
    .local_time_type = "timestamp",
    .instant_type = "timestamptz",
    .no_date = no_date,
    .narrow_path = "SET LOCAL search_path = pg_catalog, pg_temp",
    .schemas =
        "SELECT c.relname, n.nspname FROM pg_catalog.pg_class AS c"
        " JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace"
        " WHERE CAST(c.relname AS text) LIKE 'survey%' AND pg_catalog.pg_table_is_visible(c.oid)",
    .current_schema = "SELECT CAST(pg_catalog.current_schema() AS text)",
    .short_lock_wait = "SET LOCAL lock_timeout = '50ms'",
    .real_type = "double precision",
    .day_of = day_of,
    .week_of = week_of,
    .month_of = month_of,
    .days_ago = days_ago,
    .days_since = days_since,
    .day_text = day_text,
    .comments = comments,
    // synchronous_commit: a claim must survive the server before the first byte of its POST leaves.
    .session =
        {"SET TIME ZONE 'UTC'; SET application_name = 'surveybridge';"
         " SET statement_timeout = '60s'; SET idle_in_transaction_session_timeout = '60s';"
         " SET synchronous_commit = 'on'; SET datestyle = 'ISO'; SET bytea_output = 'hex';"
         " SET standard_conforming_strings = on; SET client_encoding = 'UTF8';"
         " SET client_min_messages = 'warning'",
         // How values become texts, what is true, and how long a session may live. A database that
         // speaks PostgreSQL may not have all of these. Not here: DateStyle's order of day and
         // month and lc_monetary, without which the CRM's texts and amounts have another meaning.
         "SELECT pg_catalog.count(pg_catalog.set_config(name, value, false)) FROM (VALUES"
         " ('IntervalStyle', 'postgres'), ('extra_float_digits', '3'),"
         " ('lc_numeric', 'C'), ('lc_time', 'C'), ('xmlbinary', 'base64'),"
         " ('xmloption', 'content'), ('array_nulls', 'on'), ('quote_all_identifiers', 'off'),"
         " ('transform_null_equals', 'off'), ('idle_session_timeout', '0'),"
         " ('transaction_timeout', '0')) AS s (name, value)"
         " WHERE pg_catalog.current_setting(name, true) IS NOT NULL"},
    .statement_limit = statement_limit,
    .lock_limit = lock_limit,
    .use_schema = use_schema,
    .has_schema = "SELECT CASE WHEN pg_catalog.current_schema() IS NULL THEN 0 ELSE 1 END",
    .read_only = "SET default_transaction_read_only = on",
    .session_offset = session_offset,
    .encoding = "SELECT pg_catalog.current_setting('server_encoding')",
    .session_name =
        "(SELECT CAST(a.pid AS text) || ' ' || CAST(EXTRACT(EPOCH FROM a.backend_start) AS text)"
        " FROM pg_catalog.pg_stat_activity AS a WHERE a.pid = pg_catalog.pg_backend_pid()"
        " AND COALESCE(pg_catalog.current_setting('surveybridge.pooled', true), '') <> 'on')",
    .sessions =
        "SELECT CAST(pid AS text) || ' ' ||"
        " COALESCE(CAST(EXTRACT(EPOCH FROM backend_start) AS text), '')"
        " FROM pg_catalog.pg_stat_activity",
    .durability_gaps =
        "SELECT 'fsync is off: what was committed last is lost when the machine stops' AS gap"
        " WHERE pg_catalog.current_setting('fsync') = 'off'"
        " UNION ALL SELECT 'full_page_writes is off: the database may be damaged when the machine"
        " stops' WHERE pg_catalog.current_setting('full_page_writes') = 'off'"
        " UNION ALL SELECT 'there is a standby, and synchronous_standby_names is empty: a failover"
        " may lose what was committed last' WHERE "
        "pg_catalog.current_setting('synchronous_standby_names') = ''"
        " AND EXISTS (SELECT 1 FROM pg_catalog.pg_stat_replication)",
    .odbc_products = {"PostgreSQL"},
    .odbc_plain_text = true,
    .true_text = "true",
    .false_text = "false",
    .bytes_prefix = "\\x",
    .database_name = "SELECT pg_catalog.current_database()",
    .instant_text = instant_text,
    .own_zone =
        "SELECT reset_val, clock.instant AT TIME ZONE reset_val, clock.instant AT TIME ZONE 'UTC'"
        " FROM pg_catalog.pg_settings, (SELECT pg_catalog.clock_timestamp() AS instant) AS clock"
        " WHERE name = 'TimeZone'",
};

}  // namespace surveybridge::crm
