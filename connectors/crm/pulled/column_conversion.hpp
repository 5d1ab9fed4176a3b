// Converts values of the service to values of a CRM column. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"
#include "mapping/interface/resource.hpp"

namespace surveybridge::crm {

// Can a field of this type be written to a column of this kind at all?
bool can_convert(mapping::Type type, ColumnKind kind);

// The value for a column. Null stays Null; an empty text becomes Null if the column is not text.
// Empty: the value does not fit the column ("n/a" for an integer). An instant becomes the local
// time of `time_zone` if the column has no zone, and its date if the column has no time.
std::optional<Value> convert_to_column(const Value& value, ColumnKind kind,
                                       const std::string& time_zone);

std::string_view name_of(mapping::Type type);
std::string_view name_of(ColumnKind kind);

}  // namespace surveybridge::crm
