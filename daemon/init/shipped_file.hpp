// The configuration that the package installs, as long as nobody has changed it.
#pragma once

#include <string>

namespace surveybridge::daemon {

// packaging/surveybridge.toml, as it was when this was built. Three of its values are empty.
extern const char* const kShippedConfiguration;

// Is this file the package's, byte by byte? False if it cannot be read.
bool is_shipped_file(const std::string& path);

}  // namespace surveybridge::daemon
