#include "daemon/pull/backfill_plan.hpp"

#include <algorithm>

#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

// The beginning of the names of a backfill's walks, before its end.
std::string begins(const config::Pull& pull, TimePoint from) {
  return "backfill " + pull.by.front() + " " + mapping::write_instant(from) + "..";
}

}  // namespace

std::vector<Slice> slices_of(TimePoint from, TimePoint to, int parts) {
  std::vector<Slice> slices;
  const Duration length = (to - from) / parts;
  for (int i = 0; i < parts; ++i) {
    const TimePoint begin = from + length * i;
    slices.push_back({begin, i + 1 == parts ? to : begin + length});
  }
  return slices;
}

std::vector<WalkPlan> plan_backfill(const config::Pull& pull, const config::ServiceDialect& dialect,
                                    const Slice& whole) {
  const auto hours = std::chrono::ceil<std::chrono::hours>(whole.to - whole.from).count();
  const int windows = static_cast<int>(std::clamp<std::int64_t>(hours, 1, kWindows));
  const auto slices = slices_of(whole.from, whole.to, windows);
  std::vector<WalkPlan> plans;
  for (int i = 0; i < windows; ++i) {
    for (auto plan : plan_walks(pull, dialect)) {
      if (plan.by != pull.by.front()) continue;
      const auto hashed = plan.name.find('?');  // the hash of its filters
      const std::string filters = hashed == std::string::npos ? "" : plan.name.substr(hashed);
      plan.only = slices[static_cast<std::size_t>(i)];
      plan.name = begins(pull, whole.from) + mapping::write_instant(whole.to) + " " +
                  std::to_string(i + 1) + "/" + std::to_string(windows) + filters;
      plans.push_back(std::move(plan));
    }
  }
  return plans;
}

std::optional<TimePoint> end_of_begun(const config::Pull& pull, TimePoint from,
                                      const std::vector<std::string>& walks) {
  const std::string begin = begins(pull, from);
  std::optional<TimePoint> latest;
  for (const auto& walk : walks) {
    if (!walk.starts_with(begin)) continue;
    const auto end = walk.substr(begin.size(), walk.find(' ', begin.size()) - begin.size());
    const auto read = mapping::read_date(end);
    const auto* at = read ? std::get_if<TimePoint>(&read->value) : nullptr;
    if (at != nullptr && *at > from && (!latest || *at > *latest)) latest = *at;
  }
  return latest;
}

}  // namespace surveybridge::daemon
