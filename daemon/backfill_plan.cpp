#include "daemon/backfill_plan.hpp"

#include "mapping/dates.hpp"

namespace surveybridge::daemon {

std::vector<Slice> slices_of(TimePoint from, TimePoint to, int parts) {
  std::vector<Slice> slices;
  const Duration length = (to - from) / parts;
  for (int i = 0; i < parts; ++i) {
    const TimePoint begin = from + length * i;
    slices.push_back({begin, i + 1 == parts ? to : begin + length});
  }
  return slices;
}

std::vector<WalkPlan> plan_backfill(const config::Pull& pull, const config::Dialect& dialect,
                                    const std::vector<Slice>& slices) {
  std::vector<WalkPlan> plans;
  for (const auto& plan : plan_walks(pull, dialect)) {
    if (plan.by != pull.by.front()) continue;
    const auto hashed = plan.name.find('?');  // what its filters hash to
    const std::string filters = hashed == std::string::npos ? "" : plan.name.substr(hashed);
    for (const auto& slice : slices) {
      WalkPlan sliced = plan;
      sliced.only = slice;
      sliced.name = "backfill " + plan.by + " " + mapping::write_instant(slice.from) + ".." +
                    mapping::write_instant(slice.to) + filters;
      plans.push_back(std::move(sliced));
    }
  }
  return plans;
}

}  // namespace surveybridge::daemon
