// Small letters and capitals beyond ASCII: Latin, Greek and Cyrillic. Pure, without a locale. A
// letter without a counterpart of one character ("ß") stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// Of well-formed UTF-8.
std::string in_small_letters(std::string_view text);
std::string in_capitals(std::string_view text);

}  // namespace surveybridge::mapping
