// How what a file holds comes to a mapper, which itself reads nothing but rows: whoever makes one
// hands this in. The daemon's own is daemon/push/attachment_reader.hpp.
#pragma once

#include <functional>
#include <string>

#include "mapping/field_map/coerce.hpp"

namespace surveybridge::mapping {

// The content of the file `name` in `folder`, as Bytes, at most `bytes_max` of them. Or what is
// wrong with this file, to end the sentence "the file named by the column ...". Throws where no
// file of the folder can be read now: that is no fault of the row's.
using FileReader = std::function<Coerced(const std::string& folder, const std::string& name,
                                         std::size_t bytes_max)>;

}  // namespace surveybridge::mapping
