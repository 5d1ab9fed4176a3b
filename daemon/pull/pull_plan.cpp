#include "daemon/pull/pull_plan.hpp"

#include <algorithm>

#include "mapping/field_map/constant.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::daemon {

namespace {

TimePoint window_from(const crm::StoredWalk& walk, const WalkPlan& plan, const std::string& zone,
                      TimePoint db_now) {
  if (plan.look_back > Duration{0}) return db_now - plan.look_back;
  const TimePoint first = plan.from ? mapping::instant_of(*plan.from, zone) : TimePoint{};
  // A watermark ahead of the clock is not used.
  const bool believed = walk.watermark && *walk.watermark <= db_now + plan.overlap;
  return believed ? std::max(first, std::min(*walk.watermark, db_now) - plan.overlap) : first;
}

// The service's clock may be so far behind the database's.
constexpr Duration kClockMargin = std::chrono::minutes{1};

}  // namespace

crm::StoredWalk open_window(crm::StoredWalk walk, const WalkPlan& plan, const std::string& zone,
                            TimePoint db_now) {
  if (is_open(walk)) return walk;
  walk.window_from = plan.only ? plan.only->from : window_from(walk, plan, zone, db_now);
  walk.window_to = plan.only ? plan.only->to : std::max(db_now, *walk.window_from);
  walk.restarts = 0;
  return first_page(std::move(walk), db_now);
}

TimePoint next_window(const crm::StoredWalk& walk, const WalkPlan& plan, TimePoint db_now) {
  const bool believed = walk.finished_at && *walk.finished_at <= db_now;
  return believed ? *walk.finished_at + plan.every : db_now;
}

service::Parameter window_of(const crm::StoredWalk& walk, const WalkPlan& plan) {
  return {plan.window_filter(), service::DateFilter{walk.window_from, walk.window_to}};
}

bool needs_move_check(const crm::StoredWalk& walk, const std::string& next_cursor) {
  return walk.pages > 0 && next_cursor.empty();  // one page is read at one moment
}

service::Parameter moved_since(const crm::StoredWalk& walk, const WalkPlan& plan) {
  const TimePoint begun = walk.begun_at.value_or(*walk.window_to) - kClockMargin;
  return {plan.window_filter(),
          service::DateFilter{std::max(begun, *walk.window_to), std::nullopt}};
}

std::vector<mapping::Value> keys_after(const std::vector<mapping::Record>& listed,
                                       const crm::StoredWalk& walk, const WalkPlan& plan) {
  std::vector<mapping::Value> keys;
  for (const auto& record : listed) {
    const auto* at = std::get_if<mapping::Instant>(&record.value(plan.by));
    if (at == nullptr || *at > *walk.window_to) keys.push_back(mapping::key_of(record));
  }
  return keys;
}

bool were_inside(const std::vector<mapping::Record>& stored, const crm::StoredWalk& walk,
                 const WalkPlan& plan) {
  return std::ranges::any_of(stored, [&](const mapping::Record& record) {
    const auto* at = std::get_if<mapping::Instant>(&record.value(plan.by));
    return at == nullptr || *at >= *walk.window_from;
  });
}

bool is_left_to_the_next(const crm::StoredWalk& walk, const WalkPlan& plan) {
  if (walk.whole_to || plan.only) return false;
  return *walk.window_to - *walk.window_from <= 2 * (plan.overlap + plan.every);
}

}  // namespace surveybridge::daemon
