// The version of the program, as CMakeLists.txt says it; how and with what it was built.
#pragma once

#include <string>

namespace surveybridge::daemon {

extern const char* const kVersion;

// Lines for people, the first "surveybridge VERSION": the build, the libraries as they are loaded,
// and the databases that are compiled in.
std::string version_text();

}  // namespace surveybridge::daemon
