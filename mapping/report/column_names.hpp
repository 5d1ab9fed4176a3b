// Names for columns of a view, made of what people call their data columns and questions. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace surveybridge::mapping {

// A name that every supported database takes between its quotes: control characters and characters
// beyond U+FFFF become "_", blanks at both ends go, and at most 60 bytes stay. Empty where nothing
// is left.
std::string column_name(std::string_view wanted);

// column_name() of the first text that gives one, made different from each of `taken` without
// regard to case and accents, by " 2", " 3", … at its end. The last of `wanted` must give a name.
std::string free_column_name(const std::vector<std::string>& wanted,
                             const std::vector<std::string>& taken);

}  // namespace surveybridge::mapping
