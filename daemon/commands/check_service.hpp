// What `check` says of the service besides its data columns: of its certificate, its clock, the
// names of its enumerations, and the filters that it uses.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/service/api.hpp"
#include "connectors/service/client_certificate.hpp"
#include "connectors/service/curl_transport.hpp"
#include "daemon/job/job.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

// A sentence about a certificate; `wrong`: it is not trusted, so no request will leave.
struct CertificateFinding {
  bool wrong = false;
  std::string text;
};
// Empty: it is trusted, and ends in 30 days at the earliest.
std::optional<CertificateFinding> certificate_finding(const service::Certificate& certificate,
                                                      const std::string& origin, TimePoint now);

// The same of our own certificate: once it has ended nothing is sent.
std::optional<CertificateFinding> client_finding(const service::ClientCertificate& client,
                                                 TimePoint now);

// "its clock is 3600 s ahead of this machine's"; empty: less than five seconds.
std::optional<std::string> clock_finding(Duration ahead);

// The lines of [service.enumerations] that lack a name, each with all names of its field. A page of
// the customers that this pull reads is requested in both formats. Empty: nothing is lacking, or
// the service says no more.
std::vector<std::string> proposed_names(service::Api& api, const config::Settings& settings,
                                        const config::Pull& customers, TimePoint now);

// Does the service use the filters of a pull? One that does not understand a filter lists
// everything, so it is asked for something impossible, which must find nothing.
struct FilterFinding {
  std::string what;                         // "pull.customers: Statuses"
  std::optional<service::Trouble> trouble;  // the request failed
  std::string wrong;                        // otherwise: what the answer shows
};

// Every filter and window of a pull, each once. Empty: the service uses all of them, as far as
// requests can show. An answer without a list is an empty one where a pull would take it for that
// (PageWalk::prove_empty). `has_records`: some of this list are stored.
std::vector<FilterFinding> check_filters(service::Api& api, const config::Settings& settings,
                                         const config::Pull& pull,
                                         const std::vector<mapping::DataColumn>& columns,
                                         TimePoint now, std::function<bool()> has_records);

}  // namespace surveybridge::daemon
