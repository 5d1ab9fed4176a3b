// How the status page is served: small requests and one of each connection, few connections, short
// time-outs; a client that sends nothing gives way to the next. Answers of one lane are made one
// after the other, and wait for no other lane.
#pragma once

#include <memory>
#include <string_view>

#include "config/settings.hpp"
#include "http/server.hpp"

namespace surveybridge::daemon {

enum class StatusLane {
  memory,  // needs nothing but memory
  ready,
  metrics,
  pages,
  report,
};

// By the path of a request: "/health", "/quarantine?page=2".
StatusLane lane_of(std::string_view target);

// So many requests of a lane wait or are being answered; more are answered 503. All lanes together
// leave half of the connections to what is answered from memory.
inline constexpr std::size_t kStatusWaiting = 4;

// Throws std::runtime_error if it cannot listen.
std::unique_ptr<http::Server> serve_status(const config::Listen& listen,
                                           http::Server::Handler handler);

}  // namespace surveybridge::daemon
