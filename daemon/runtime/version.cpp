#include "daemon/runtime/version.hpp"

namespace surveybridge::daemon {

const char* const kVersion = SURVEYBRIDGE_VERSION;

}  // namespace surveybridge::daemon
