// Shared by the writers of JSON and XML. Pure; used by the codecs only.
#pragma once

#include <string>
#include <string_view>

#include "mapping/interface/record.hpp"

namespace surveybridge::mapping {

// Is there nothing to write? Null, an absent object, an empty list, an empty enumerator.
bool is_absent(const Field& field, const Slot& slot);

// The text with U+FFFD for each byte that is not UTF-8, because neither format can contain such a
// byte. The mapper refuses such rows before; this protects the rest of a batch.
std::string well_formed(std::string_view text);

}  // namespace surveybridge::mapping
