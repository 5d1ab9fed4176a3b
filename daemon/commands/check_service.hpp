// What `check` says of the service besides its answers: of its certificate and its clock.
#pragma once

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

// "its clock is 3600 s ahead of this machine's"; empty: less than five seconds.
std::optional<std::string> clock_finding(Duration ahead);

}  // namespace surveybridge::daemon
