#include "daemon/status/present_cause.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "daemon/job/fault.hpp"

namespace surveybridge::daemon {

namespace {

std::string rates_text(const RateLimiter::Learned& learned) {
  if (!learned.read) return fmt::format("{:.1f} requests a second", learned.all.per_second);
  return fmt::format("{:.1f} requests a second writing, {:.1f} reading", learned.all.per_second,
                     learned.read->per_second);
}

}  // namespace

void tell_present_cause(std::vector<JobState>& states, const Pace::PaceSnapshot& pace) {
  if (pace.held_until || pace.away) return;  // what they met last is still why they wait
  for (auto& state : states) {
    JobStatus& status = state.status;
    const bool failed = !status.trouble.empty() && !status.degraded && !state.stuck;
    if (!failed || !is_temporary(status.fault)) continue;
    if (std::ranges::find(pace.waiting, state.name) == pace.waiting.end()) continue;
    status.trouble = fmt::format("waits for its turn, at {}; before: {}", rates_text(pace.learned),
                                 status.trouble);
  }
}

}  // namespace surveybridge::daemon
