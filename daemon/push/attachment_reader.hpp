// Files that rows name, read from one folder that the operator named and from nowhere else. What a
// row says is not trusted: neither "..", an absolute path, a link nor a device leads out of it, not
// even one that takes a folder's place while it is being read.
#pragma once

#include <optional>
#include <string>

#include "mapping/field_map/coerce.hpp"

namespace surveybridge::daemon {

// A mapping::FileReader. `name` is a path relative to the folder; links below the folder are not
// followed. std::runtime_error where the folder itself is away or the disk fails, so that a share
// that is not mounted sets no row aside.
mapping::Coerced read_from_folder(const std::string& folder, const std::string& name,
                                  std::size_t bytes_max);

// Why no file can be read from this folder now: "/srv/photos: No such file or directory".
std::optional<std::string> fault_of_folder(const std::string& folder);

}  // namespace surveybridge::daemon
