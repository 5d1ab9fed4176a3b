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

// No part of a window is shorter.
constexpr Duration kPartMin = std::chrono::seconds{1};
// The service's clock may be so far behind the database's.
constexpr Duration kClockMargin = std::chrono::minutes{1};

crm::StoredWalk first_page(crm::StoredWalk walk, TimePoint db_now) {
  walk.cursor.clear();
  walk.pages = 0;
  walk.begun_at = db_now;
  return walk;
}

// The next part is twice as long if this one was read without being divided again.
crm::StoredWalk next_part(crm::StoredWalk walk, TimePoint db_now) {
  const Duration length = *walk.window_to - *walk.window_from;
  walk.window_from = walk.window_to;
  walk.window_to = std::min(*walk.window_from + 2 * length, *walk.whole_to);
  walk.restarts = 0;
  return first_page(std::move(walk), db_now);
}

crm::StoredWalk closed(crm::StoredWalk walk, TimePoint db_now) {
  if (walk.whole_to && *walk.window_to < *walk.whole_to) return next_part(std::move(walk), db_now);
  walk.watermark = walk.window_to;
  walk.window_from.reset();
  walk.window_to.reset();
  walk.whole_to.reset();
  walk.begun_at.reset();
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

crm::StoredWalk after_page(crm::StoredWalk walk, const std::string& next_cursor, TimePoint db_now) {
  ++walk.pages;
  if (next_cursor.empty()) return closed(std::move(walk), db_now);
  walk.cursor = next_cursor;
  return walk;
}

crm::StoredWalk start_again(crm::StoredWalk walk) {
  walk.cursor.clear();
  walk.pages = 0;
  ++walk.restarts;
  return walk;
}

std::optional<crm::StoredWalk> divided(crm::StoredWalk walk, std::int64_t parts, TimePoint db_now) {
  const Duration part = (*walk.window_to - *walk.window_from) / std::max<std::int64_t>(2, parts);
  if (part < kPartMin) return std::nullopt;
  if (!walk.whole_to) walk.whole_to = walk.window_to;
  walk.window_to = *walk.window_from + part;
  walk.restarts = 0;
  return first_page(std::move(walk), db_now);
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
