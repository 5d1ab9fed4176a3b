#include "daemon/pull/pull_plan.hpp"

#include <algorithm>

#include "mapping/field_map/constant.hpp"

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

crm::StoredWalk closed(crm::StoredWalk walk, TimePoint db_now) {
  walk.watermark = walk.window_to;
  walk.window_from.reset();
  walk.window_to.reset();
  walk.cursor.clear();
  walk.restarts = 0;
  walk.finished_at = db_now;
  return walk;
}

}  // namespace

crm::StoredWalk open_window(crm::StoredWalk walk, const WalkPlan& plan, const std::string& zone,
                            TimePoint db_now) {
  if (is_open(walk)) return walk;
  walk.window_from = plan.only ? plan.only->from : window_from(walk, plan, zone, db_now);
  walk.window_to = plan.only ? plan.only->to : std::max(db_now, *walk.window_from);
  walk.cursor.clear();
  walk.pages = 0;
  walk.restarts = 0;
  return walk;
}

TimePoint next_window(const crm::StoredWalk& walk, const WalkPlan& plan, TimePoint db_now) {
  const bool believed = walk.finished_at && *walk.finished_at <= db_now;
  return believed ? *walk.finished_at + plan.every : db_now;
}

service::Parameter window_of(const crm::StoredWalk& walk, const WalkPlan& plan) {
  return {plan.window_filter(), service::DateFilter{walk.window_from, walk.window_to}};
}

crm::StoredWalk after_page(crm::StoredWalk walk, std::size_t records,
                           const std::string& next_cursor, WindowHistory& history,
                           TimePoint db_now) {
  // Another instance may have continued: the cursors of an old window do not count.
  if (history.window != walk.window_to || walk.cursor.empty()) history = {walk.window_to, {}};
  ++walk.pages;
  if (is_last_page(history.pages, walk.cursor, records, next_cursor)) {
    return closed(std::move(walk), db_now);
  }
  walk.cursor = next_cursor;
  return walk;
}

crm::StoredWalk start_again(crm::StoredWalk walk, WindowHistory& history) {
  history = {};
  walk.cursor.clear();
  walk.pages = 0;
  ++walk.restarts;
  return walk;
}

}  // namespace surveybridge::daemon
