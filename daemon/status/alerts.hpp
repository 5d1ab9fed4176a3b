// What the receivers of [alert] were told and have still to be told, from the store. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/daemon_state/alert_store.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// What no daemon has seen for so long is well again; longer than any daemon's time between two
// looks.
inline constexpr Duration kAlertOver = std::chrono::minutes{15};
// What a receiver was not told after so long could not be told. A look is at most ten minutes later
// than the one before.
inline constexpr Duration kAlertLate = std::chrono::minutes{13};

// "brake", as in the configuration.
std::string word_of(config::AlertKind kind);
bool wants(const config::Receiver& receiver, config::AlertKind kind);
// Of a row of the store; empty: it is about no alert, but a summary or a report.
std::optional<config::AlertKind> kind_of(const std::string& subject);

struct LastingAlert {
  std::string receiver;  // its name in the configuration
  config::AlertKind kind;
  std::string what;          // without keys and addresses
  TimePoint since, seen_at;  // first and last time that it was so
  std::optional<TimePoint> told_at;
  bool is_late = false;  // the receiver could not be told
};

// Of what the store has of a receiver: what it was told of, and what was seen of late.
std::vector<LastingAlert> lasting_alerts(const config::Receiver& receiver,
                                         const std::vector<crm::Alert>& rows, TimePoint now);

// Of one that was not told.
std::string untold_text(const LastingAlert& alert);

}  // namespace surveybridge::daemon
