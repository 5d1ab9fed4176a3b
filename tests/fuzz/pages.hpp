// Promises for a page of either format: it is read, or refused with a short rule and a place; what
// was read stays the same when it is written and read again.
#pragma once

#include <string>
#include <string_view>

#include "mapping/codec/codec.hpp"

namespace fuzz {

// `text` begins with a byte that chooses the list; `content_type` decides the format.
void read_as_page(std::string_view text, std::string_view content_type,
                  surveybridge::mapping::Format format);

}  // namespace fuzz
