// Our parameters :p1, :p2, … as a driver writes them. SOCI's own search for ':' takes casts, array
// slices and colons in comments or dollar quotes for parameters; an operator's query may hold all
// of these, so we read the text as the database's own scanner would. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

enum class Placeholder { dollar, question };  // $1 of PostgreSQL, ? of ODBC

// `sql` for a dialect with its parameters replaced. Throws DatabaseError(other) unless they are
// :p1 to :p<count>, each once and in this order, and when a '?' of the text's own would be taken
// for a parameter.
std::string with_placeholders(std::string_view sql, std::size_t count, Placeholder placeholder,
                              Dialect dialect);

}  // namespace surveybridge::crm
