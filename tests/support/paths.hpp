// The source tree and the built programs, as absolute paths without a slash at the end. Only
// paths.cpp contains the first, so that another checkout compiles the same text elsewhere.
#pragma once

#include <string>

namespace support {

const std::string& source_dir();
// The folder of the running program: an installed program finds its neighbours too.
const std::string& bin_dir();

}  // namespace support
