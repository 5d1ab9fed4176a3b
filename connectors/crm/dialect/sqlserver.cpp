#include <stdexcept>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/sql_parts.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

std::string_view column_type(ColumnType type) {
  switch (type) {
    case ColumnType::boolean:
      return "bit";
    case ColumnType::integer:
      return "bigint";
    case ColumnType::decimal:
      return "decimal(38,10)";
    case ColumnType::text:
      return "nvarchar(max)";
    case ColumnType::key_text:  // two bytes a character: two of them fit a 900 byte key
      return "nvarchar(200) COLLATE Latin1_General_100_BIN2";
    case ColumnType::instant:
      return "datetime2(6)";
    case ColumnType::bytes:
      return "varbinary(max)";
  }
  throw std::logic_error("a column type without a name");
}

std::string limited(const std::string& select, const std::string& rows) {
  return select + " OFFSET 0 ROWS FETCH NEXT " + rows + " ROWS ONLY";
}

// The only upsert in one statement; HOLDLOCK keeps two of them from both inserting.
std::string upsert(const Table& table) {
  std::string match;
  for (std::size_t i = 0; i < table.key_size; ++i) {
    const std::string name = quoted_by(kSqlserver, table.columns[i].name);
    match += (i == 0 ? "" : " AND ") + ("t." + name) + " = s." + name;
  }
  return "MERGE INTO " + quoted_by(kSqlserver, table.name) +
         " WITH (HOLDLOCK) AS t USING (VALUES (" + column_parameters(kSqlserver, table) +
         ")) AS s (" + column_names(kSqlserver, table) + ") ON " + match +
         " WHEN MATCHED THEN UPDATE SET " + assignments(kSqlserver, table, "s.") +
         " WHEN NOT MATCHED THEN INSERT (" + column_names(kSqlserver, table) + ") VALUES (" +
         column_names(kSqlserver, table, "s.") + ");";
}

std::string differs(const std::string& column, const std::string& parameter) {
  return "EXISTS (SELECT " + column + " EXCEPT SELECT " + parameter + ")";
}

std::string text_differs(const std::string& column, const std::string& parameter) {
  const auto bytes = [](const std::string& text) {
    return "CAST(CAST(" + text + " AS nvarchar(max)) AS varbinary(max))";
  };
  return differs(bytes(column), bytes(parameter));
}

std::string create_table(const std::string& table) {
  return "IF OBJECT_ID(N'" + table + "', N'U') IS NULL\nCREATE TABLE ";
}

std::string create_index(const std::string& index, const std::string& table) {
  return "IF NOT EXISTS (SELECT 1 FROM sys.indexes WHERE name = N'" + index +
         "' AND object_id = OBJECT_ID(N'" + table + "'))\nCREATE INDEX ";
}

TextQuery columns_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT name, '', CASE is_nullable WHEN 0 THEN 1 ELSE 0 END,"
      " CASE WHEN default_object_id <> 0 OR is_identity = 1 OR is_computed = 1 THEN 1 ELSE 0 END, 0"
      " FROM sys.columns WHERE object_id = OBJECT_ID(:p1)",
      {quoted_path(Dialect::sqlserver, schema.empty() ? table : schema + "." + table)}};
}

std::string rename_by_procedure(const std::string& from, const std::string& to) {
  return "EXEC sp_rename '" + from + "', '" + to.substr(1, to.size() - 2) +
         "'";  // without brackets
}

std::string comparable(const std::string& text) {
  return text;
}

// Wider than the ledger's column: a longer key must not look like another one.
std::string key(const std::string& column) {
  return "CAST(" + column + " AS nvarchar(4000)) COLLATE Latin1_General_100_BIN2";
}

std::string octets(const std::string& column) {
  return "DATALENGTH(" + column + ")";
}

std::string key_fits(const std::string& column) {  // two bytes a letter
  return "(DATALENGTH(CAST(" + column + " AS nvarchar(4000))) BETWEEN 2 AND " +
         std::to_string(2 * kKeyBytesMax) + " AND CHARINDEX(NCHAR(0), " + key(column) + ") = 0)";
}

std::string no_date(const std::string& column) {
  return column + " IS NULL";
}

std::string instant_text(Instant instant) {
  return mapping::write_timestamp(instant) + " +00:00";
}

// Blanks at the end are passed over here by every collation.
std::string exact(const std::string& text) {
  return text + " COLLATE Latin1_General_100_BIN2";
}

std::string day_of(const std::string& instant, const std::string& minutes) {
  return "CAST(DATEADD(minute, " + minutes + ", " + instant + ") AS date)";
}

