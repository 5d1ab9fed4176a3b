// The service's clock beside this machine's, by the `Date` of its answers. A walk asks up to the
// database's time. If the service's clock is ahead, its records have later times, and the walk
// reads them when those times have come.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "connectors/service/transport.hpp"
#include "daemon/job/job.hpp"
#include "daemon/job/log.hpp"
#include "daemon/metrics/recorded_transport.hpp"

namespace surveybridge::daemon {

// How far a clock is ahead of this machine's (behind: negative), if it was read between `before`
// and `after` on this machine and shows whole seconds.
Duration clock_difference(TimePoint clock, TimePoint before, TimePoint after);

// Passes requests on, and tells `heard` the difference of each answer with a date; not of other
// servers (a token).
class ClockTransport final : public service::Transport {
 public:
  using Heard = std::function<void(Duration ahead)>;
  ClockTransport(std::unique_ptr<service::Transport> inner, std::string base_url, Heard heard)
      : inner_(std::move(inner)), base_url_(std::move(base_url)), heard_(std::move(heard)) {}
  service::Exchange send(const service::Request& request) override;

 private:
  std::unique_ptr<service::Transport> inner_;
  std::string base_url_;
  Heard heard_;
};

// Logs once that the clocks differ by a minute or more, and once that they agree again.
// Thread-safe; outlives its transports.
class ServiceClock {
 public:
  explicit ServiceClock(Log& log) : log_(log) {}
  OpenTransport watched(OpenTransport open, const std::string& base_url);
  void heard(Duration ahead);

 private:
  Log& log_;
  std::mutex mutex_;
  bool differs_ = false;
};

}  // namespace surveybridge::daemon
