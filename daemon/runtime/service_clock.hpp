// The service's clock beside this machine's, by the `Date` of its answers. What a walk asks for
// ends at the database's time: what a clock ahead of it has stamped is read when that time has
// come.
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

// Passes requests on, and tells `heard` the difference of each answer with a date.
class ClockTransport final : public service::Transport {
 public:
  using Heard = std::function<void(Duration ahead)>;
  ClockTransport(std::unique_ptr<service::Transport> inner, Heard heard)
      : inner_(std::move(inner)), heard_(std::move(heard)) {}
  service::Exchange send(const service::Request& request) override;

 private:
  std::unique_ptr<service::Transport> inner_;
  Heard heard_;
};

// Logs once that the clocks differ by a minute or more, and once that they agree again.
// Thread-safe; outlives its transports.
class ServiceClock {
 public:
  explicit ServiceClock(Log& log) : log_(log) {}
  OpenTransport watched(OpenTransport open);
  void heard(Duration ahead);

 private:
  Log& log_;
  std::mutex mutex_;
  bool differs_ = false;
};

}  // namespace surveybridge::daemon
