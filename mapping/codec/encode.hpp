// What writing JSON and writing XML share. Pure; the codecs' own.
#pragma once

#include <string>
#include <string_view>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// Is there nothing to write? Null, an absent object, an empty list, an enumerator of nothing.
bool is_absent(const Field& field, const Slot& slot);

// The text with each byte that is not UTF-8 as U+FFFD: neither format can carry it. The mapper
// refuses such rows before; this keeps one that slipped through from breaking its whole batch.
std::string well_formed(std::string_view text);

}  // namespace surveybridge::mapping
