// Where the tests find the source tree and the built programs. Absolute paths without a slash at
// the end. Only paths.cpp knows them, so that a checkout in another folder compiles the same text.
#pragma once

#include <string>

namespace support {

const std::string& source_dir();
const std::string& bin_dir();

}  // namespace support
