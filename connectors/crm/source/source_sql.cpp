#include "connectors/crm/source/source_sql.hpp"

#include <charconv>
#include <stdexcept>

#include "connectors/crm/dialect/limits.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
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

Value edge_of_texts(WindowEdge edge, const Windowed& source, Instant since, Instant until) {
  const LocalTime from = mapping::to_zone(since, source.time_zone);
  const LocalTime to = mapping::to_zone(until, source.time_zone);
  switch (edge) {
    case WindowEdge::first_day:
      return date_text(from - days(2));
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

void window_in_text(Text& text, const Windowed& source, Instant since, Instant until) {
  const auto bind = [&](WindowEdge edge) {
    text.made.parameters.push_back(edge_of_texts(edge, source, since, until));
    return ":p" + std::to_string(text.made.parameters.size());
  };
  text << traits(text.dialect).text_window(column(text.dialect, source.when), bind);
}

void window(Text& text, const Windowed& source, Instant since, Instant until) {
  if (traits(text.dialect).text_window) return window_in_text(text, source, since, until);
  const std::string when = column(text.dialect, source.when);
  const std::string_view type = type_of(text.dialect, source.when.kind);
  text << when << " >= ";
  text.bind(edge(source, since), type) << " AND " << when << " < ";
  text.bind(edge(source, until), type);
}

void not_in_ledger(Text& text, const Windowed& source) {
  const Dialect dialect = text.dialect;
  text << " AND NOT EXISTS (SELECT 1 FROM " << quoted(dialect, "survey_push") << " AS p WHERE p."
       << quoted(dialect, "push") << " = ";
  text.bind(source.push, traits(dialect).text_type)
      << " AND p." << quoted(dialect, "key") << " = " << key_text(dialect, source) << ")";
}

// In the window, with a key that can be kept, and not in the ledger.
void unknown(Text& text, const Windowed& source, Instant since, Instant until) {
  const Dialect dialect = text.dialect;
  window(text, source, since, until);
  text << " AND " << key_fits(dialect, source);
  not_in_ledger(text, source);
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
             std::string(traits(dialect).date_of_number) + ")";
    case ColumnKind::text:
    case ColumnKind::other:
      if (traits(dialect).text_window) return std::nullopt;
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
  text.bind(source.push, traits(dialect).text_type) << " GROUP BY p." << quoted(dialect, "state");
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

Statement undated_keys(Dialect dialect, const Windowed& source, int limit) {
  Text text{dialect, {}};
  text << "SELECT DISTINCT " << key_text(dialect, source) << " AS " << quoted(dialect, "bridge_key")
       << from_query(source.query) << " WHERE "
       << traits(dialect).no_date(column(dialect, source.when)) << " AND "
       << key_fits(dialect, source);
  not_in_ledger(text, source);
  text << " ORDER BY " << quoted(dialect, "bridge_key");
  text.made.sql = limited(dialect, text.made.sql, limit);
  return text.made;
}

Statement count_undated(Dialect dialect, const Windowed& source) {
  return {"SELECT COUNT(*)" + from_query(source.query) + " WHERE " +
              traits(dialect).no_date(column(dialect, source.when)),
          {}};
}

Statement keys_set_aside(Dialect dialect, const Windowed& source, Instant since, Instant until,
                         const std::string& reason, int limit) {
  Text text{dialect, {}};
  text << "SELECT k." << quoted(dialect, "bridge_key") << " FROM (";
  keys(text, source, since, until);
  text << ") AS k JOIN " << quoted(dialect, "survey_push") << " AS p ON p."
       << quoted(dialect, "key") << " = k." << quoted(dialect, "bridge_key") << " AND p."
       << quoted(dialect, "push") << " = ";
  text.bind(source.push, traits(dialect).text_type)
      << " WHERE p." << quoted(dialect, "state") << " = 'quarantined' AND p."
      << quoted(dialect, "reason") << " LIKE ";
  text.bind(reason + "%", traits(dialect).text_type)
      << " ORDER BY k." << quoted(dialect, "bridge_key");
  text.made.sql = limited(dialect, text.made.sql, limit);
  return text.made;
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
      as_numbers ? traits(dialect).integer_type : traits(dialect).text_type;
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
