#include "connectors/crm/source/source_sql.hpp"

#include <algorithm>
#include <stdexcept>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/source/key_types.hpp"
#include "connectors/crm/source/source.hpp"
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
  // The same of a time that is compared with a column of this kind.
  Text& bind_time(Value value, ColumnKind kind);
};

std::string column(Dialect dialect, const Column& column) {
  return "q." + quoted(dialect, column.name);
}

// The key as the ledger keeps it, with the collation of the ledger's column: another one of the
// CRM's would make the comparison fail, or pass over the ledger's index.
std::string key_text(Dialect dialect, const Windowed& source) {
  return traits(dialect).key(column(dialect, source.key));
}

// Is there a key, and can the ledger store it (kKeyBytesMax)?
std::string key_fits(Dialect dialect, const Windowed& source) {
  return traits(dialect).key_fits(column(dialect, source.key));
}

std::string_view type_of(Dialect dialect, ColumnKind kind) {
  if (kind == ColumnKind::date) return "date";
  return kind == ColumnKind::instant ? traits(dialect).instant_type
                                     : traits(dialect).local_time_type;
}

Text& Text::bind_time(Value value, ColumnKind kind) {
  const std::string_view type = type_of(dialect, kind);
  const auto in_session_zone = traits(dialect).in_session_zone;
  if (kind != ColumnKind::instant || in_session_zone == nullptr)
    return bind(std::move(value), type);
  made.parameters.push_back(std::move(value));
  const std::string name = ":p" + std::to_string(made.parameters.size());
  return *this << in_session_zone("CAST(" + name + " AS " + std::string(type) + ")");
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

// A part of the query's rows: those of [since, until) that are not before a position.
struct Part {
  Instant since, until;
  Value from = mapping::Null{};
};

// The first day whose texts may lie in the window, or the text at which to go on.
std::string first_text(const Part& part, LocalTime since) {
  const std::string day = date_text(since - days(2));
  const auto* from = std::get_if<std::string>(&part.from);
  return from == nullptr ? day : std::max(day, *from);
}

Value edge_of_texts(WindowEdge edge, const Windowed& source, const Part& part) {
  const auto& [since, until, position] = part;
  const LocalTime from = mapping::to_zone(since, source.time_zone);
  const LocalTime to = mapping::to_zone(until, source.time_zone);
  switch (edge) {
    case WindowEdge::first_day:
      return first_text(part, from);
    case WindowEdge::end_day:
      return date_text(to + days(3));
    case WindowEdge::since:
      return since;
    case WindowEdge::until:
      return until;
    case WindowEdge::local_since:
      return from;
    case WindowEdge::local_until:
      return to;
  }
  throw std::logic_error("an edge without a value");
}

void in_text_window(Text& text, const Windowed& source, const Part& part) {
  const auto bind = [&](WindowEdge edge) {
    text.made.parameters.push_back(edge_of_texts(edge, source, part));
    return ":p" + std::to_string(text.made.parameters.size());
  };
  text << traits(text.dialect).text_window(column(text.dialect, source.when), bind);
}

void in_window(Text& text, const Windowed& source, const Part& part) {
  if (traits(text.dialect).text_window) return in_text_window(text, source, part);
  const std::string when = column(text.dialect, source.when);
  const ColumnKind kind = source.when.kind;
  const bool begins = mapping::is_null(part.from);
  text << when << " >= ";
  text.bind_time(begins ? edge(source, part.since) : part.from, kind) << " AND " << when << " < ";
  text.bind_time(edge(source, part.until), kind);
}

// Less than this lies between two times that differ (SQL Server keeps tenths of a microsecond).
constexpr std::chrono::microseconds kNext{1};

Value next_time(const Windowed& source, const Value& when) {
  if (const auto* instant = std::get_if<Instant>(&when)) return *instant + kNext;
  if (const auto* local = std::get_if<LocalTime>(&when)) {
    if (source.when.kind == ColumnKind::date) return LocalTime(*local + days(1));
    return *local + kNext;
  }
  throw DatabaseError(DatabaseError::Kind::other, "\"" + source.when.name + "\" is no date");
}

// The rows of exactly this `when`.
void at_when(Text& text, const Windowed& source, Part part, const Value& when) {
  part.from = when;
  in_window(text, source, part);
  const std::string name = column(text.dialect, source.when);
  if (traits(text.dialect).text_window) {
    text << " AND " << name << " = ";
    text.bind(when, traits(text.dialect).text_type);
    return;
  }
  text << " AND " << name << " < ";
  text.bind_time(next_time(source, when), source.when.kind);
}

// A comment of one line at the query's end must not swallow our parenthesis.
std::string from_query(const std::string& query) {
  return " FROM (\n" + without_end(query) + "\n) AS q";
}

std::string cells_of(Dialect dialect, const Windowed& source) {
  if (std::ranges::all_of(source.cells, &Windowed::Cell::read)) return "q.*";
  std::string cells;
  for (const auto& [name, is_read, kind] : source.cells)
    cells += (cells.empty() ? "" : ", ") +
             (is_read ? "q." + quoted(dialect, name) : "NULL AS " + quoted(dialect, name));
  return cells;
}

std::string rows_with_key(Dialect dialect, const Windowed& source) {
  return "SELECT " + cells_of(dialect, source) + ", " + key_text(dialect, source) + " AS " +
         quoted(dialect, "bridge_key") + from_query(source.query);
}

// Each key of the window once.
void keys(Text& text, const Windowed& source, Instant since, Instant until) {
  const Dialect dialect = text.dialect;
  text << "SELECT DISTINCT " << key_text(dialect, source) << " AS " << quoted(dialect, "bridge_key")
       << from_query(source.query) << " WHERE ";
  in_window(text, source, {since, until});
  text << " AND " << key_fits(dialect, source);
}

std::string ordered(Dialect dialect, const Windowed& source) {
  return " ORDER BY " + column(dialect, source.when) + ", " + key_text(dialect, source);
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

Statement some_columns(Dialect dialect, const std::string& query,
                       const std::vector<Column>& columns, bool begins) {
  std::string cells;
  for (const auto& each : columns) {
    const std::string cell = column(dialect, each);
    // SQLite does not know the type of an expression, and takes any for a text.
    const bool is_untyped = each.kind == ColumnKind::other && traits(dialect).text_window;
    const bool is_long =
        each.kind == ColumnKind::bytes || each.kind == ColumnKind::text || is_untyped;
    cells +=
        (cells.empty() ? "" : ", ") +
        (begins && is_long ? "SUBSTRING(" + cell + ", 1, " + std::to_string(kCellBegin + 1) + ")"
                           : cell);
  }
  return {"SELECT " + cells + from_query(query), {}};
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
    case ColumnKind::bits:
    case ColumnKind::boolean:
    case ColumnKind::bytes:
      return name + " is no date; make one of it in the query (of seconds since 1970: " +
             std::string(traits(dialect).date_of_number) + ")";
    case ColumnKind::text:
    case ColumnKind::other:
      if (traits(dialect).text_window) return std::nullopt;
      return name + " is no date; make one of it in the query: CAST(x AS " +
             std::string(type_of(dialect, ColumnKind::local_time)) + ")";
  }
  return std::nullopt;
}

Statement window_keys(Dialect dialect, const Windowed& source, Instant since, Instant until,
                      const Position& from, int limit) {
  Text text{dialect, {}};
  const std::string when = column(dialect, source.when);
  const bool texts = traits(dialect).text_window != nullptr;
  const std::string key = key_text(dialect, source);
  text << "SELECT " << key << " AS " << quoted(dialect, "bridge_key") << ", "
       << (texts ? "CAST(" + when + " AS TEXT)" : when) << " AS " << quoted(dialect, "bridge_when")
       << from_query(source.query) << " WHERE ";
  const Part part{since, until, from.when};
  from.key ? at_when(text, source, part, from.when) : in_window(text, source, part);
  if (!texts) text << " AND NOT (" << traits(dialect).no_date(when) << ")";
  if (from.key) {
    text << " AND " << key_fits(dialect, source) << " AND " << key << " > ";
    text.bind(*from.key, traits(dialect).text_type);
  }
  text << " ORDER BY " << (from.key ? key : when);
  text.made.sql = limited(dialect, text.made.sql, limit);
  return text.made;
}

Statement count_keyless(Dialect dialect, const Windowed& source, Instant since, Instant until,
                        const std::optional<Value>& when) {
  Text text{dialect, {}};
  text << "SELECT COUNT(*)" << from_query(source.query) << " WHERE ";
  const Part part{since, until};
  when ? at_when(text, source, part, *when) : in_window(text, source, part);
  text << " AND (" << column(dialect, source.key) << " IS NULL OR NOT " << key_fits(dialect, source)
       << ")";
  return text.made;
}

// Cells may be large: only whether they are null leaves the inner query.
Statement count_cells(Dialect dialect, const Windowed& source, const std::vector<Column>& columns,
                      Instant since, Instant until, int most) {
  std::string counts, marks;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string name = quoted(dialect, "bridge_" + std::to_string(i));
    counts += ", COUNT(s." + name + ")";
    marks +=
        ", CASE WHEN " + column(dialect, columns[i]) + " IS NULL THEN NULL ELSE 1 END AS " + name;
  }
  Text text{dialect, {}};
  text << "SELECT 1 AS " << quoted(dialect, "bridge_row") << marks << from_query(source.query)
       << " WHERE ";
  in_window(text, source, {since, until});
  text << " ORDER BY " << column(dialect, source.when);
  text.made.sql =
      "SELECT COUNT(*)" + counts + " FROM (" + limited(dialect, text.made.sql, most) + ") AS s";
  return text.made;
}

