#include "daemon/pull_plan.hpp"

#include <algorithm>

#include "mapping/constant.hpp"

namespace surveybridge::daemon {

namespace {

TimePoint window_from(const crm::Walk& walk, const WalkPlan& plan, const std::string& zone,
                      TimePoint today) {
  if (plan.look_back > Duration{0}) return today - plan.look_back;
  const TimePoint first = plan.from ? mapping::instant_of(*plan.from, zone) : TimePoint{};
  // A watermark ahead of the clock says nothing of what has been seen.
  const bool believed = walk.watermark && *walk.watermark <= today + plan.overlap;
  return believed ? std::max(first, std::min(*walk.watermark, today) - plan.overlap) : first;
}

crm::Walk closed(crm::Walk walk, TimePoint today) {
  walk.watermark = walk.window_to;
  walk.window_from.reset();
  walk.window_to.reset();
  walk.cursor.clear();
  walk.restarts = 0;
  walk.finished_at = today;
  return walk;
}

}  // namespace

const service::ListOperation& operation_of(config::Pull::List list) {
  switch (list) {
    case config::Pull::List::ratings:
      return service::ratings();
    case config::Pull::List::bouncers:
      return service::bouncers();
    case config::Pull::List::customers:
      break;
  }
  return service::customers();
}

crm::Walk open_window(crm::Walk walk, const WalkPlan& plan, const std::string& zone,
                      TimePoint today) {
  if (is_open(walk)) return walk;
  walk.window_from = plan.only ? plan.only->from : window_from(walk, plan, zone, today);
  walk.window_to = plan.only ? plan.only->to : std::max(today, *walk.window_from);
  walk.cursor.clear();
  walk.pages = 0;
  walk.restarts = 0;
  return walk;
}

TimePoint next_window(const crm::Walk& walk, const WalkPlan& plan, TimePoint today) {
  const bool believed = walk.finished_at && *walk.finished_at <= today;
  return believed ? *walk.finished_at + plan.every : today;
}

service::Parameter window_of(const crm::Walk& walk, const WalkPlan& plan) {
  return {plan.window_filter(), service::DateFilter{walk.window_from, walk.window_to}};
}

crm::Walk after_page(crm::Walk walk, std::size_t records, const std::string& next_cursor,
                     WindowTrail& trail, TimePoint today) {
  // Another instance may have walked on: an old window's cursors say nothing about this one.
  if (trail.window != walk.window_to || walk.cursor.empty()) trail = {walk.window_to, {}};
  ++walk.pages;
  if (is_last_page(trail.trail, walk.cursor, records, next_cursor)) {
    return closed(std::move(walk), today);
  }
  walk.cursor = next_cursor;
  return walk;
}

crm::Walk start_again(crm::Walk walk, WindowTrail& trail) {
  trail = {};
  walk.cursor.clear();
  walk.pages = 0;
  ++walk.restarts;
  return walk;
}

}  // namespace surveybridge::daemon
