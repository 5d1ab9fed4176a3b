// Computes one value of a row by its rule. Pure; used by the mapper only.
#pragma once

#include <string_view>
#include <variant>

#include "mapping/field_map/file_reader.hpp"
#include "mapping/field_map/row.hpp"
#include "mapping/field_map/rule.hpp"

namespace surveybridge::mapping {

using Found = std::variant<Value, Unmappable>;

// The value in the field's type; Null if there is none. Or why the row cannot be a customer: the
// field and the rule, never a person's value.
Found value_of(const ValueRule& origin, const Row& row, const FileReader& read_file);

Unmappable because(const ValueRule& origin, std::string_view rule);
// "required by the service, the column "email" is null or empty".
std::string missing(const ValueRule& origin, std::string_view by);

}  // namespace surveybridge::mapping
