#include "daemon/lists/page_walk.hpp"

#include <fmt/format.h>

#include "mapping/tables/tables.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

constexpr int kWithoutListMax = 3;
// So many parts of a window whose pages fail or whose cursor expires.
constexpr std::int64_t kPartsOfTrouble = 8;
// A window has an end so that it can be divided; its last part is asked for without one.
constexpr std::chrono::days kFarAhead{3650};
constexpr TimePoint kLongAgo{std::chrono::sys_days{std::chrono::year{2000} / 1 / 1}};
// The longer a bare end lasts, the longer are the waits between two readings.
constexpr Duration kFirstWait = std::chrono::seconds{30};

std::size_t hash(std::string_view text) {
  return std::hash<std::string_view>{}(text);
}

// Of the keys of its records, in their order.
std::size_t content_of(const mapping::Page& page) {
  std::string keys;
  for (const auto& record : page.records) {
    const auto key = mapping::key_of(record);
    if (const auto* number = std::get_if<std::int64_t>(&key)) keys += std::to_string(*number);
    if (const auto* text = std::get_if<std::string>(&key)) keys += *text;
    keys += '\n';
  }
  for (const auto& each : page.unreadable)
    keys += each.raw + '\n';
  return hash(keys);
}

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

bool is_divisible(const crm::StoredWalk& walk, Duration shortest) {
  return is_open(walk) && *walk.window_to - *walk.window_from > shortest;
}

// A second in which little or nothing is listed, so far before the window.
service::DateFilter second_before(const crm::StoredWalk& walk, Duration far) {
  const TimePoint before = *walk.window_from - far;
  return {before - std::chrono::seconds{1}, before};
}

}  // namespace

std::string problem_of_cursor(std::string_view cursor) {
  if (cursor.size() > kCursorBytesMax)
    return fmt::format("the next cursor has {} bytes, more than {}", cursor.size(),
                       kCursorBytesMax);
  if (cursor.find(mapping::kNoText) != cursor.npos)
    return "the next cursor is no text, or has a byte that is none";
  return "";
}

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

// Whether an answer without a list is an empty one is judged by prove_empty().
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

PageHistory::Next PageHistory::take(std::string_view cursor, const mapping::Page& page) {
  cursors_.insert(hash(cursor));
  cursor_problem_ = problem_of_cursor(page.next_cursor);
  const bool empty = page.records.empty() && page.unreadable.empty();
  const bool repeated = !empty && !contents_.insert(content_of(page)).second;
  const bool brings_nothing = empty || repeated;
  empty_ = brings_nothing ? empty_ + (empty ? 1 : 0) : 0;
  repeated_ = brings_nothing ? repeated_ + (repeated ? 1 : 0) : 0;
  if (page.next_cursor.empty()) return comes_again_ && lost_ ? Next::begin_again : Next::end;
  if (!cursor_problem_.empty()) return Next::unusable;
  comes_again_ = comes_again_ || cursors_.contains(hash(page.next_cursor));
  if (comes_again_ && lost_) return Next::begin_again;
  return empty_ >= kEmptyMax || repeated_ >= kRepeatedMax ? Next::endless : Next::page;
}

std::string PageHistory::why() const {
  if (!cursor_problem_.empty()) return cursor_problem_;
  if (comes_again_ && lost_) return "a cursor came again, and a page of it may have been lost";
  if (empty_ >= kEmptyMax)
    return fmt::format("the list does not end: {} pages after the last new record are empty",
                       empty_);
  return fmt::format("the list does not end: {} pages after the last new record show others again",
                     repeated_);
}

