// Files that a CRM names in a column: read from one folder that the operator names, and from
// nowhere else. What a row says is not trusted: neither "..", a link nor a device leads out of the
// folder.
#pragma once

#include "mapping/coerce.hpp"

namespace surveybridge::daemon {

// A mapping::FileReader. std::runtime_error where it is not the file's fault, so that a folder that
// is away for a while sets no row aside.
mapping::Coerced read_file_in(const std::string& folder, const std::string& name, std::size_t most);

}  // namespace surveybridge::daemon
