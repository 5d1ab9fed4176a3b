// Reads files that rows name, only from the one folder that the operator named. A row's text is not
// trusted: neither "..", an absolute path, a link nor a device can leave the folder, not even if a
// link replaces a folder during the read.
#pragma once

#include <optional>
#include <string>

#include "mapping/field_map/coerce.hpp"

namespace surveybridge::daemon {

// A mapping::FileReader. `name` is a path relative to the folder; links below the folder are not
// followed. std::runtime_error if the folder is not available or the disk fails, so that a share
// that is not mounted sets no row aside.
mapping::Coerced read_from_folder(const std::string& folder, const std::string& name,
                                  std::size_t bytes_max);

// Why no file of this folder can be read now: "/srv/photos: No such file or directory".
std::optional<std::string> fault_of_folder(const std::string& folder);

}  // namespace surveybridge::daemon