Statement latest_when(Dialect dialect, const Windowed& source, Instant since, Instant until) {
  Text text{dialect, {}};
  const std::string when = column(dialect, source.when);
  const bool texts = traits(dialect).text_window != nullptr;
  text << "SELECT MAX(" << (texts ? "CAST(" + when + " AS TEXT)" : when) << ")"
       << from_query(source.query) << " WHERE ";
  in_window(text, source, {since, until});
  return text.made;
}

Statement shared_keys(Dialect dialect, const Windowed& source, Instant since, Instant until) {
  Text text{dialect, {}};
  const auto whole = [&](const std::string& number) {
    return "CAST(COALESCE(" + number + ", 0) AS " + std::string(traits(dialect).whole_number) + ")";
  };
  const std::string key = quoted(dialect, "bridge_key"), when = quoted(dialect, "bridge_when");
  text << "SELECT COUNT(*), " << whole("SUM(s.n)") << ", " << whole("MAX(s.n)") << " FROM (SELECT "
       << traits(dialect).functions << "COUNT(DISTINCT k." << when << ") AS n FROM (SELECT "
       << key_text(dialect, source) << " AS " << key << ", " << column(dialect, source.when)
       << " AS " << when << from_query(source.query) << " WHERE ";
  in_window(text, source, {since, until});
  text << " AND " << key_fits(dialect, source) << ") AS k GROUP BY k." << key << " HAVING "
       << traits(dialect).functions << "COUNT(DISTINCT k." << when << ") > 1) AS s";
  return text.made;
}

