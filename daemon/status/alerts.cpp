#include "daemon/status/alerts.hpp"

#include <algorithm>

namespace surveybridge::daemon {

std::string word_of(config::AlertKind kind) {
  return config::kAlertKinds.at(static_cast<std::size_t>(kind));
}

bool wants(const config::Receiver& receiver, config::AlertKind kind) {
  return !receiver.kinds || std::ranges::find(*receiver.kinds, kind) != receiver.kinds->end();
}

std::optional<config::AlertKind> kind_of(const std::string& subject) {
  const auto blank = subject.find(' ');
  const auto found = std::ranges::find(config::kAlertKinds, subject.substr(0, blank));
  if (blank == std::string::npos || found == config::kAlertKinds.end()) return std::nullopt;
  return static_cast<config::AlertKind>(found - config::kAlertKinds.begin());
}

std::vector<LastingAlert> lasting_alerts(const config::Receiver& receiver,
                                         const std::vector<crm::Alert>& rows, TimePoint now) {
  std::vector<LastingAlert> all;
  for (const auto& row : rows) {
    const auto kind = kind_of(row.subject);
    if (!kind || !wants(receiver, *kind)) continue;
    if (!row.told_at && now - row.seen_at >= kAlertOver) continue;
    const bool is_late = !row.is_told() && row.seen_at - row.since >= kAlertLate;
    all.push_back({receiver.name, *kind, row.what, row.since, row.seen_at,
                   row.is_told() ? row.told_at : std::nullopt, is_late});
  }
  return all;
}

std::string untold_text(const LastingAlert& alert) {
  return alert.is_late ? "could not be told yet" : "not told yet";
}

}  // namespace surveybridge::daemon
