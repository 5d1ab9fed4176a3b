// Rows of our own tables as structs. Such a struct has `static auto cells(auto& of)`: std::tie of
// its members, in the order of the columns that are read or written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/rows/typed_cells.hpp"

namespace surveybridge::crm {

// A null is an empty text, a 0 of an int, false, or the time 0. Of another type than these:
// read_cell(cell, member) reads it.
template <typename Member>
void read_member(const Value& cell, Member& member) {
  if constexpr (std::is_same_v<Member, std::string>) {
    member = text_in(cell);
  } else if constexpr (std::is_same_v<Member, bool>) {
    member = boolean_in(cell);
  } else if constexpr (std::is_same_v<Member, std::int64_t>) {
    member = integer_in(cell);
  } else if constexpr (std::is_same_v<Member, int>) {
    member = mapping::is_null(cell) ? 0 : static_cast<int>(integer_in(cell));
  } else if constexpr (std::is_same_v<Member, Instant>) {
    member = instant_in(cell).value_or(Instant{});
  } else if constexpr (std::is_same_v<Member, std::optional<Instant>>) {
    member = instant_in(cell);
  } else if constexpr (std::is_same_v<Member, std::optional<std::int64_t>>) {
    member = integer_or_none(cell);
  } else {
    read_cell(cell, member);
  }
}

template <typename Struct>
Struct struct_in(const std::vector<Value>& row) {
  Struct made{};
  std::size_t at = 0;
  std::apply([&](auto&... member) { (read_member(row.at(at++), member), ...); },
             Struct::cells(made));
  return made;
}

template <typename Struct>
std::vector<Struct> structs_in(const std::vector<std::vector<Value>>& rows) {
  std::vector<Struct> all;
  for (const auto& row : rows)
    all.push_back(struct_in<Struct>(row));
  return all;
}

// As query_rows().
template <typename Struct>
std::vector<Struct> query_structs(Database& database, std::string_view pattern,
                                  const std::vector<Value>& parameters = {},
                                  std::optional<int> most = {}) {
  return structs_in<Struct>(query_rows(database, pattern, parameters, most));
}

// The first row; empty: there is none.
template <typename Struct>
std::optional<Struct> query_struct(Database& database, std::string_view pattern,
                                   const std::vector<Value>& parameters = {},
                                   std::optional<int> most = {}) {
  const auto rows = query_rows(database, pattern, parameters, most);
  return rows.empty() ? std::nullopt : std::optional(struct_in<Struct>(rows.front()));
}

template <typename Member>
Value as_value(const Member& member) {
  return Value{member};
}
template <typename T>
Value as_value(const std::optional<T>& member) {
  return or_null(member);
}

// With all columns of the table. An empty text is null where the column takes nulls.
template <typename Struct>
std::vector<std::vector<Value>> rows_of_structs(const mapping::Table& table,
                                                const std::vector<Struct>& all) {
  std::vector<std::vector<Value>> rows;
  for (const auto& each : all) {
    rows.push_back(
        std::apply([](const auto&... member) { return std::vector{as_value(member)...}; },
                   Struct::cells(each)));
    for (std::size_t i = table.key_size; i < rows.back().size(); ++i)
      if (!table.columns[i].required && rows.back()[i] == Value{""})
        rows.back()[i] = mapping::Null{};
  }
  return rows;
}
template <typename Struct>
void upsert_structs(Database& database, const mapping::Table& table,
                    const std::vector<Struct>& all) {
  upsert_rows(database, table, rows_of_structs(table, all));
}

template <typename Struct>
void insert_structs(Database& database, const mapping::Table& table,
                    const std::vector<Struct>& all) {
  insert_rows(database, table, rows_of_structs(table, all));
}

}  // namespace surveybridge::crm
