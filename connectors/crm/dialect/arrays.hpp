// PostgreSQL's array literals: a column of values as the one text that CAST(… AS type[]) reads. One
// statement then stores a whole page (measured three quarters as fast as COPY). Pure.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/dialect/dialect.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::crm {

// `{1,NULL,"a \"quoted\" text"}`. U+0000, which PostgreSQL's text cannot hold, becomes U+FFFD.
std::string array_literal(const std::vector<mapping::Value>& values);
std::string array_literal(const std::vector<std::string>& texts);

// Rows turned into one array literal a column, in the order of the columns.
std::vector<mapping::Value> columns_as_arrays(const std::vector<std::vector<mapping::Value>>& rows,
                                              std::size_t columns);

}  // namespace surveybridge::crm