// 1900-01-01 was a Monday.
std::string week_of(const std::string& day, int first) {
  return "DATEADD(day, -((DATEDIFF(day, '19000101', " + day + ") + " + std::to_string(7 - first) +
         ") % 7), " + day + ")";
}

std::string month_of(const std::string& day) {
  return "DATEFROMPARTS(YEAR(" + day + "), MONTH(" + day + "), 1)";
}

std::string days_ago(int days) {
  return "DATEADD(day, -" + std::to_string(days) + ", SYSUTCDATETIME())";
}

std::string days_since(const std::string& instant) {
  return "DATEDIFF_BIG(second, " + instant + ", SYSUTCDATETIME()) / 86400";
}

std::string day_text(const std::string& day) {
  return "CONVERT(nvarchar(10), " + day + ", 23)";
}

// `column`: empty for the table itself.
std::string comment(const Commented& of, const std::string& column, const std::string& words) {
  const auto text = [](const std::string& value) { return literal_by(kSqlserver, value); };
  const std::string object = "OBJECT_ID(" + text(of.name) + ")";
  const std::string minor =
      column.empty() ? "0" : "COLUMNPROPERTY(" + object + ", " + text(column) + ", 'ColumnId')";
  std::string named = "N'MS_Description', " + text(words) + ", N'SCHEMA', @schema, " +
                      (of.is_view ? "N'VIEW', " : "N'TABLE', ") + text(of.name);
  if (!column.empty()) named += ", N'COLUMN', " + text(column);
  return "DECLARE @schema sysname = SCHEMA_NAME()\nIF EXISTS (SELECT 1 FROM"
         " sys.extended_properties WHERE class = 1 AND major_id = " +
         object + " AND minor_id = " + minor +
         " AND name = N'MS_Description')\n  EXEC sp_updateextendedproperty " + named +
         "\nELSE\n  EXEC sp_addextendedproperty " + named;
}

std::vector<std::string> comments(const Commented& of) {
  std::vector<std::string> statements = {comment(of, "", of.words)};
  for (const auto& column : of.columns)
    statements.push_back(comment(of, column.name, column.words));
  return statements;
}

}  // namespace

constinit const DialectTraits kSqlserver = {
    .name = "sqlserver",
    .syntax = {.backquotes = true, .brackets = true, .nested_comments = true},
    .open_quote = '[',
    .close_quote = ']',
    .limited = limited,
    .upsert = upsert,
    .lock_hint = " WITH (UPDLOCK, HOLDLOCK)",
    .share_hint = " WITH (HOLDLOCK)",
    .whole_number = "BIGINT",
    .now = "SELECT SYSUTCDATETIME()",
    .differs = differs,
    .text_differs = text_differs,
    .column_type = column_type,
    .numbered = " IDENTITY",
    .add_column = " ADD ",
    .create_table = create_table,
    .create_index = create_index,
    .rename_table = rename_by_procedure,
    .objects =
        "SELECT t.name, c.name FROM sys.tables AS t"
        " JOIN sys.columns AS c ON c.object_id = t.object_id WHERE t.name LIKE 'survey%'"
        " UNION SELECT name, '' FROM sys.indexes WHERE name LIKE 'survey%'",
    .schema_lock =
        "EXEC sp_getapplock @Resource = 'surveybridge schema',"
        " @LockMode = 'Exclusive'",
    .tables =
        "SELECT CONCAT(table_schema, '.', table_name) AS name FROM information_schema.tables"
        " ORDER BY name",
    .columns_of = columns_of,
    .comparable = comparable,
    .key = key,
    .key_fits = key_fits,
    .octets = octets,
    .local_time_type = "datetime2(6)",
    .instant_type = "datetimeoffset(6)",
    .date_of_number = "to_timestamp(x) or what the database has for it",
    .no_date = no_date,
    .create_view = "CREATE OR ALTER VIEW ",
    .text_literal = "N",
    .short_lock_wait = "SET LOCK_TIMEOUT 50",
    .usual_lock_wait = "SET LOCK_TIMEOUT 10000",
    .exact = exact,
    .real_type = "float",
    .day_of = day_of,
    .week_of = week_of,
    .month_of = month_of,
    .days_ago = days_ago,
    .days_since = days_since,
    .day_text = day_text,
    .comments = comments,
    .session = {"SET XACT_ABORT ON; SET LANGUAGE us_english; SET LOCK_TIMEOUT 10000"},
    .durability_gaps =
        "SELECT 'delayed durability is forced: what was committed last is lost when the machine"
        " stops' AS gap FROM sys.databases WHERE database_id = DB_ID()"
        " AND delayed_durability_desc = 'FORCED'",
    .odbc_products = {"Microsoft SQL Server"},
    .driver_limits_time = true,
    .instant_text = instant_text,
};

}  // namespace surveybridge::crm
