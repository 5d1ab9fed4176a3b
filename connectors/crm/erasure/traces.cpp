#include "connectors/crm/erasure/traces.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "mapping/values/address_traces.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Beside;
using mapping::TableColumn;

bool is_text(const TableColumn& column) {
  return column.type == ColumnType::text || column.type == ColumnType::key_text;
}

bool is_of_bridge(const Table& table) {
  return std::ranges::any_of(bridge_tables(),
                             [&](const BridgeTable& one) { return one.table.name == table.name; });
}

// What people read: it says that something was there.
bool is_for_people(const TableColumn& column) {
  constexpr std::array<std::string_view, 3> kWords = {"reason", "detail", "raw"};
  return std::ranges::find(kWords, column.name) != kWords.end();
}

// The same name has to stand in each table that has it.
bool is_name(const Table& table, std::size_t at) {
  return at < table.key_size || table.columns[at].type == ColumnType::key_text;
}

// What the service or the bridge has said.
bool is_words(const Table& table, std::size_t at) {
  return is_of_bridge(table) && !is_name(table, at) && is_for_people(table.columns[at]);
}

struct Sought {
  const std::string& hash_key;
  const std::string& address;
};

// Empty: the cell may stay.
std::optional<Value> without(const Sought& sought, const Table& table, std::size_t at,
                             const std::string& text) {
  const TableColumn& column = table.columns[at];
  const bool name = is_name(table, at), words = is_words(table, at);
  const Beside beside = name || words ? Beside::letters : Beside::marks;
  const auto cut = name    ? mapping::Cut::nowhere
                   : words ? mapping::Cut::anywhere
                           : mapping::Cut::with_dots;
  if (!mapping::holds_address(text, sought.address, beside, cut)) return std::nullopt;
  if (name) return erased_key(sought.hash_key, text);
  if (!is_of_bridge(table)) return mapping::without_address(text, sought.address, kErased);
  if (column.required || is_for_people(column)) return std::string(kErased);
  return mapping::Null{};
}

std::string as_quoted(const std::string& name) {
  return '"' + name + '"';  // see in_dialect()
}

std::string select_of(const Table& table) {
  std::string columns;
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    if (at >= table.key_size && !is_text(table.columns[at])) continue;
    columns += (columns.empty() ? "" : ", ") + as_quoted(table.columns[at].name);
  }
  return "SELECT " + columns + " FROM " + as_quoted(table.name);
}

// A row of select_of().
std::optional<Trace> trace_in(const Sought& sought, const Table& table,
                              const std::vector<Value>& row) {
  Trace trace{table.name, {}, {}};
  std::size_t cell = 0;
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    const TableColumn& column = table.columns[at];
    const bool of_key = at < table.key_size;
    if (!of_key && !is_text(column)) continue;
    const Value& value = row.at(cell++);
    if (of_key) trace.key.push_back(as_written(value, column.type));
    if (!is_text(column) || mapping::is_null(value)) continue;
    if (auto then = without(sought, table, at, text_in(value)))
      trace.cells.push_back(
          {column.name, *std::move(then), is_name(table, at) ? value : Value{sought.address}});
  }
  if (trace.cells.empty()) return std::nullopt;
  return trace;
}

// Any letter or digit of these texts may be escaped, too: each is read. They are few.
bool holds_any_notation(const Table& table) {
  return table.name == unreadable_table().name;
}

// A letter by its number, and a line that was broken within a word.
constexpr std::array<std::string_view, 5> kHiddenLetters = {"%!%__%", "%u00__%", "%&%#%;%", "%=\n%",
                                                            "%=\r\n%"};

// A SELECT of the rows that may hold the address.
std::string rows_with(Dialect dialect, const Table& table, const std::string& address) {
  if (holds_any_notation(table)) return in_dialect(dialect, select_of(table));
  std::string condition;
  for (std::size_t at = 0; at < table.columns.size(); ++at) {
    const TableColumn& column = table.columns[at];
    if (!is_text(column)) continue;
    condition += (condition.empty() ? "" : " OR ") + may_hold(dialect, column.name, address);
    for (const auto pattern : kHiddenLetters)
      condition +=
          " OR " + as_quoted(column.name) + " LIKE '" + std::string(pattern) + "' ESCAPE '!'";
  }
  return in_dialect(dialect, select_of(table) + " WHERE " + condition);
}

// Letters and digits stand as they are in every notation of a text that holds an address. The rules
// of a language may make another small letter of an I. No sign of a pattern ends a literal.
std::string as_pattern(const std::string& part) {
  std::string pattern = "%";
  for (const char c : config::lower_case(part)) {
    const bool plain = (c >= 'a' && c <= 'z' && c != 'i') || (c >= '0' && c <= '9');
    if (plain)
      pattern += c;
    else if (pattern.back() != '%')
      pattern += '%';
  }
  return pattern.back() == '%' ? pattern : pattern + '%';
}

bool has_text(const Table& table) {
  return std::ranges::any_of(table.columns, is_text);
}

}  // namespace

// Letter by letter, so that the rules of a language do not count.
std::string may_hold(Dialect dialect, const std::string& column, const std::string& address) {
  const std::string pattern = as_pattern(address.substr(0, address.find('@')));
  return "LOWER(" + exact(dialect, as_quoted(column)) + ") LIKE '" + pattern + "'";
}

std::vector<Trace> traces_of(Database& database, const std::string& hash_key,
                             const std::string& address) {
  std::vector<Trace> traces;
  for (const BridgeTable& present : present_tables(database)) {
    const Table& table = present.table;
    if (!has_text(table)) continue;
    database.read_each(rows_with(database.dialect(), table, address),
                       [&](const std::vector<Value>& row) {
                         if (auto trace = trace_in({hash_key, address}, table, row))
                           traces.push_back(*std::move(trace));
                       });
  }
  return traces;
}

std::int64_t erase_traces(Database& database, const std::vector<Trace>& traces) {
  std::int64_t rows = 0;
  for (const auto& [name, key, cells] : traces) {
    const auto& columns = table_named(name).table.columns;
    std::string set, where;
    std::vector<Value> parameters;
    for (const auto& [column, then, theirs] : cells) {
      set += (set.empty() ? "" : ", ") + as_quoted(column) + " = {text}";
      parameters.push_back(then);
    }
    for (std::size_t at = 0; at < key.size(); ++at) {
      const bool number = columns[at].type == ColumnType::integer;
      where += (where.empty() ? "" : " AND ") + as_quoted(columns[at].name) +
               (number ? " = {integer}" : " = {key}");
      parameters.push_back(key[at]);
    }
    rows += run_statement(database, "UPDATE " + as_quoted(name) + " SET " + set + " WHERE " + where,
                          parameters);
  }
  return rows;
}

}  // namespace surveybridge::crm
