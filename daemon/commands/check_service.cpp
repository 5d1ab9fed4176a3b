#include "daemon/commands/check_service.hpp"

#include <cstdlib>

#include <fmt/format.h>

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

std::optional<std::string> clock_finding(Duration ahead) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(ahead).count();
  if (std::chrono::abs(ahead) < kClocksDiffer) return std::nullopt;
  return fmt::format("its clock is {} s {} this machine's", std::abs(seconds),
                     seconds > 0 ? "ahead of" : "behind");
}

}  // namespace surveybridge::daemon
