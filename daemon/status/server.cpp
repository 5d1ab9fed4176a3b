#include "daemon/status/server.hpp"

#include <stdexcept>

#include "daemon/status/report_route.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kConnections = 32;
constexpr http::Bounds kBounds{8 * 1024, 0, false};
constexpr std::chrono::seconds kClientPatience{10};
constexpr auto kLanesThatWait = static_cast<std::size_t>(StatusLane::report);
static_assert(kLanesThatWait * kStatusWaiting <= kConnections / 2);

http::ServerOptions options_for(const config::Listen& listen) {
  http::ServerOptions options;
  options.host = listen.host;
  options.port = listen.port;
  options.bounds = kBounds;
  options.connections = kConnections;
  options.patience = kClientPatience;
  options.headers = {{"Cache-Control", "no-store"},
                     {"X-Content-Type-Options", "nosniff"},
                     {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"}};
  options.lanes.assign(kLanesThatWait + 1, http::Lane{1, kStatusWaiting});
  options.lanes.front().waiting = kConnections;
  options.lane_of = [](const http::Request& request) {
    return static_cast<std::size_t>(lane_of(request.target));
  };
  return options;
}

}  // namespace

StatusLane lane_of(std::string_view target) {
  const std::string_view path = target.substr(0, target.find('?'));
  if (path == "/health") return StatusLane::memory;
  if (path == "/ready") return StatusLane::ready;
  if (path == "/metrics") return StatusLane::metrics;
  return path == ReportRoute::kPath ? StatusLane::report : StatusLane::pages;
}

std::unique_ptr<http::Server> serve_status(const config::Listen& listen,
                                           http::Server::Handler handler) {
  try {
    return std::make_unique<http::Server>(options_for(listen), std::move(handler));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(std::string("[status] ") + error.what());
  }
}

}  // namespace surveybridge::daemon
