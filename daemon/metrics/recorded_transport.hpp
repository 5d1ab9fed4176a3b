// A transport that tells a recorder of every request and its end, also of those for a token.
#pragma once

#include <functional>
#include <memory>

#include "config/settings.hpp"
#include "connectors/service/transport.hpp"
#include "daemon/metrics/recorder.hpp"

namespace surveybridge::daemon {

using OpenTransport = std::function<std::unique_ptr<service::Transport>()>;

// `open`, and every request through its transports, recorded. `uptime` only moves forward.
// `service` and `recorder` outlive the transports.
OpenTransport recorded(OpenTransport open, const config::Service& service, Recorder& recorder,
                       std::function<Duration()> uptime);

}  // namespace surveybridge::daemon
