#include "daemon/lists/page_walk.hpp"

#include <utility>

namespace surveybridge::daemon {

namespace {

using service::Trouble;

constexpr int kWithoutListMax = 3;
// A window has an end so that it can be divided; its last part is asked for without one.
constexpr std::chrono::days kFarAhead{3650};

std::optional<TimePoint> to_of(const crm::StoredWalk& walk) {
  const bool is_last = !walk.whole_to || walk.whole_to == walk.window_to;
  return is_last ? std::nullopt : walk.window_to;
}

}  // namespace

PageWalk::PageWalk(const service::ListOperation& list, std::vector<service::Parameter> filters,
                   std::optional<Since> since, TimePoint now, const PageBounds& bounds)
    : list_(&list),
      filters_(std::move(filters)),
      since_(std::move(since)),
      begun_(now),
      bounds_(bounds) {
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
  auto answer = api.page(*list_, asked(before), cursor, bounds_.limit, now, {}, bounds_.bare);
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
  without_list_ = 0;
  auto& page = std::get<mapping::Page>(answer);
  const BareEnd::Place place{walk_.window_from, walk_.window_to, walk_.pages};
  const bool doubted = page.bare && (!cursor.empty() || bare_end_.has_met(place));
  if (doubted && !bare_end_.is_believed(place, now)) {
    if (walk_.pages > 0) around_.read_part();
    begin_again();
    return Restarted{bare_end_.is_stuck(), std::string(kBareEnd), bare_end_.wait()};
  }
  if (!page.bare) bare_end_.passed(place, page.next_cursor.empty());
  return after_page(std::move(page));
}

PageWalk::Answer PageWalk::after_page(mapping::Page page) {
  ++pages_;
  Read read{std::move(page)};
  if (walk_.whole_to) read.border = walk_.window_from;
  switch (history_.take(walk_.cursor, read.page)) {
    case PageHistory::Next::page:
      if (pages_ >= bounds_.pages)
        return Endless{
            "the list does not end: it has more than " + std::to_string(pages_) + " pages",
            std::move(read.page)};
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
  return Endless{history_.why(), std::move(read.page)};
}

// Where the list answers but for this page, the rest is read around it.
PageWalk::Answer PageWalk::after_trouble(const service::Api& api, Trouble trouble) {
  const auto retry = retry_after(Operation::search, trouble, !walk_.cursor.empty());
  if (retry.then == Retry::Then::start_again)
    return restarted("its list ends before it was read: " + trouble.detail);
  history_.lose_page();
  if (service::is_without_list(trouble) && ++without_list_ == kWithoutListMax) {
    without_list_ = 0;
    return Unanswered{std::move(trouble)};
  }
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

std::optional<TimePoint> when_again(const PageWalk::Answer& answer, RetryState& retry,
                                    TimePoint now) {
  const auto* unanswered = std::get_if<PageWalk::Unanswered>(&answer);
  const auto* trouble =
      unanswered == nullptr ? std::get_if<Trouble>(&answer) : &unanswered->trouble;
  if (trouble != nullptr)
    return retry.failed(retry_after(Operation::search, *trouble), *trouble, now);
  if (const auto* restarted = std::get_if<PageWalk::Restarted>(&answer)) {
    if (!restarted->stuck) return now + restarted->wait;
    retry.report(JobStatus::Fault::unreachable, restarted->why);
    return retry.wait(now);
  }
  const auto* nothing = std::get_if<PageWalk::Nothing>(&answer);
  if (nothing == nullptr) return std::nullopt;
  if (nothing->answered) retry.rested();
  return now;
}

}  // namespace surveybridge::daemon
