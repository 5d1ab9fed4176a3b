// Writes our parameters :p1, :p2, … in the form of a driver. SOCI's search for ':' takes casts,
// array slices and colons in comments or dollar quotes for parameters, and an operator's query may
// contain all of these. So the text is read here as the database's scanner reads it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

enum class Placeholder { dollar, question };  // $1 of PostgreSQL, ? of ODBC

// `sql` for a dialect with its parameters replaced. Throws DatabaseError(other) unless they are :p1
// to :p<count>, each once and in this order, and if the text has a '?' or, on PostgreSQL, a "$1"
// that would be taken for a parameter.
std::string with_placeholders(std::string_view sql, std::size_t count, Placeholder placeholder,
                              Dialect dialect);

}  // namespace surveybridge::crm
