// Logs what was to be written into the CRM and is not there: each table, column and reason once.
#pragma once

#include <string>

#include "connectors/crm/pulled/write_back_store.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

void log_unwritten(Log& log, const std::string& job, const crm::WrittenBack& written);

}  // namespace surveybridge::daemon