// No text of a date is another one with the character U+0001 behind it.
Position behind(Dialect dialect, const Windowed& source, const Value& when) {
  if (!traits(dialect).text_window) return {next_time(source, when)};
  return {std::get<std::string>(when) + '\x01'};
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
  text.bind(source.push, traits(dialect).text_type) << " GROUP BY p." << quoted(dialect, "state");
  return text.made;
}

namespace {

// Some systems write a date of long ago or of far ahead where they have none.
std::string is_undated(Dialect dialect, const Windowed& source) {
  const std::string when = column(dialect, source.when);
  return "(" + traits(dialect).no_date(when) + " OR " + when + " < '1900-01-01' OR " + when +
         " >= '9000-01-01')";
}

}  // namespace

Statement undated_keys(Dialect dialect, const Windowed& source, const std::string& after,
                       int limit) {
  Text text{dialect, {}};
  const std::string key = key_text(dialect, source);
  text << "SELECT DISTINCT " << key << " AS " << quoted(dialect, "bridge_key")
       << from_query(source.query) << " WHERE " << is_undated(dialect, source) << " AND "
       << key_fits(dialect, source);
  if (!after.empty()) {
    text << " AND " << key << " > ";
    text.bind(after, traits(dialect).text_type);
  }
  text << " ORDER BY " << quoted(dialect, "bridge_key");
  text.made.sql = limited(dialect, text.made.sql, limit);
  return text.made;
}

