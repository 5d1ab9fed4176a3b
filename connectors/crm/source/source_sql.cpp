#include "connectors/crm/source/source_sql.hpp"

#include <charconv>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/schema/limits.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using mapping::LocalTime;
using std::chrono::days;

// A statement in the making: its parameters are numbered as they are written.
struct Text {
  Dialect dialect;
  Statement made;

  Text& operator<<(std::string_view text) {
    made.sql += text;
    return *this;
  }
  // The next parameter, cast to what it is compared with.
  Text& bind(Value value, std::string_view type) {
    made.parameters.push_back(std::move(value));
    const std::string name = ":p" + std::to_string(made.parameters.size());
    if (type.empty()) return *this << name;
    return *this << "CAST(" << name << " AS " << type << ")";
  }
};

std::string column(Dialect dialect, const Column& column) {
  return "q." + quoted(dialect, column.name);
}

// The key as the ledger keeps it, with the collation of the ledger's column: another one of the
// CRM's would make the comparison fail, or pass over the ledger's index.
std::string key_text(Dialect dialect, const Windowed& source) {
  const std::string key = column(dialect, source.key);
  switch (dialect) {
    case Dialect::postgresql:
      return "CAST(" + key + " AS text) COLLATE \"default\"";
    case Dialect::mariadb:
      return "CAST(" + key + " AS CHAR CHARACTER SET utf8mb4) COLLATE utf8mb4_nopad_bin";
    case Dialect::sqlserver:  // wider than the ledger's: a longer key is not to look like another
      return "CAST(" + key + " AS nvarchar(4000)) COLLATE Latin1_General_100_BIN2";
    case Dialect::sqlite:
      break;
  }
  return "CAST(" + key + " AS TEXT)";
}

// Is there a key, and can the ledger keep it (kKeyBytesMax)? SQL Server counts two bytes a letter.
std::string key_fits(Dialect dialect, const Windowed& source) {
  const std::string key = column(dialect, source.key);
  const std::string most = std::to_string(kKeyBytesMax);
  switch (dialect) {
    case Dialect::postgresql:
      return "octet_length(CAST(" + key + " AS text)) BETWEEN 1 AND " + most;
    case Dialect::mariadb:
      return "OCTET_LENGTH(CAST(" + key + " AS CHAR CHARACTER SET utf8mb4)) BETWEEN 1 AND " + most;
    case Dialect::sqlserver:
      return "DATALENGTH(CAST(" + key + " AS nvarchar(4000))) BETWEEN 2 AND " +
             std::to_string(2 * kKeyBytesMax);
    case Dialect::sqlite:
      break;
  }
  return "length(CAST(CAST(" + key + " AS TEXT) AS BLOB)) BETWEEN 1 AND " + most;
}

std::string_view type_of_text(Dialect dialect) {
  return dialect == Dialect::postgresql ? "text" : "";
}

std::string_view type_of(Dialect dialect, ColumnKind kind) {
  if (kind == ColumnKind::date) return "date";
  const bool zoned = kind == ColumnKind::instant;
  if (dialect == Dialect::postgresql) return zoned ? "timestamptz" : "timestamp";
  if (dialect == Dialect::sqlserver) return zoned ? "datetimeoffset(6)" : "datetime2(6)";
  return "datetime(6)";
}

// An edge of the window as what the column holds. A date is its midnight: the first at or after
// the edge counts, on both edges alike.
Value edge(const Windowed& source, Instant instant) {
  if (source.when.kind == ColumnKind::instant) return instant;
  const LocalTime local = mapping::to_zone(instant, source.time_zone);
  if (source.when.kind == ColumnKind::date) return LocalTime(std::chrono::ceil<days>(local));
  return local;
}

std::string date_text(LocalTime local) {
  return mapping::write_timestamp(Instant(local.time_since_epoch())).substr(0, 10);
}

// Texts that say their offset. Those SQLite's julianday() does not read, +hhmm and +hh, it is
// given as +hh:mm.
std::string zoned(const std::string& when) {
  return "(" + when + " GLOB '*[Zz]' OR " + when + " GLOB '*:*[+-][0-9][0-9]' OR " + when +
         " GLOB '*:*[+-][0-9][0-9][0-9][0-9]' OR " + when + " GLOB '*:*[+-][0-9][0-9]:[0-9][0-9]')";
}

