// A transport that tells a recorder of every request and its end, also of those for a token. They
// are counted by a few words, never by a URL or a text of the service.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "connectors/service/transport.hpp"
#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

using OpenTransport = std::function<std::unique_ptr<service::Transport>()>;

// `open`, and every request through its transports, recorded. `uptime` only moves forward.
// `service` and `recorder` outlive the transports.
OpenTransport recorded(OpenTransport open, const config::Service& service, Recorder& recorder,
                       std::function<Duration()> uptime);

// "add", "columns", "statuses", "token", the name of a list ("customers"), or "other".
std::string_view operation_of(std::string_view url, const config::Service& service);

// The status ("200"), or "connection", "timeout", "incomplete", "too_large", "stopped"; "other" for
// a number that is no HTTP status.
std::string code_of(const service::Exchange& exchange);

}  // namespace surveybridge::daemon