Statement count_undated(Dialect dialect, const Windowed& source) {
  return {"SELECT COUNT(*)" + from_query(source.query) + " WHERE " + is_undated(dialect, source),
          {}};
}

std::optional<Statement> type_of_key(Dialect dialect, const Windowed& source) {
  if (!traits(dialect).type_name) return std::nullopt;
  const std::string key =
      "(SELECT " + column(dialect, source.key) + from_query(source.query) + " WHERE 1 = 0)";
  return Statement{"SELECT " + traits(dialect).type_name(key), {}};
}

std::optional<Statement> odd_keys(Dialect dialect, const Windowed& source) {
  const bool untold =
      source.key.kind == ColumnKind::other || source.key.kind == ColumnKind::decimal;
  if (!untold || !traits(dialect).odd_key_type) return std::nullopt;
  const std::string type = traits(dialect).odd_key_type(column(dialect, source.key));
  const std::string select =
      "SELECT " + type + from_query(source.query) + " WHERE " + type + " IS NOT NULL";
  return Statement{limited(dialect, select, 1), {}};
}

std::optional<Statement> numbers_for_dates(Dialect dialect, const Windowed& source) {
  if (!traits(dialect).number_for_date) return std::nullopt;
  const std::string is_number = traits(dialect).number_for_date(column(dialect, source.when));
  const std::string select = "SELECT 1" + from_query(source.query) + " WHERE " + is_number;
  return Statement{limited(dialect, select, 1), {}};
}

Statement pending_keys(Dialect dialect, const std::string& push, Instant now, int limit) {
  const std::string select =
      in_dialect(dialect, R"(SELECT "key" FROM "survey_push" WHERE "push" = {key})"
                          R"( AND "state" = 'pending')"
                          R"( AND ("not_before" IS NULL OR "not_before" <= {instant} OR)"
                          R"( "changed_at" > {instant}))"  // the clock was ahead
                          R"( AND "key" NOT LIKE ')" +
                              std::string(kErasedKey) + R"(%' ORDER BY "changed_at", "key")");
  return {limited(dialect, select, limit), {push, now, now}};
}

namespace {

void where_key(Text& text, const Windowed& source, const std::vector<std::string>& keys) {
  const Dialect dialect = text.dialect;
  const bool text_key = source.key.kind == ColumnKind::text && !source.uuid_key;
  const auto as_numbers = source.key.kind == ColumnKind::integer ? numbers(keys) : std::nullopt;
  const bool as_uuids = source.uuid_key && std::ranges::all_of(keys, is_uuid);
  const bool plain = text_key || as_numbers || as_uuids;  // then an index on the key serves it
  const std::string_view type = as_numbers ? traits(dialect).integer_type
                                : as_uuids ? "uuid"
                                           : traits(dialect).text_type;
  // Where parameters are cast, so is the column: no operator of another schema fits better.
  const bool is_cast = text_key && !traits(dialect).text_type.empty();
  const std::string key = column(dialect, source.key);
  text << " WHERE "
       << (is_cast ? traits(dialect).comparable(key)
           : plain ? key
                   : key_text(dialect, source))
       << " IN (";
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) text << ", ";
    text.bind(as_numbers ? (*as_numbers)[i] : Value(keys[i]), type);
  }
  text << ")";
}

