// Answers to an add that did not look like the service's, and turned out to be: the service lists
// what was sent with them.
#pragma once

#include <string>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// Was a batch of this push answered with the same status and detail (Ledger::Answer), and has the
// service listed one of its customers since?
bool is_proved_answer(Database& database, const std::string& push, int http_status,
                      const std::string& detail);

}  // namespace surveybridge::crm