bool BareEnd::is_believed(const crm::StoredWalk& place, TimePoint now) {
  const auto [of_part, is_new] = met_.try_emplace(part_of(place), Met{place.pages, now});
  Met& met = of_part->second;
  const bool is_elsewhere = met.pages != place.pages;
  if (is_elsewhere || !met.since || now < *met.since) met = {place.pages, now};
  const Duration lasted = now - *met.since;
  if (lasted >= kApart) {
    tries_ = 0;
    return true;
  }
  if ((is_new || is_elsewhere) && place.pages > 0) ++tries_;
  wait_ = std::min<Duration>(kApart - lasted, std::max(kFirstWait, lasted));
  return false;
}

// A part that ends by its cursor before that place does not end without a list either.
void BareEnd::passed(const crm::StoredWalk& place, bool is_last) {
  const auto of_part = met_.find(part_of(place));
  if (of_part == met_.end()) return;
  Met& met = of_part->second;
  if (is_last || met.pages <= place.pages) met.since.reset();
}

PageWalk::PageWalk(const service::ListOperation& list, std::vector<service::Parameter> filters,
                   std::optional<Since> since, TimePoint now, const PageBounds& bounds)
    : list_(&list),
      filters_(std::move(filters)),
      date_(since ? since->date : ""),
      from_(since ? std::optional(since->from) : std::nullopt),
      begun_(now),
      bounds_(bounds),
      is_stored_(false) {
  begin_again();
}

PageWalk::PageWalk(const service::ListOperation& list, std::vector<service::Parameter> filters,
                   std::string date, const PageBounds& bounds)
    : list_(&list),
      filters_(std::move(filters)),
      date_(std::move(date)),
      bounds_(bounds),
      is_stored_(true) {}

PageWalk::Answer PageWalk::step(service::Api& api, TimePoint now) {
  if (asks_before_) return ask_before(api, now);
  auto answer = ask(api, now);
  if (auto* trouble = std::get_if<Trouble>(&answer)) return after_trouble(api, std::move(*trouble));
  auto& page = std::get<mapping::Page>(answer);
  if (auto again = doubt(page, now)) return *std::move(again);
  const auto border = walk_.whole_to ? walk_.window_from : std::nullopt;
  const auto follows = follow(page);
  if (follows == PageHistory::Next::page) return Read{std::move(page), false, border};
  if (follows == PageHistory::Next::end) return Read{std::move(page), !is_open(walk_), border};
  auto turned = turn_back(api, follows);
  if (auto* endless = std::get_if<Endless>(&turned)) endless->page = std::move(page);
  return turned;
}

void PageWalk::stand_at(crm::StoredWalk place, TimePoint db_now) {
  const bool goes_on = !place.cursor.empty() && place.cursor == walk_.cursor &&
                       place.window_to == walk_.window_to && place.pages == walk_.pages;
  if (!goes_on) history_ = {};
  if (!goes_on && !place.cursor.empty()) history_.lose_page();
  walk_ = std::move(place);
  begun_ = db_now;
}

std::vector<service::Parameter> PageWalk::asked_of(const crm::StoredWalk& place) const {
  auto asked = filters_;
  if (date_.empty()) return asked;
  const bool has_end = is_stored_ || (place.whole_to && place.whole_to != place.window_to);
  asked.push_back(
      {date_ + "Filter",
       service::DateFilter{place.window_from, has_end ? place.window_to : std::nullopt}});
  return asked;
}

PageWalk::Answer PageWalk::ask_before(service::Api& api, TimePoint now) {
  asks_before_ = false;
  auto asked = filters_;
  asked.push_back({date_ + "Filter", second_before(walk_, around_.before())});
  auto answer = api.page(*list_, std::move(asked), "", 1, now, {}, bounds_.bare);
  if (auto* trouble = std::get_if<Trouble>(&answer)) {
    around_.unanswered();
    return std::move(*trouble);
  }
  around_.answered();
  return Nothing{.answered = true};
}

std::variant<mapping::Page, Trouble> PageWalk::ask(service::Api& api, TimePoint now) const {
  if (walk_.cursor.size() > kCursorBytesMax)  // an earlier version has stored it
    return Trouble{Trouble::Kind::rejected, 414, std::nullopt, "it is too long"};
  return api.page(*list_, asked_of(walk_), walk_.cursor, bounds_.limit, now, {}, bounds_.bare);
}

