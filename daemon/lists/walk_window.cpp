#include "daemon/lists/walk_window.hpp"

#include <algorithm>
#include <utility>

#include "daemon/pace/retry.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

// No part of a window is shorter.
constexpr Duration kPartMin = std::chrono::seconds{1};
// So many failures of one page are no accident.
constexpr int kFailuresOfAPage = 3;

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

crm::StoredWalk first_page(crm::StoredWalk walk, TimePoint db_now) {
  walk.cursor.clear();
  walk.pages = 0;
  walk.begun_at = db_now;
  return walk;
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
  const Duration length = *walk.window_to - *walk.window_from;
  if (length <= kPartMin) return std::nullopt;
  if (!walk.whole_to) walk.whole_to = walk.window_to;
  walk.window_to =
      *walk.window_from + std::max<Duration>(kPartMin, length / std::max<std::int64_t>(2, parts));
  walk.restarts = 0;
  return first_page(std::move(walk), db_now);
}

ReadAround::Next ReadAround::after(const service::Trouble& trouble) {
  if (trouble.kind != service::Trouble::Kind::unavailable || trouble.wait) return Next::wait;
  ++failures_;
  if (left_out_ == kLeftOutInARow) return Next::wait;
  if (std::exchange(is_alone_, false)) {
    divided_ = true;
    return Next::divide;
  }
  const int many = is_unreachable(trouble) ? 2 * kFailuresOfAPage : kFailuresOfAPage;
  return divided_ || failures_ % many == 0 ? Next::ask_before : Next::wait;
}

service::DateFilter second_before(const crm::StoredWalk& walk, Duration far) {
  const TimePoint before = *walk.window_from - far;
  return {before - std::chrono::seconds{1}, before};
}

std::string left_out(const crm::StoredWalk& walk, const std::string& by,
                     const service::Trouble& trouble) {
  return "the service does not answer for what it lists by " + by + " from " +
         mapping::write_instant(*walk.window_from) + " to " +
         mapping::write_instant(*walk.window_to) + " (" + trouble.detail + ")";
}

}  // namespace surveybridge::daemon