std::string readable(const std::string& when) {
  return "CASE WHEN " + when + " GLOB '*:*[+-][0-9][0-9][0-9][0-9]' THEN substr(" + when +
         ", 1, length(" + when + ") - 2) || ':' || substr(" + when + ", -2) WHEN " + when +
         " GLOB '*:*[+-][0-9][0-9]' THEN " + when + " || ':00' ELSE " + when + " END";
}

// SQLite's dates are text in any form. Days around the window are found by the text, which an
// index serves; which of their moments lie within, by julianday() with the edges in the form that
// the row has: as an instant, or as a wall clock of the CRM's zone.
void window_in_text(Text& text, const Windowed& source, Instant since, Instant until) {
  const std::string when = column(Dialect::sqlite, source.when);
  const LocalTime from = mapping::to_zone(since, source.time_zone);
  const LocalTime to = mapping::to_zone(until, source.time_zone);
  text << when << " >= ";
  text.bind(date_text(from - days(2)), "") << " AND " << when << " < ";
  text.bind(date_text(to + days(3)), "") << " AND CASE WHEN " << zoned(when) << " THEN julianday("
                                         << readable(when) << ") >= julianday(";
  text.bind(since, "") << ") AND julianday(" << readable(when) << ") < julianday(";
  text.bind(until, "") << ") ELSE julianday(" << when << ") >= julianday(";
  text.bind(from, "") << ") AND julianday(" << when << ") < julianday(";
  text.bind(to, "") << ") END";
}

void window(Text& text, const Windowed& source, Instant since, Instant until) {
  if (text.dialect == Dialect::sqlite) return window_in_text(text, source, since, until);
  const std::string when = column(text.dialect, source.when);
  const std::string_view type = type_of(text.dialect, source.when.kind);
  text << when << " >= ";
  text.bind(edge(source, since), type) << " AND " << when << " < ";
  text.bind(edge(source, until), type);
}

// In the window, with a key that can be kept, and not in the ledger.
void unknown(Text& text, const Windowed& source, Instant since, Instant until) {
  const Dialect dialect = text.dialect;
  window(text, source, since, until);
  text << " AND " << key_fits(dialect, source) << " AND NOT EXISTS (SELECT 1 FROM "
       << quoted(dialect, "survey_push") << " AS p WHERE p." << quoted(dialect, "push") << " = ";
  text.bind(source.push, type_of_text(dialect))
      << " AND p." << quoted(dialect, "key") << " = " << key_text(dialect, source) << ")";
}

// A comment of one line at the query's end must not swallow our parenthesis.
std::string from_query(const std::string& query) {
  return " FROM (\n" + without_end(query) + "\n) AS q";
}

std::string rows_with_key(Dialect dialect, const Windowed& source) {
  return "SELECT q.*, " + key_text(dialect, source) + " AS " + quoted(dialect, "bridge_key") +
         from_query(source.query);
}

// Each key of the window once.
void keys(Text& text, const Windowed& source, Instant since, Instant until) {
  const Dialect dialect = text.dialect;
  text << "SELECT DISTINCT " << key_text(dialect, source) << " AS " << quoted(dialect, "bridge_key")
       << from_query(source.query) << " WHERE ";
  window(text, source, since, until);
  text << " AND " << key_fits(dialect, source);
}

std::string ordered(Dialect dialect, const Windowed& source) {
  return " ORDER BY " + column(dialect, source.when) + ", " + key_text(dialect, source);
}

// All keys as numbers, if each is the text of one.
std::optional<std::vector<Value>> numbers(const std::vector<std::string>& keys) {
  std::vector<Value> all;
  for (const std::string& key : keys) {
    std::int64_t number = 0;
    std::from_chars(key.data(), key.data() + key.size(), number);
    if (std::to_string(number) != key) return std::nullopt;
    all.emplace_back(number);
  }
  return all;
}

}  // namespace

std::string without_end(std::string query) {
  const auto last = query.find_last_not_of(" \t\r\n;");
  query.resize(last == std::string::npos ? 0 : last + 1);
  return query;
}

Statement shape_of_query(Dialect, const std::string& query) {
  return {"SELECT q.*" + from_query(query) + " WHERE 1 = 0", {}};
}

