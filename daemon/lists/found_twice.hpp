// Says in the log what a list of the service tells of transactions: that it has some more than
// once, so that people were mailed twice, and some that were thought unsent.
#pragma once

#include <cstdint>
#include <string>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

// `first`: the key of one of them. `file`: the configuration.
void tell_found_twice(Log& log, const std::string& job, const std::string& push,
                      std::int64_t transactions, const std::string& first, const std::string& file);
// Both, where there is any.
void tell_sightings(Log& log, const std::string& job, const std::string& push,
                    const crm::Ledger::SightingResult& result, const std::string& file);

}  // namespace surveybridge::daemon
