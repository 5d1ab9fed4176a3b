#include "daemon/lists/page_walk.hpp"

#include <utility>

#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

constexpr int kLimit = 100;
// A window has an end so that it can be divided; its last part is asked for without one.
constexpr std::chrono::days kFarAhead{3650};

std::optional<TimePoint> to_of(const crm::StoredWalk& walk) {
  const bool is_last = !walk.whole_to || walk.whole_to == walk.window_to;
  return is_last ? std::nullopt : walk.window_to;
}

}  // namespace

PageWalk::PageWalk(const service::ListOperation& list, std::vector<service::Parameter> filters,
                   std::optional<Since> since, TimePoint now)
    : list_(&list), filters_(std::move(filters)), since_(std::move(since)), begun_(now) {
  begin_again();
}

void PageWalk::begin_again() {
  walk_ = {};
  if (since_) {
    walk_.window_from = since_->from;
    walk_.window_to = begun_ + kFarAhead;
  }
  walk_ = first_page(std::move(walk_), begun_);
  history_ = {};
  pages_ = 0;
}

std::vector<service::Parameter> PageWalk::asked(bool before) const {
  auto all = filters_;
  if (!since_) return all;
  all.push_back(
      {since_->date + "Filter", before ? second_before(walk_, around_.before())
                                       : service::DateFilter{walk_.window_from, to_of(walk_)}});
  return all;
}

PageWalk::Answer PageWalk::step(service::Api& api, TimePoint now) {
  const bool before = std::exchange(asks_before_, false);
  const std::string cursor = before ? "" : walk_.cursor;
  auto answer = api.page(*list_, asked(before), cursor, kLimit, now, {}, service::Bare::taken);
  if (auto* trouble = std::get_if<Trouble>(&answer)) {
    if (!before) return after_trouble(api, std::move(*trouble));
    around_.unanswered();
    return std::move(*trouble);
  }
  if (before) {
    around_.answered();
    return Nothing{true};
  }
  around_.succeeded();
  auto& page = std::get<mapping::Page>(answer);
  const BareEnd::Place place{walk_.window_from, walk_.window_to, walk_.pages};
  const bool doubted = page.bare && (!cursor.empty() || bare_end_.has_met(place));
  if (doubted && !bare_end_.is_believed(place, now)) {
    if (walk_.pages > 0) around_.read_part();
    begin_again();
    return Restarted{bare_end_.is_stuck(), std::string(kBareEnd), bare_end_.wait()};
  }
  return after_page(std::move(page));
}

PageWalk::Answer PageWalk::after_page(mapping::Page page) {
  ++pages_;
  Read read{std::move(page)};
  if (walk_.whole_to) read.border = walk_.window_from;
  switch (history_.take(walk_.cursor, read.page)) {
    case PageHistory::Next::page:
      walk_ = daemon::after_page(std::move(walk_), read.page.next_cursor, begun_);
      return read;
    case PageHistory::Next::end:
      around_.read_part();
      read.last = !next_part();
      return read;
    case PageHistory::Next::begin_again:
      return restarted(history_.why());
    case PageHistory::Next::endless:
    case PageHistory::Next::unusable:
      break;
  }
  return Endless{history_.why()};
}

// Where the list answers but for this page, the rest is read around it.
PageWalk::Answer PageWalk::after_trouble(const service::Api& api, Trouble trouble) {
  const auto retry = retry_after(Operation::search, trouble, !walk_.cursor.empty());
  if (retry.then == Retry::Then::start_again)
    return restarted("its list ends before it was read: " + trouble.detail);
  history_.lose_page();
  const bool divisible = is_open(walk_) && is_divisible(walk_, shortest_part(api.dialect()));
  const auto next = around_.after(trouble, divisible);
  if (next == ReadAround::Next::wait) return trouble;
  if (!is_open(walk_)) return Unanswered{std::move(trouble)};
  asks_before_ = next == ReadAround::Next::ask_before;
  if (asks_before_) return Nothing{};
  history_ = {};
  if (auto part = divided(walk_, kPartsOfTrouble, begun_, shortest_part(api.dialect()))) {
    walk_ = *std::move(part);
    return Nothing{};
  }
  around_.left_out();
  left_out_ = daemon::left_out(walk_, since_->date, trouble);
  if (next_part()) return Nothing{};
  return Read{{}, true};
}

// Returns whether there is another part after the one that is open.
bool PageWalk::next_part() {
  history_ = {};
  walk_ = daemon::after_page(std::move(walk_), "", begun_);
  return is_open(walk_);
}

PageWalk::Answer PageWalk::restarted(const std::string& why) {
  const bool stuck = restarts_.no_further(pages_);
  begin_again();
  return Restarted{stuck, why};
}

}  // namespace surveybridge::daemon
