#include "daemon/pull/move_check.hpp"

#include <algorithm>
#include <utility>

#include "connectors/crm/pulled/stored_records.hpp"
#include "daemon/lists/filter_check.hpp"
#include "mapping/tables/tables.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kPagesMax = 5;
// The service's clock may be so far behind the database's.
constexpr Duration kClockMargin = std::chrono::minutes{1};

}  // namespace

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

bool MoveCheck::is_due(const crm::StoredWalk& walk, const mapping::Page& page) const {
  const bool answered = state_.moved && state_.window == walk.window_to;
  return !answered && needs_move_check(walk, page.next_cursor);
}

// A window that is read again because of this is not read for ever: it is left to the next one or
// read in parts, both so often only (PullJob::end_part).
std::variant<bool, service::Trouble> MoveCheck::step(const crm::StoredWalk& walk,
                                                     const std::vector<service::Parameter>& filters,
                                                     TimePoint now) {
  if (state_.window != walk.window_to || state_.moved) state_ = Question{walk.window_to};
  std::vector<service::Parameter> asked{moved_since(walk, plan_)};
  const auto test = std::ranges::find(filters, "IncludeTestRecords", &service::Parameter::name);
  if (test != filters.end()) asked.push_back(*test);
  const auto& list = service::operation_of(pull_.list);
  if (!state_.pages)
    state_.pages.emplace(list, asked, std::nullopt, now, PageBounds{pull_.limit, kPagesMax});
  auto answer = state_.pages->step(context_.api(), now);
  if (auto* trouble = std::get_if<service::Trouble>(&answer)) {
    // Until the next page of this list is answered, more of them may move.
    if (state_.pages->pages() > 0) state_.moved = true;
    return std::move(*trouble);
  }
  auto* read = std::get_if<PageWalk::Read>(&answer);
  if (read == nullptr) {
    state_.moved = true;
    return true;
  }
  auto pages = std::exchange(state_.pages, std::nullopt);  // if the database fails now: from anew
  const auto listed = drop_unrequested(std::move(read->page.records), asked).records;
  const auto stored =
      crm::stored_records(context_.database(), list.item, keys_after(listed, walk, plan_));
  // What cannot be read may have moved.
  const bool moved = !read->page.unreadable.empty() || were_inside(stored, walk, plan_);
  if (!moved && !read->last) {
    state_.pages = std::move(pages);
    return false;
  }
  state_.moved = moved;
  return true;
}

bool MoveCheck::take_moved(const crm::StoredWalk& walk) {
  const bool moved = state_.window == walk.window_to && state_.moved.value_or(false);
  state_ = {};
  return moved;
}

}  // namespace surveybridge::daemon
