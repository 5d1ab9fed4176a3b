#include "daemon/commands/check_service.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "connectors/service/retry_after.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kEndsSoon = std::chrono::days{30};
constexpr Duration kClocksDiffer = std::chrono::seconds{5};

}  // namespace

std::optional<CertificateFinding> certificate_finding(const service::Certificate& certificate,
                                                      const std::string& origin, TimePoint now) {
  const Duration left = certificate.ends - now;
  const std::string end =
      mapping::write_instant(std::chrono::floor<std::chrono::seconds>(certificate.ends));
  if (!certificate.fault.empty()) {
    return CertificateFinding{
        true, fmt::format("service: the certificate of {} is not trusted: {}; it {} on {}", origin,
                          certificate.fault, left > Duration{0} ? "ends" : "ended", end)};
  }
  if (left >= kEndsSoon) return std::nullopt;
  const auto days = std::chrono::floor<std::chrono::days>(left).count();
  return CertificateFinding{
      false, fmt::format("service: the certificate of {} ends in {} day{}, on {}", origin, days,
                         days == 1 ? "" : "s", end)};
}

Duration clock_difference(TimePoint clock, TimePoint before, TimePoint after) {
  if (clock > after) return clock - after;
  const TimePoint earliest = std::chrono::floor<std::chrono::seconds>(before);
  return clock < earliest ? clock - earliest : Duration{0};
}

std::optional<std::string> clock_finding(Duration ahead) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(ahead).count();
  if (std::chrono::abs(ahead) < kClocksDiffer) return std::nullopt;
  return fmt::format("its clock is {} s {} this machine's", std::abs(seconds),
                     seconds > 0 ? "ahead of" : "behind");
}

service::Exchange ClockTransport::send(const service::Request& request) {
  const TimePoint before = system_now();
  auto exchange = inner_->send(request);
  const auto* response = std::get_if<service::Response>(&exchange);
  if (response == nullptr) return exchange;
  if (const auto date = service::read_http_date(response->header("date")))
    ahead_ = clock_difference(*date, before, system_now());
  return exchange;
}

}  // namespace surveybridge::daemon
