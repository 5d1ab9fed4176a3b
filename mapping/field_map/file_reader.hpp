// How a mapper gets the content of a file. The mapper is pure, so its caller passes this function.
// The daemon's is in daemon/push/attachment_reader.hpp.
#pragma once

#include <functional>
#include <string>

#include "mapping/field_map/coerce.hpp"

namespace surveybridge::mapping {

// The content of the file `name` in `folder` as Bytes, at most `bytes_max`; or the fault of this
// file, as the end of the sentence "the file named by the column ...". Throws when no file of the
// folder can be read now: that is not a fault of the row.
using FileReader = std::function<Coerced(const std::string& folder, const std::string& name,
                                         std::size_t bytes_max)>;

}  // namespace surveybridge::mapping
