// Which receiver of [alert] is told what, and when. Pure.
#pragma once

#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/daemon_state/alert_store.hpp"
#include "daemon/report/gather.hpp"
#include "daemon/status/needs.hpp"

namespace surveybridge::daemon {

// Whoever tells it: this machine's name, and the configuration.
struct AlertOrigin {
  std::string host, file;
};

// What ends sooner is not told: two looks or more have seen it, so far apart at least.
inline constexpr Duration kAlertLasts = std::chrono::minutes{2};

// Of a row: of a kind that is no longer wanted nothing is told, nor that it is over.
bool wants(const config::Receiver& receiver, const std::string& subject);

// One line without keys and addresses: the words of a database or of the service may hold some.
std::string without_people(const std::string& text);

// What the store has of this receiver after a look that saw these needs: a row for each need, and
// for each job of a trouble that several have. `rows`: what it had before.
std::vector<crm::Alert> seen_alerts(const std::vector<Need>& needs,
                                    const config::Receiver& receiver,
                                    const std::vector<crm::Alert>& rows, const std::string& file,
                                    TimePoint now);

struct DueAlerts {
  std::vector<crm::Alert> begun, over;
  bool none() const { return begun.empty() && over.empty(); }
};
// `looked_since`: since when this process has looked without a gap; until kAlertOver after that
// nothing is over.
DueAlerts due_alerts(const std::vector<crm::Alert>& rows, const AlertOrigin& origin,
                     TimePoint looked_since, TimePoint now);

// What is about this daemon's end. A daemon of the same host and configuration that looks for
// kAlertOver without another end shows that it is over.
std::string end_subject(const AlertOrigin& origin);

// How long after its time a report of [report.mail.NAME] is made up.
inline constexpr Duration kReportMadeUp = std::chrono::hours{24};
// What a report asks for that is due then: the twelve weeks up to the day before, of each month the
// twelve months before it.
ReportAsked report_due_at(TimePoint due, const config::Report::Mail& mail, const std::string& zone);

// The last summary of a receiver is in the row of this subject, which is never begun or over.
inline constexpr const char* kSummarySubject = "summary";
// The latest time of a schedule at or before `now`, and the first one after it, by the clock of the
// zone. A time that its clock skips comes an hour later, one that it shows twice at the first.
TimePoint last_time(const config::Schedule& every, const std::string& zone, TimePoint now);
TimePoint next_time(const config::Schedule& every, const std::string& zone, TimePoint now);

}  // namespace surveybridge::daemon
