// The folder with which a database server starts. To fill one takes MySQL four seconds, so what a
// program has made once is kept beside the test programs of this build and copied from then on.
#pragma once

#include <string>

#include "tests/support/child_process.hpp"

namespace support {

// Runs `maker`, which fills `folder` and names it in its words; or copies what it has made before.
// Another version of the program, or other words, are another maker. Throws std::runtime_error.
void make_first_data(const std::string& folder, const Program& maker);

}  // namespace support
