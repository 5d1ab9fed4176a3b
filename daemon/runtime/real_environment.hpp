// The real environment: the CRM's database through SOCI, the service through libcurl, the system's
// clocks. Made once by a command.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <variant>

#include "config/settings.hpp"
#include "connectors/service/curl_transport.hpp"
#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

// Reads the secret of [crm] connection; a sentence if it cannot be read. `stop` (may be null) ends
// requests early.
std::variant<Environment, std::string> make_world(const config::Settings& settings,
                                                  const std::atomic<bool>* stop);

// What is wrong with `notify` where this is the connection's text; empty: nothing.
std::optional<std::string> notify_problem(const config::Settings& settings,
                                          const std::string& connection);

// The same with the connection's text at hand.
Environment environment_of(const config::Settings& settings, const std::string& connection,
                           const std::atomic<bool>* stop);

service::CurlLimits limits_of(const config::Service& settings);

// The host's clock, read once and then counted with the uptime: setting the clock changes no wait.
// The database's clock decides what is due.
TimePoint system_now();

}  // namespace surveybridge::daemon
