#include "daemon/lists/walk_window.hpp"

#include <algorithm>
#include <utility>

#include "connectors/service/api.hpp"
#include "daemon/pace/retry.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

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

Duration shortest_part(const config::ServiceDialect& dialect) {
  if (dialect.dates == config::ServiceDialect::Dates::date) return std::chrono::days{1};
  return std::chrono::seconds{1};
}

bool is_divisible(const crm::StoredWalk& walk, Duration shortest) {
  return *walk.window_to - *walk.window_from > shortest;
}

std::optional<crm::StoredWalk> divided(crm::StoredWalk walk, std::int64_t parts, TimePoint db_now,
                                       Duration shortest) {
  if (!is_divisible(walk, shortest)) return std::nullopt;
  const Duration length = *walk.window_to - *walk.window_from;
  if (!walk.whole_to) walk.whole_to = walk.window_to;
  walk.window_to =
      *walk.window_from + std::max<Duration>(shortest, length / std::max<std::int64_t>(2, parts));
  walk.restarts = 0;
  return first_page(std::move(walk), db_now);
}

// Whether an answer without a list is an empty one is judged elsewhere (BareAnswer).
std::optional<int> failures_max(const service::Trouble& trouble) {
  using Kind = service::Trouble::Kind;
  const bool is_unreadable = trouble.kind == Kind::malformed && !service::is_without_list(trouble);
  // A gateway may refuse what one record says, whatever it writes: one that asks to wait, too.
  const bool is_refusal = trouble.kind == Kind::forbidden || trouble.kind == Kind::rejected ||
                          trouble.kind == Kind::misplaced;
  if (trouble.kind != Kind::unavailable && !is_unreadable && !is_refusal) return std::nullopt;
  return is_unreachable(trouble) ? 2 * kFailuresOfAPage : kFailuresOfAPage;
}

ReadAround::Next ReadAround::after(const service::Trouble& trouble, bool divisible) {
  const auto many = failures_max(trouble);
  if (!many) return Next::wait;
  ++failures_;
  if (left_out_ == kLeftOutInARow) return Next::wait;
  const Alone alone = std::exchange(alone_, Alone::unknown);
  if (alone == Alone::asked || (alone == Alone::by_neighbour && divisible)) {
    divided_ = true;
    return Next::divide;
  }
  const bool at_once = divided_ && divisible;
  return at_once || failures_ % *many == 0 ? Next::ask_before : Next::wait;
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
