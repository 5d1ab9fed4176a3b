// Rows in the text format of PostgreSQL's COPY. Pure.
#pragma once

#include <string>
#include <vector>

#include "mapping/tables/tables.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::crm {

// COPY of whole rows into this table, from the client.
std::string copy_statement(const mapping::Table& table);

// One line: cells with tabs between them, NULL as \N. A NUL character becomes U+FFFD. An Enumerator
// is its number, or its name where it has none.
void append_copy_row(std::string& out, const std::vector<mapping::Value>& row);

}  // namespace surveybridge::crm
