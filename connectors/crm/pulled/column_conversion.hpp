// Values of the service as values that a column of the CRM can hold. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/resource.hpp"

namespace surveybridge::crm {

// Can a field of this type be written to a column of this kind at all?
bool can_convert(mapping::Type type, ColumnKind kind);

// The value for a column; Null stays Null, and so becomes an empty text where the column holds no
// text. Empty: this value is none of that kind ("n/a" for an integer). An instant becomes the wall
// clock of `time_zone` where the column has no zone, and that clock's date where it has no time.
std::optional<Value> convert_to_column(const Value& value, ColumnKind kind,
                                       const std::string& time_zone);

std::string_view name_of(mapping::Type type);
std::string_view name_of(ColumnKind kind);

}  // namespace surveybridge::crm