void with_keys(Text& text, const Windowed& source, const std::vector<std::string>& keys) {
  text << rows_with_key(text.dialect, source);
  where_key(text, source, keys);
}

Statement in_order(Text text, const Windowed& source, int limit) {
  text << ordered(text.dialect, source);
  text.made.sql = limited(text.dialect, text.made.sql, limit);
  return text.made;
}

}  // namespace

Statement rows_by_key(Dialect dialect, const Windowed& source, const std::vector<std::string>& keys,
                      int limit) {
  Text text{dialect, {}};
  with_keys(text, source, keys);
  return in_order(std::move(text), source, limit);
}

std::optional<Statement> large_cells(Dialect dialect, const Windowed& source,
                                     const std::vector<std::string>& keys) {
  std::string large;
  for (const auto& [name, is_read, kind] : source.cells) {
    const bool each_has_a_type =
        kind == ColumnKind::other && traits(dialect).odd_key_type != nullptr;
    const bool sized = kind == ColumnKind::text || kind == ColumnKind::bytes || each_has_a_type;
    if (!is_read || !sized) continue;
    large += (large.empty() ? "" : " OR ") + traits(dialect).octets("q." + quoted(dialect, name)) +
             " > " + std::to_string(kCellBytesMax);
  }
  if (large.empty()) return std::nullopt;
  Text text{dialect, {}};
  text << "SELECT 1" << from_query(source.query);
  where_key(text, source, keys);
  text << " AND (" << large << ")";
  return Statement{limited(dialect, text.made.sql, 1), text.made.parameters};
}

Statement rows_by_key_within(Dialect dialect, const Windowed& source,
                             const std::vector<std::string>& keys, Instant since, Instant until,
                             int limit) {
  Text text{dialect, {}};
  with_keys(text, source, keys);
  text << " AND ";
  in_window(text, source, {since, until});
  return in_order(std::move(text), source, limit);
}

namespace {

std::string cell_text(LedgerCell cell) {
  switch (cell) {
    case LedgerCell::none:
      return "NULL";
    case LedgerCell::set_aside:
      return R"(CASE WHEN t."state" = 'quarantined' AND (t."reason" LIKE ')" +
             std::string(kUndated) + R"(%' OR t."reason" = ')" + std::string(kGone) +
             R"(') THEN t."reason" WHEN t."state" IN ('quarantined', 'suppressed'))"
             R"( THEN t."digest" END)";
    case LedgerCell::state:
      return R"(t."state")";
  }
  throw std::logic_error("a cell of the ledger without a text");
}

}  // namespace

// PostgreSQL: the planner takes an array of thousands of keys for a reason to read the whole table.
// OFFSET 0 keeps it from merging the inner query, which finds one key by the primary key.
std::string known_keys(Dialect dialect, std::size_t count, LedgerCell cell) {
  const std::string columns =
      std::string(R"(t."key", )") + cell_text(cell) + R"( AS "why" FROM "survey_push" AS t WHERE )";
  if (traits(dialect).takes_arrays) {
    return in_dialect(dialect,
                      R"(SELECT p."key", p."why" FROM pg_catalog.unnest({key[]}) AS k("key"))"
                      R"( CROSS JOIN LATERAL (SELECT )" +
                          columns + R"(t."push" = {key} AND t."key" = k."key" OFFSET 0) AS p)");
  }
  const mapping::TableColumn key{"key", ColumnType::key_text};
  return in_dialect(dialect, "SELECT " + columns) + one_of(dialect, key, count) + " AND " +
         quoted(dialect, "push") + " = :p" + std::to_string(count + 1);
}

}  // namespace surveybridge::crm