std::optional<std::string> unusable_when(Dialect dialect, const Column& when) {
  const std::string name = "column \"" + when.name + "\"";
  switch (when.kind) {
    case ColumnKind::instant:
    case ColumnKind::local_time:
    case ColumnKind::date:
      return std::nullopt;
    case ColumnKind::integer:
    case ColumnKind::decimal:
    case ColumnKind::real:
    case ColumnKind::boolean:
    case ColumnKind::bytes:
      return name + " is no date; make one of it in the query (of seconds since 1970: " +
             (dialect == Dialect::sqlite ? "strftime('%Y-%m-%dT%H:%M:%SZ', x, 'unixepoch')"
                                         : "to_timestamp(x) or what the database has for it") +
             ")";
    case ColumnKind::text:
    case ColumnKind::other:
      if (dialect == Dialect::sqlite) return std::nullopt;
      return name + " is no date; make one of it in the query: CAST(x AS " +
             std::string(type_of(dialect, ColumnKind::local_time)) + ")";
  }
  return std::nullopt;
}

Statement unknown_rows(Dialect dialect, const Windowed& source, Instant since, Instant until,
                       int limit) {
  Text text{dialect, {}};
  text << rows_with_key(dialect, source) << " WHERE ";
  unknown(text, source, since, until);
  text << ordered(dialect, source);
  text.made.sql = limited(dialect, text.made.sql, limit);
  return text.made;
}

Statement count_unknown(Dialect dialect, const Windowed& source, Instant since, Instant until) {
  Text text{dialect, {}};
  text << "SELECT COUNT(*)" << from_query(source.query) << " WHERE ";
  unknown(text, source, since, until);
  return text.made;
}

Statement count_keys(Dialect dialect, const Windowed& source, Instant since, Instant until) {
  Text text{dialect, {}};
  text << "SELECT COUNT(*) FROM (";
  keys(text, source, since, until);
  text << ") AS k";
  return text.made;
}

Statement count_states(Dialect dialect, const Windowed& source, Instant since, Instant until) {
  Text text{dialect, {}};
  text << "SELECT p." << quoted(dialect, "state") << ", COUNT(*) FROM (";
  keys(text, source, since, until);
  text << ") AS k JOIN " << quoted(dialect, "survey_push") << " AS p ON p."
       << quoted(dialect, "key") << " = k." << quoted(dialect, "bridge_key") << " AND p."
       << quoted(dialect, "push") << " = ";
  text.bind(source.push, type_of_text(dialect)) << " GROUP BY p." << quoted(dialect, "state");
  return text.made;
}

Statement rows_without_key(Dialect dialect, const Windowed& source, Instant since, Instant until) {
  Text text{dialect, {}};
  text << "SELECT COUNT(*)" << from_query(source.query) << " WHERE ";
  window(text, source, since, until);
  text << " AND (" << column(dialect, source.key) << " IS NULL OR NOT " << key_fits(dialect, source)
       << ")";
  return text.made;
}

Statement numbers_for_dates(const Windowed& source) {
  return {"SELECT 1" + from_query(source.query) + " WHERE " + column(Dialect::sqlite, source.when) +
              " < '' LIMIT 1",
          {}};
}

Statement pending_keys(Dialect dialect, const std::string& push, Instant now, int limit) {
  const std::string select =
      in_dialect(dialect, R"(SELECT "key" FROM "survey_push" WHERE "push" = {key})"
                          R"( AND "state" = 'pending')"
                          R"( AND ("not_before" IS NULL OR "not_before" <= {instant}))"
                          R"( ORDER BY "changed_at", "key")");
  return {limited(dialect, select, limit), {push, now}};
}

Statement rows_by_key(Dialect dialect, const Windowed& source,
                      const std::vector<std::string>& keys) {
  const bool text_key = source.key.kind == ColumnKind::text;
  const auto as_numbers = source.key.kind == ColumnKind::integer ? numbers(keys) : std::nullopt;
  const bool plain = text_key || as_numbers;  // then an index on the key serves it
  const std::string_view type =
      as_numbers && dialect == Dialect::postgresql ? "bigint" : type_of_text(dialect);
  Text text{dialect, {}};
  text << rows_with_key(dialect, source) << " WHERE "
       << (plain ? column(dialect, source.key) : key_text(dialect, source)) << " IN (";
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) text << ", ";
    text.bind(as_numbers ? (*as_numbers)[i] : Value(keys[i]), type);
  }
  text << ")" << ordered(dialect, source);
  return text.made;
}

}  // namespace surveybridge::crm
