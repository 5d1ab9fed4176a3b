#include "daemon/pull/unwritten_log.hpp"

#include <fmt/format.h>

namespace surveybridge::daemon {

void log_unwritten(Log& log, const std::string& job, const crm::WrittenBack& written) {
  for (const auto& [table, column, reason] : written.unwritten)
    log.error(fmt::format("not written into {}.{}: {}; what else of the row can be written is"
                          " written, and `surveybridge status` counts the records",
                          table, column, reason),
              {.job = job});
}

}  // namespace surveybridge::daemon
