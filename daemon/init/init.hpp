// `surveybridge init`: from nothing to a checked configuration and the preview of the first batch.
#pragma once

#include "daemon/init/options.hpp"
#include "daemon/runtime/exit_code.hpp"

namespace surveybridge::daemon {

// Asks where a person can answer and `yes` is not given. Mails nobody, and makes no table.
ExitCode command_init(const InitOptions& options);

}  // namespace surveybridge::daemon
