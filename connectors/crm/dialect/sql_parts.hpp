// Parts of statements that several databases share. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "connectors/crm/dialect/traits.hpp"

namespace surveybridge::crm {

std::string joined(const std::vector<std::string>& parts);  // with ", "
std::string literal_by(const DialectTraits& traits, std::string_view text);
std::string quoted_by(const DialectTraits& traits, std::string_view name);

// The columns [first, end) of a table, each with `prefix`.
std::string column_names(const DialectTraits& traits, const Table& table,
                         std::string_view prefix = "", std::size_t first = 0,
                         std::size_t end = std::string::npos);
// A parameter for each column.
std::string column_parameters(const DialectTraits& traits, const Table& table);
// column = new value, for every column after the key; `before` and `behind` enclose its name.
std::string assignments(const DialectTraits& traits, const Table& table, std::string_view before,
                        std::string_view behind = "");

std::string insert_by(const DialectTraits& traits, const Table& table);
// INSERT … ON CONFLICT (key) DO UPDATE SET …
std::string upsert_on_conflict(const DialectTraits& traits, const Table& table);

std::string offset_text(std::chrono::minutes offset);  // "+05:45"

}  // namespace surveybridge::crm
