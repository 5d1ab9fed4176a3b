// The version of the program, as CMakeLists.txt says it.
#pragma once

namespace surveybridge::daemon {

extern const char* const kVersion;

}  // namespace surveybridge::daemon
