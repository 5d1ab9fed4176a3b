// The one observer of requests: it tells the pace, the recorder and the clock's observer of every
// request and its end. Requests are counted by a few words, never by a URL or a text of the
// service.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "config/settings.hpp"
#include "connectors/service/transport.hpp"
#include "daemon/job/log.hpp"
#include "daemon/metrics/recorder.hpp"
#include "daemon/pace/pace.hpp"

namespace surveybridge::daemon {

// Compares the service's clock with this machine's, by the `Date` of its answers.
struct ClockObserver {
  std::function<TimePoint()> now;             // this machine's clock
  std::function<void(Duration ahead)> heard;  // of each answer with a date
};

// All of them outlive the transports.
struct RequestObservers {
  const config::Service& service;
  Pace& pace;
  Recorder& recorder = no_recorder();
  const ClockObserver* clock = nullptr;  // null: nobody compares
};

// Requests to other servers (a token) are told to the recorder only.
class ObservedTransport final : public service::Transport {
 public:
  ObservedTransport(std::unique_ptr<service::Transport> inner, const RequestObservers& observers)
      : inner_(std::move(inner)), observers_(observers) {}

  service::Exchange send(const service::Request& request) override;

 private:
  void record(const service::Request& request, const service::Exchange& exchange, Duration took);

  std::unique_ptr<service::Transport> inner_;
  RequestObservers observers_;
};

// What an exchange means for the pace; empty: nothing, because the service did not receive it.
std::optional<PaceAnswer> pace_answer(const service::Exchange& exchange, TimePoint now);

// "add", "columns", "statuses", "token", the name of a list ("customers"), or "other".
std::string_view operation_of(std::string_view url, const config::Service& service);

// The status ("200"), or "connection", "timeout", "incomplete", "too_large", "stopped"; "other" for
// a number that is no HTTP status.
std::string code_of(const service::Exchange& exchange);

// How far a clock is ahead of this machine's (behind: negative), if it was read between `before`
// and `after` on this machine and shows whole seconds.
Duration clock_difference(TimePoint clock, TimePoint before, TimePoint after);

// Logs once that the service's clock differs by a minute or more, and once that it agrees again. A
// walk asks up to the database's time: if the service's clock is ahead, its records have later
// times, and the walk reads them when those times have come. Thread-safe.
class ServiceClock {
 public:
  explicit ServiceClock(Log& log) : log_(log) {}
  void heard(Duration ahead);

 private:
  Log& log_;
  std::mutex mutex_;
  bool differs_ = false;
};

}  // namespace surveybridge::daemon
