#include "daemon/pull/move_check.hpp"

#include <algorithm>

#include "connectors/crm/pulled/stored_records.hpp"
#include "daemon/lists/filter_check.hpp"
#include "daemon/lists/page_history.hpp"
#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kPagesMax = 5;

}  // namespace

bool MoveCheck::is_due(const crm::StoredWalk& walk, const mapping::Page& page) const {
  const bool answered = state_.moved && state_.window == walk.window_to;
  return !answered && needs_move_check(walk, page.next_cursor);
}

MoveCheck::Answer MoveCheck::step(const crm::StoredWalk& walk,
                                  const std::vector<service::Parameter>& filters, TimePoint now) {
  if (state_.window != walk.window_to || state_.moved) state_ = Walk{walk.window_to};
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read}))
    return Later{*later};
  const RequestSlot slot(context_.pace(), RequestClass::read);
  std::vector<service::Parameter> asked{moved_since(walk, plan_)};
  const auto test = std::ranges::find(filters, "IncludeTestRecords", &service::Parameter::name);
  if (test != filters.end()) asked.push_back(*test);
  const auto& list = service::operation_of(pull_.list);
  auto answer = context_.api().page(list, asked, state_.cursor, pull_.limit, now, {},
                                    service::Bare::taken);  // several pages have had their list
  if (auto* trouble = std::get_if<service::Trouble>(&answer))
    return after_trouble(std::move(*trouble));
  auto& page = std::get<mapping::Page>(answer);
  const bool last = page.next_cursor.empty();
  const bool usable = page.next_cursor.size() <= kCursorBytesMax;
  const auto listed = drop_unrequested(std::move(page.records), asked).records;
  const auto stored =
      crm::stored_records(context_.database(), list.item, keys_after(listed, walk, plan_));
  // What cannot be read, or comes on a page after so many, may have moved.
  const bool moved = !page.unreadable.empty() || were_inside(stored, walk, plan_);
  state_.cursor = page.next_cursor;
  if (!moved && !last && usable && ++state_.pages < kPagesMax) return NextPage{};
  failures_ = 0;
  state_.moved = moved || !last;
  return Done{};
}

// A window that is read again because of this is not read for ever: it is left to the next one or
// read in parts, both so often only (PullJob::next_state).
MoveCheck::Answer MoveCheck::after_trouble(service::Trouble trouble) {
  const Retry retry = retry_after(Operation::page, trouble, !state_.cursor.empty());
  const auto many = failures_max(trouble);
  if (many) ++failures_;
  if (retry.then == Retry::Then::start_again || (many && failures_ >= *many)) {
    state_.moved = true;
    return Done{};
  }
  state_ = {};
  return trouble;
}

bool MoveCheck::take_moved(const crm::StoredWalk& walk) {
  const bool moved = state_.window == walk.window_to && state_.moved.value_or(false);
  state_ = {};
  return moved;
}

}  // namespace surveybridge::daemon