// Where the list answers but for this page, the rest is read around it.
PageWalk::Answer PageWalk::after_trouble(const service::Api& api, Trouble trouble) {
  proved_.reset();
  const auto retry = retry_after(Operation::search, trouble, !walk_.cursor.empty());
  if (retry.then == Retry::Then::start_again)
    return restarted(api, retry.fault,
                     "the list ends before it was read: the service no longer knows the cursor: " +
                         std::string(to_string(trouble.kind)) + ": " + trouble.detail);
  history_.lose_page();
  if (service::is_without_list(trouble) && ++without_list_ == kWithoutListMax) {
    without_list_ = 0;
    return Unanswered{std::move(trouble)};
  }
  const auto next = around_.after(trouble, is_divisible(walk_, shortest_part(api.dialect())));
  if (next == ReadAround::Next::wait) return trouble;
  if (!is_open(walk_)) return Unanswered{std::move(trouble)};
  if (next == ReadAround::Next::divide) return read_around(api, trouble);
  asks_before_ = true;
  return Nothing{};
}

// The window is read in parts, down to the one that is not answered: that one is left out. Where it
// is answered, and the answer says that it is not whole, it is asked for again.
PageWalk::Answer PageWalk::read_around(const service::Api& api, const Trouble& trouble) {
  if (service::is_not_whole(trouble) && !is_divisible(walk_, shortest_part(api.dialect())))
    return trouble;
  begin_part();
  if (auto part = divided(walk_, kPartsOfTrouble, begun_, shortest_part(api.dialect()))) {
    walk_ = *std::move(part);
    return Nothing{.divides = true};
  }
  around_.left_out();
  left_out_ = "the service does not answer for what it lists by " + date_ + " from " +
              mapping::write_instant(*walk_.window_from) + " to " +
              mapping::write_instant(*walk_.window_to) + " (" + trouble.detail + ")";
  walk_ = after_page(std::move(walk_), "", begun_);
  if (is_open(walk_)) return Nothing{.leaves_out = true};
  return Read{{}, true};
}

std::optional<PageWalk::Restarted> PageWalk::doubt(const mapping::Page& page, TimePoint now) {
  if (!page.bare) proved_.reset();
  const bool is_doubted = page.bare && (!walk_.cursor.empty() || bare_end_.has_met(walk_));
  if (!is_doubted || bare_end_.is_believed(walk_, now)) return std::nullopt;
  if (!is_stored_ && walk_.pages > 0) around_.read_part();
  if (bare_end_.is_stuck()) furthest_ = std::max(furthest_, pages());
  begin_again();
  return Restarted{bare_end_.is_stuck(), "its list ends with an answer without a list",
                   bare_end_.wait()};
}

std::variant<bool, Trouble> PageWalk::prove_empty(service::Api& api, TimePoint now,
                                                  const std::function<bool()>& has_records) {
  auto something = lists_something(api, now);
  const bool is_last = std::exchange(asks_customers_, false) ||
                       (list_ == &service::customers() && date_ == "LastActivityDate");
  if (auto* trouble = std::get_if<Trouble>(&something)) return std::move(*trouble);
  if (!std::get<bool>(something)) {
    asks_customers_ = !is_last;
    if (asks_customers_) return false;
    if (has_records())
      return service::without_list(*list_,
                                   "; nor does the service list anything that was listed before");
  }
  proved_ = walk_.cursor;
  history_.lose_page();
  return true;
}

