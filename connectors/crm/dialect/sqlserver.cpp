#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/sql_parts.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

std::string limited(const std::string& select, const std::string& rows) {
  return select + " OFFSET 0 ROWS FETCH NEXT " + rows + " ROWS ONLY";
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

TextQuery columns_of(const std::string& schema, const std::string& table) {
  return {
      "SELECT name, '', CASE is_nullable WHEN 0 THEN 1 ELSE 0 END,"
      " CASE WHEN default_object_id <> 0 OR is_identity = 1 OR is_computed = 1 THEN 1 ELSE 0 END, "
      "'', 0, '', NULL"
      " FROM sys.columns WHERE object_id = OBJECT_ID(:p1)",
      {quoted_path(Dialect::sqlserver, schema.empty() ? table : schema + "." + table)}};
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

}  // namespace

constinit const DialectTraits kSqlserver = {
    .name = "sqlserver",
    .product = "SQL Server",
    .keeps_our_tables = false,
    .syntax = {.backquotes = true, .brackets = true, .nested_comments = true},
    .open_quote = '[',
    .close_quote = ']',
    .limited = limited,
    .now = "SELECT SYSUTCDATETIME()",
    .differs = differs,
    .text_differs = text_differs,
    .tables =
        "SELECT CONCAT(table_schema, '.', table_name) AS name FROM information_schema.tables"
        " ORDER BY name",
    .columns_of = columns_of,
    .key = key,
    .key_fits = key_fits,
    .octets = octets,
    .local_time_type = "datetime2(6)",
    .instant_type = "datetimeoffset(6)",
    .no_date = no_date,
    .session = {"SET XACT_ABORT ON; SET LANGUAGE us_english; SET LOCK_TIMEOUT 10000"},
    .odbc_products = {"Microsoft SQL Server"},
    .driver_limits_time = true,
    .database_name = "SELECT DB_NAME()",
    .instant_text = instant_text,
};

}  // namespace surveybridge::crm
