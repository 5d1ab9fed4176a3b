#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql_parts.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

// SQLite stores what it is given: decimals and instants as text lose nothing, and instants written
// with six digits sort correctly.
std::string upsert(const Table& table) {
  return upsert_on_conflict(kSqlite, table);
}

std::string differs(const std::string& column, const std::string& parameter) {
  return column + " IS NOT " + parameter;
}

// On the right, so that the column's affinity stays.
std::string text_differs(const std::string& column, const std::string& parameter) {
  return differs(column, parameter) + " COLLATE BINARY";
}

std::string is_json_object(const std::string& column) {
  return "CASE WHEN " + column + " IS NULL THEN TRUE WHEN typeof(" + column +
         ") = 'text' AND json_valid(" + column + ") THEN json_type(" + column +
         ") = 'object' ELSE FALSE END";
}

std::string json_merged(const std::string& object, const std::string& patch) {
  return "json_patch(COALESCE(" + object + ", JSON_OBJECT()), " + patch + ")";
}

// An integer key takes no NULL, declared so or not, and gives itself a value.
TextQuery columns_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT name, '', CASE WHEN \"notnull\" OR pk > 0 THEN 1 ELSE 0 END,"
      " CASE WHEN dflt_value IS NOT NULL OR (pk = 1 AND UPPER(type) = 'INTEGER') THEN 1 ELSE 0 END,"
      " '', CASE WHEN pk > 0 THEN 1 ELSE 0 END, '', NULL"
      " FROM pragma_table_info(:p1, NULLIF(:p2, ''))",
      {table, schema}};
}

TextQuery unique_keys_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT l.name, i.name FROM pragma_index_list(:p1, NULLIF(:p2, '')) AS l"
      " JOIN pragma_index_info(l.name, NULLIF(:p3, '')) AS i"
      " WHERE l.\"unique\" AND i.name IS NOT NULL ORDER BY l.seq DESC, i.seqno",
      {table, schema, schema}};
}

// None of a cell that is a float or bytes.
std::string key(const std::string& column) {
  return "CASE WHEN typeof(" + column + ") IN ('integer', 'text') THEN CAST(" + column +
         " AS TEXT) END";
}

std::string octets(const std::string& column) {
  return "LENGTH(CAST(" + column + " AS BLOB))";
}

std::string key_fits(const std::string& column) {
  const std::string bytes = "CAST(" + key(column) + " AS BLOB)";
  return "COALESCE(length(" + bytes + ") BETWEEN 1 AND " + std::to_string(kKeyBytesMax) +
         " AND instr(" + bytes + ", x'00') = 0, 0)";
}

std::string odd_key_type(const std::string& column) {
  return "CASE WHEN typeof(" + column + ") IN ('real', 'blob') THEN typeof(" + column + ") END";
}

// Texts that state their offset. Of these, julianday() does not read +hhmm and +hh: they are
// rewritten as +hh:mm.
std::string zoned(const std::string& when) {
  return "(" + when + " GLOB '*[Zz]' OR " + when + " GLOB '*:*[+-][0-9][0-9]' OR " + when +
         " GLOB '*:*[+-][0-9][0-9][0-9][0-9]' OR " + when + " GLOB '*:*[+-][0-9][0-9]:[0-9][0-9]')";
}

std::string readable(const std::string& when) {
  return "CASE WHEN " + when + " GLOB '*:*[+-][0-9][0-9][0-9][0-9]' THEN substr(" + when +
         ", 1, length(" + when + ") - 2) || ':' || substr(" + when + ", -2) WHEN " + when +
         " GLOB '*:*[+-][0-9][0-9]' THEN " + when + " || ':00' ELSE " + when + " END";
}

// Days around the window are found by the text, which an index serves. Which of their moments lie
// within is decided by julianday(), with the edges in the form that the row has: as an instant, or
// as a local time of the CRM's zone.
std::string text_window(const std::string& when, const BindEdge& bind) {
  std::string text = when + " >= " + bind(WindowEdge::first_day);
  text += " AND " + when + " < " + bind(WindowEdge::end_day);
  text += " AND CASE WHEN " + zoned(when) + " THEN julianday(" + readable(when) +
          ") >= julianday(" + bind(WindowEdge::since);
  text += ") AND julianday(" + readable(when) + ") < julianday(" + bind(WindowEdge::until);
  text += ") ELSE julianday(" + when + ") >= julianday(" + bind(WindowEdge::local_since);
  return text + ") AND julianday(" + when + ") < julianday(" + bind(WindowEdge::local_until) +
         ") END";
}

// Text in another form (22-11-2026), a number, or nothing.
std::string no_date(const std::string& when) {
  return "(" + when + " IS NULL OR " + when +
         " NOT GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*' OR julianday(" + readable(when) +
         ") IS NULL)";
}

std::string number_for_date(const std::string& when) {  // numbers sort before all text
  return when + " < ''";
}

std::string instant_text(Instant instant) {
  std::string text = mapping::write_timestamp(instant);
  text[10] = 'T';
  return text + "Z";
}

std::string day_of(const std::string& instant, const std::string& minutes) {
  return "date(" + instant + ", " + minutes + " || ' minutes')";
}

std::string week_of(const std::string& day, int first) {
  return "date(" + day + ", '-' || ((CAST(strftime('%w', " + day + ") AS integer) + " +
         std::to_string(13 - first) + ") % 7) || ' days')";
}

std::string month_of(const std::string& day) {
  return "date(" + day + ", 'start of month')";
}

std::string days_ago(int days) {
  return "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-" + std::to_string(days) + " days')";
}

std::string days_since(const std::string& instant) {
  return "CAST(julianday('now') - julianday(" + instant + ") AS integer)";
}

}  // namespace

constinit const DialectTraits kSqlite = {
    .name = "sqlite",
    .product = "SQLite",
    .has_server = false,
    .syntax = {.backquotes = true},
    .upsert = upsert,
    .has_on_conflict = true,
    .now = "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    .differs = differs,
    .text_differs = text_differs,
    .is_json_object = is_json_object,
    .json_merged = json_merged,
    .column_types = {"integer", "integer", "text", "text", "text", "text", "blob"},
    .objects =
        // The columns of a view cannot be asked for while a table of it is missing.
    "SELECT m.name, p.name FROM sqlite_master AS m"
    " LEFT JOIN pragma_table_info(CASE m.type WHEN 'table' THEN m.name END) AS p"
    " WHERE m.name LIKE 'survey%'",
    .tables =
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
        " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
    .columns_of = columns_of,
    .unique_keys_of = unique_keys_of,
    .key = key,
    .key_fits = key_fits,
    .odd_key_type = odd_key_type,
    .octets = octets,
    .date_of_number = "strftime('%Y-%m-%dT%H:%M:%SZ', x, 'unixepoch')",
    .no_date = no_date,
    .text_window = text_window,
    .number_for_date = number_for_date,
    .create_view = "CREATE VIEW ",
    .drops_view_first = true,
    .real_type = "real",
    .day_of = day_of,
    .week_of = week_of,
    .month_of = month_of,
    .days_ago = days_ago,
    .days_since = days_since,
    .session = {"PRAGMA foreign_keys = ON", "PRAGMA synchronous = FULL"},
    .read_only = "PRAGMA query_only = ON",
    .database_name = "SELECT file FROM pragma_database_list WHERE name = 'main'",
    .instant_text = instant_text,
};

}  // namespace surveybridge::crm
