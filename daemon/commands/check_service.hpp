// What `check` asks of the service besides its answers: its certificate and its clock.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "connectors/service/certificate.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// A sentence about a certificate; `wrong`: it is not trusted, so no request will leave.
struct CertificateFinding {
  bool wrong = false;
  std::string text;
};
// Empty: it is trusted, and ends in 30 days at the earliest.
std::optional<CertificateFinding> certificate_finding(const service::Certificate& certificate,
                                                      const std::string& origin, TimePoint now);

// How far a clock is ahead of this machine's (behind: negative), if it was read between `before`
// and `after` on this machine and shows whole seconds.
Duration clock_difference(TimePoint clock, TimePoint before, TimePoint after);
// "its clock is 3600 s ahead of this machine's"; empty: less than five seconds.
std::optional<std::string> clock_finding(Duration ahead);

// Passes requests on, and compares the `Date` of each answer with this machine's clock.
class ClockTransport final : public service::Transport {
 public:
  explicit ClockTransport(std::unique_ptr<service::Transport> inner) : inner_(std::move(inner)) {}
  service::Exchange send(const service::Request& request) override;
  // Of the last answer with a date; empty: none had one.
  std::optional<Duration> ahead() const { return ahead_; }

 private:
  std::unique_ptr<service::Transport> inner_;
  std::optional<Duration> ahead_;
};

}  // namespace surveybridge::daemon
