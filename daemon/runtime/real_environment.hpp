// The outside as it really is: the CRM's database through SOCI, the service through libcurl, the
// system's clocks. Made once by a command.
#pragma once

#include <atomic>
#include <string>
#include <variant>

#include "config/settings.hpp"
#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

// Reads the secret of [crm] connection; one sentence when it cannot be read. `stop` (may be null)
// ends requests early.
std::variant<Environment, std::string> make_world(const config::Settings& settings,
                                                  const std::atomic<bool>* stop);

// The host's clock, read once and counted on from there, sleep included: when somebody sets the
// clock, no wait becomes longer or shorter. What is due is decided by the database's clock anyway.
TimePoint system_now();

}  // namespace surveybridge::daemon