// A record from the widest window.
std::variant<bool, Trouble> PageWalk::lists_something(service::Api& api, TimePoint now) const {
  const auto& list = asks_customers_ ? service::customers() : *list_;
  const std::string date = asks_customers_ ? "LastActivityDate" : date_;
  const service::Parameter window{date + "Filter", service::DateFilter{kLongAgo, now}};
  auto answer = api.page(list, {window}, "", 1, now, {}, service::Bare::taken);
  if (auto* trouble = std::get_if<Trouble>(&answer)) return std::move(*trouble);
  const auto& page = std::get<mapping::Page>(answer);
  if (page.bare) return false;
  // Behind a cursor there may be more.
  if (!page.records.empty() || !page.unreadable.empty() || !page.next_cursor.empty()) return true;
  if (asks_customers_) return false;
  return service::without_list(list,
                               ", though the service lists nothing as an empty list elsewhere");
}

PageHistory::Next PageWalk::follow(const mapping::Page& page) {
  using Next = PageHistory::Next;
  proved_.reset();
  around_.succeeded();
  without_list_ = 0;
  if (!page.bare) bare_end_.passed(walk_, page.next_cursor.empty());
  const auto follows = history_.take(walk_.cursor, page);
  if (follows == Next::page && pages() + 1 >= bounds_.pages) return Next::too_many;
  if (follows != Next::page && follows != Next::end) return follows;
  ++pages_;
  walk_ = after_page(std::move(walk_), page.next_cursor, begun_);
  if (follows == Next::page) return follows;
  around_.read_part();
  begin_part();
  return follows;
}

PageWalk::Answer PageWalk::turn_back(const service::Api& api, PageHistory::Next follows) {
  using Next = PageHistory::Next;
  if (follows == Next::begin_again)
    return restarted(api, JobStatus::Fault::unreachable, history_.why());
  if (follows == Next::unusable && is_stored_)
    return restarted(api, JobStatus::Fault::person, history_.why());
  if (follows == Next::too_many)
    return Endless{fmt::format("the list does not end: {} pages in one {}", pages() + 1,
                               is_stored_ ? "window (max_pages)" : "walk"),
                   {}};
  Endless endless{history_.why(), {}};
  furthest_ = std::max(furthest_, pages());
  if (is_stored_) begin_again();
  return endless;
}

void PageWalk::read_again(const service::Api& api, const crm::StoredWalk& read,
                          bool with_the_next) {
  if (with_the_next) {
    walk_.watermark = read.watermark;
  } else {
    divide(api, read, read.pages + 1);
  }
}

// A stored walk that gets no further is read in parts, a few times.
PageWalk::Answer PageWalk::restarted(const service::Api& api, JobStatus::Fault fault,
                                     const std::string& why) {
  const bool is_stuck = !is_further();
  furthest_ = std::max(furthest_, pages());
  const bool reads_parts = is_stored_ && (is_stuck || walk_.whole_to);
  if (reads_parts && divide(api, walk_, kPartsOfTrouble)) return Nothing{.divides = true};
  if (reads_parts) divisions_left_ = 1;  // after the wait it is divided further
  begin_again();
  return Restarted{is_stuck || reads_parts, why, {}, fault};
}

// False: that does not help, and the walk stands where it stood.
bool PageWalk::divide(const service::Api& api, const crm::StoredWalk& walk, std::int64_t parts) {
  if (divisions_left_ == 0) return false;
  auto part = divided(walk, parts, begun_, shortest_part(api.dialect()));
  if (!part) return false;
  --divisions_left_;
  walk_ = *std::move(part);
  begin_part();
  return true;
}

// The pages before a part are no part of its history.
void PageWalk::begin_part() {
  history_ = {};
  if (is_stored_) furthest_ = 0;
}

void PageWalk::begin_again() {
  history_ = {};
  pages_ = 0;
  if (is_stored_) {
    walk_ = start_again(std::move(walk_));
    return;
  }
  walk_ = {};
  walk_.window_from = from_;
  if (from_) walk_.window_to = begun_ + kFarAhead;
  walk_ = first_page(std::move(walk_), begun_);
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
