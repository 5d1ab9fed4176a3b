// The real environment: the CRM's database through SOCI, the service through libcurl, the system's
// clocks. Made once by a command.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <variant>

#include "config/settings.hpp"
#include "connectors/service/client_certificate.hpp"
#include "connectors/service/curl_transport.hpp"
#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

// How long a session waits for a lock: those who work as long as for a statement, those who look,
// or change a little by hand, 2 s.
enum class Purpose { work, look };

struct World {
  Environment works, looks;
};
// Reads the secrets of the connections; a sentence if one cannot be read. `stop` (may be null) ends
// requests early.
std::variant<World, std::string> make_world(const config::Settings& settings,
                                            const std::atomic<bool>* stop,
                                            const service::ClientCertificate& client);

// What is wrong with `notify` where this is the connection's text; empty: nothing.
std::optional<std::string> notify_problem(const config::Settings& settings,
                                          const std::string& connection);

// The texts of [crm] connection and [store] connection; the second is empty where there is none.
struct Connections {
  std::string crm, store = {};
};
// Reads the secrets; a sentence if one cannot be read.
std::variant<Connections, std::string> read_connections(const config::Settings& settings);

// The same as make_world() with the connections' texts at hand, of one kind.
Environment environment_of(const config::Settings& settings, const Connections& connections,
                           const std::atomic<bool>* stop, Purpose purpose = Purpose::work,
                           const service::ClientCertificate& client = {});

service::CurlLimits limits_of(const config::Service& settings,
                              const service::ClientCertificate& client);

// The host's clock, read once and then counted with the uptime: setting the clock changes no wait.
// The database's clock decides what is due.
TimePoint system_now();

}  // namespace surveybridge::daemon
