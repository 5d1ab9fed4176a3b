// Says in the log that the service lists transactions more than once: people were mailed twice.
#pragma once

#include <cstdint>
#include <string>

#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

// `first`: the key of one of them. `file`: the configuration.
void tell_found_twice(Log& log, const std::string& job, const std::string& push,
                      std::int64_t transactions, const std::string& first, const std::string& file);

}  // namespace surveybridge::daemon
