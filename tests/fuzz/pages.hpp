// What holds of a page of either format: read or refused with a short rule that names its place,
// and what was read is the same when it is written and read again.
#pragma once

#include <string>
#include <string_view>

#include "mapping/codec/codec.hpp"

namespace fuzz {

// `text` begins with a byte that chooses the list; `content_type` is taken at its word.
void read_as_page(std::string_view text, std::string_view content_type,
                  surveybridge::mapping::Format format);

}  // namespace fuzz
