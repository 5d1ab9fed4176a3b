// When a push must not go out without a person's word, and within which hours it may. Pure.
// `max_per_hour`, `brake` and `send_window` of docs/CONFIG.md.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "config/settings.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// What decides who is asked: query, key, when, start, look_back.
std::string fingerprint_of(const config::Push& push);

// Where a push's rows go, for people: the service's base_url, and whether they are test customers.
std::string service_of(const config::Push& push, const config::Settings& settings);

struct Wave {
  std::int64_t batch = 0;  // rows that would go out now
  // How many rows wait in all. Asked only where it matters: it counts the query.
  std::function<std::int64_t()> waiting;
  std::string service = {};  // they would go to: service_of
};

// Why the brake takes hold; empty: this batch may go. What a person has let through is not asked
// about again.
std::optional<std::string> brakes_on(const config::Push& push,
                                     const std::optional<crm::BrakeState>& state,
                                     const crm::Flow& flow, const Wave& wave, TimePoint now);

// When a push may send next: `now` within its window, else the window's next opening, by the wall
// clock of `zone`.
TimePoint opening(const std::optional<config::Window>& window, const std::string& zone,
                  TimePoint now);

}  // namespace surveybridge::daemon
