#include "daemon/pull/pull_job.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include <fmt/ranges.h>

#include "config/service_list.hpp"
#include "connectors/crm/erasure/prune.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/report/history_prune.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/lists/filter_check.hpp"
#include "daemon/pull/retention.hpp"
#include "daemon/pull/unwritten_log.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

constexpr Duration kLeaseWait = std::chrono::seconds{5};
constexpr const char* kStartsAgain = ", and the window starts again";
constexpr const char* kCursorExpired = "the service no longer knows the cursor";

}  // namespace

PullJob::PullJob(const config::Pull& pull, WalkPlan plan, const Shared& shared, std::uint64_t seed)
    : pull_(pull),
      plan_(std::move(plan)),
      name_("pull." + pull.name + "." + plan_.name),
      list_(service::operation_of(pull.list)),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed),
      unreadable_(shared.log, name_, shared.environment.uptime),
      moves_(pull, plan_, name_, context_),
      bare_(list_, plan_.by, name_, context_),
      report_(shared.log, name_) {
  status_.unit = pull.name;
}

TimePoint PullJob::step(TimePoint now) {
  status_.caught_up = false;
  const Requester requester{name_, RequestClass::read};
  if (const auto later = context_.once() ? std::nullopt : context_.pace().held(now, requester))
    return *later;
  context_.open();
  if (!tables_)
    tables_.emplace(context_.database(), list_.item, pull_.writes,
                    context_.settings().crm.time_zone, crm::report_shape(context_.settings()),
                    context_.is_apart() ? crm::CrmPlace::apart : crm::CrmPlace::here);

  const bool renews = report_.step(*tables_, now);
  auto after = after_last_page();
  if (!after) seals_.reset();
  const TimePoint db_now = after ? after->db_now : context_.database().now();
  crm::StoredWalk walk = after ? std::move(after->walk) : tables_->load(pull_.name, plan_.name);
  if (const TimePoint at = due(walk, db_now); at > db_now) {
    if (renews) return now;
    status_.caught_up = true;
    if (at == kNever) return kNever;
    return report_.next_step(*tables_, now, now + (at - db_now));
  }
  if (!after && !take_lease()) return now + kLeaseWait;  // another instance walks this list
  if (walk.cursor.size() > kCursorBytesMax)              // an earlier version has stored it
    return begin_again(walk, JobStatus::Fault::person, kCursorExpired, now);
  auto fetched = ahead_.take(walk, now);
  if (!fetched) {
    if (const auto later = context_.pace().attempt(now, requester)) return *later;
    const RequestSlot slot(context_.pace(), RequestClass::read);
    if (const auto later = learn_filters(now)) return *later;
    if (!is_open(walk)) {
      opened_ = true;  // one left open by an earlier run does not count
      asked_for_ = false;
    }
    walk = open_window(std::move(walk), plan_, context_.settings().crm.time_zone, db_now);
    if (std::exchange(window_.asks_before, false)) return ask_before(walk, now);
    fetched = {with_persons(context_.api().page(list_, asked_of(walk), walk.cursor, pull_.limit,
                                                now, {}, service::Bare::taken)),
               now};
  }
  if (const auto* trouble = std::get_if<Trouble>(&fetched->answer))
    return handle_trouble(*trouble, walk, now);
  auto& pulled = std::get<PulledPage>(fetched->answer);
  if (pulled.page.bare) {
    const BareEnd::Place place{walk.window_from, walk.window_to, walk.pages};
    const bool doubted = !walk.cursor.empty() || window_.bare_end.has_met(place);
    if (doubted && !window_.bare_end.is_believed(place, now)) return doubt_end(walk, now);
    const auto answer = bare_.step(walk, now);
    if (const auto* later = std::get_if<BareAnswer::Later>(&answer)) {
      tables_->save({}, walk, lease_);  // the page is of this window
      ahead_.keep(walk, *std::move(fetched));
      return later->at;
    }
    if (std::holds_alternative<BareAnswer::AskAgain>(answer)) {
      if (read_) read_->history.lose_page();
      return now;
    }
    if (const auto* trouble = std::get_if<Trouble>(&answer))
      return handle_trouble(*trouble, walk, now);
  } else {
    bare_.forget();
  }
  if (moves_.is_due(walk, pulled.page)) {
    ahead_.drop();  // so that its connection to the service is free
    if (const auto later = check_moves(walk, now)) {
      ahead_.keep(walk, *std::move(fetched));
      return *later;
    }
  }
  return store(std::move(pulled), walk, now, db_now);
}

std::vector<service::Parameter> PullJob::asked_of(const crm::StoredWalk& walk) const {
  auto asked = *filters_;
  asked.push_back(window_of(walk, plan_));
  return asked;
}

// Begins to fetch the pages from the place at which `next` stands, as far as the pace allows. Does
// nothing if the window is at its end, or without `run_beside`.
void PullJob::fetch_ahead(const crm::StoredWalk& next, const std::string& hash_key) {
  if (!is_open(next)) return;
  ahead_.begin(context_.environment().run_beside, next,
               [this, asked = asked_of(next),
                hash_key](const std::string& cursor) -> std::optional<FetchAhead::Fetched> {
                 Pace& pace = context_.pace();
                 const TimePoint now = pace.wall();
                 if (pace.attempt(now, {name_, RequestClass::read})) return std::nullopt;
                 const RequestSlot slot(pace, RequestClass::read);
                 auto answer = context_.api().page(list_, asked, cursor, pull_.limit, now, {},
                                                   service::Bare::taken);
                 return FetchAhead::Fetched{with_persons(std::move(answer), hash_key), now};
               });
}

PageHistory::Next PullJob::take_page(const crm::StoredWalk& walk, const mapping::Page& page) {
  bool lost = ahead_.take_lost();
  if (!read_ || read_->window != walk.window_to || walk.cursor.empty()) {
    read_ = ReadPages{walk.window_to, {}};
    // Those before this one have been read by another process, which may have asked for this one.
    lost = !walk.cursor.empty();
  }
  if (lost) read_->history.lose_page();
  return read_->history.take(walk.cursor, page);
}

// Appends the pages after this one that are there already, to be stored with it; not the last one
// of the window. A page with unreadable records is stored alone, because a later page may have read
// one of them. `next`: the state of the walk after this page, then after those; `listed`: how many
// records each page has.
void PullJob::append_ready(PulledPage& pulled, crm::StoredWalk& next,
                           std::vector<std::size_t>& listed, TimePoint now, TimePoint db_now) {
  const auto suits = [&](const PulledPage& page) {
    return page.page.unreadable.empty() && !page.page.next_cursor.empty() &&
           take_page(next, page.page) == PageHistory::Next::page;
  };
  while (listed.size() < FetchAhead::kPagesMax) {
    if (!is_open(next) || next.pages + 1 >= pull_.max_pages || !pulled.page.unreadable.empty())
      return;
    if (pulled.page.bytes >= FetchAhead::kBytesMax) return;
    auto page = ahead_.take_ready(next, now, suits);
    if (!page) return;
    listed.push_back(page->listed());
    next = next_state(next, page->page.next_cursor, db_now);
    pulled.append(*std::move(page));
  }
}

// Returns when to go on; empty: it is known whether a record left the window.
std::optional<TimePoint> PullJob::check_moves(const crm::StoredWalk& walk, TimePoint now) {
  const auto answer = moves_.step(walk, *filters_, now);
  if (const auto* later = std::get_if<MoveCheck::Later>(&answer)) return later->at;
  if (const auto* trouble = std::get_if<Trouble>(&answer))
    return retry_.failed(retry_after(Operation::page, *trouble, false), *trouble, now);
  if (!std::holds_alternative<MoveCheck::Done>(answer)) return now;
  retry_.succeeded(window_.left_out);
  return std::nullopt;
}

// When the next page is due, by the database's clock: at once within a window; between windows
// after `every`, or when a person asks for it. `sync` opens one window only, and a backfill has
// only one: then kNever.
TimePoint PullJob::due(const crm::StoredWalk& walk, TimePoint db_now) const {
  if (is_open(walk)) return db_now;
  if (plan_.only) return walk.finished_at ? kNever : db_now;
  if (context_.once()) return walked_ ? kNever : db_now;
  return asked_for_ ? db_now : next_window(walk, plan_, db_now);
}

std::optional<TimePoint> PullJob::learn_filters(TimePoint now) {
  if (filters_) return std::nullopt;
  std::vector<mapping::DataColumn> columns;
  if (name_columns(plan_.filters)) {
    auto listed = context_.api().data_columns(now);
    if (const auto* trouble = std::get_if<Trouble>(&listed))
      return handle_trouble(*trouble, {}, now);
    columns = mapping::to_data_columns(std::get<std::vector<mapping::Record>>(std::move(listed)));
  }
  auto made = parameters_of(plan_.filters, columns, context_.settings().crm.time_zone);
  if (const auto* problem = std::get_if<std::string>(&made)) {
    retry_.report(JobStatus::Fault::configuration, *problem);
    return now + kBackoffMax;
  }
  filters_ = std::get<std::vector<service::Parameter>>(std::move(made));
  return std::nullopt;
}

// Each page confirms the lease when it is stored. Until half of its time is over, nobody else walks
// this list, and the walk stands where that page has left it.
std::optional<PullJob::Standing> PullJob::after_last_page() {
  auto last = std::exchange(last_page_, std::nullopt);
  if (!last || !is_open(last->walk) || !lease_) return std::nullopt;
  const TimePoint db_now = last->at + (context_.environment().uptime() - last->uptime);
  if (lease_->expires_at <= db_now + lease_duration(context_.settings()) / 2) return std::nullopt;
  return Standing{std::move(last->walk), db_now};
}

bool PullJob::take_lease() {
  crm::Leases leases(context_.database());
  lease_ = leases.take(name_, context_.environment().owner, lease_duration(context_.settings()));
  return lease_.has_value();
}

void PullJob::leave() {
  if (!lease_) return;
  crm::Leases(context_.database()).release(*lease_);
  lease_.reset();
}

// Stores this page, and those after it that are there already.
TimePoint PullJob::store(PulledPage pulled, const crm::StoredWalk& walk, TimePoint now,
                         TimePoint db_now) {
  const auto follows = take_page(walk, pulled.page);
  if (follows == PageHistory::Next::endless) {
    retry_.report(JobStatus::Fault::person, read_->history.why());
    window_.restarts.no_further(walk.pages);
    tables_->save({}, start_again(walk), lease_);
    return context_.once() ? kNever : now + kBackoffMax;
  }
  if (follows == PageHistory::Next::unusable)
    return begin_again(walk, JobStatus::Fault::person, read_->history.why(), now);
  if (follows == PageHistory::Next::begin_again)
    return begin_again(walk, JobStatus::Fault::unreachable, read_->history.why(), now);
  std::vector<std::size_t> listed{pulled.listed()};
  crm::StoredWalk next = next_state(walk, pulled.page.next_cursor, db_now);
  if (is_open(next) && next.pages >= pull_.max_pages) {
    retry_.report(JobStatus::Fault::person, "the list does not end: " + std::to_string(next.pages) +
                                                " pages in one window (max_pages)");
    return now + kBackoffMax;
  }
  append_ready(pulled, next, listed, now, db_now);
  if (!pulled.page.bare) {
    const auto last = walk.pages + static_cast<std::int64_t>(listed.size()) - 1;
    window_.bare_end.passed({walk.window_from, walk.window_to, last}, next.cursor.empty());
  }
  // Pages that cannot be stored are read again: then they must not be taken for repeated ones.
  auto read = std::exchange(read_, std::nullopt);
  auto requested = drop_unrequested(std::move(pulled.page.records), filters_for(walk, db_now));
  window_.ignored.insert(requested.ignored.begin(), requested.ignored.end());
  next.ignored = describe_window(walk, is_open(next));
  save(pulled, std::move(requested), next, db_now);
  read_ = std::move(read);
  bare_.forget();
  for (const std::size_t records : listed)
    context_.recorder().page(pull_.name, plan_.name, records);
  report_.tell(*tables_);
  window_.around.succeeded();
  if (!is_open(next) || window_.restarts.past(next.pages)) {
    retry_.succeeded(next.ignored.empty() ? window_.left_out
                                          : "the service ignores " + next.ignored +
                                                ": what it lists from outside is not stored");
  }
  if (is_open(next)) return now;
  if (pull_.keep) {
    crm::prune(context_.database(), list_.item, age_field(pull_.list), db_now - *pull_.keep);
  }
  prune_history(db_now);
  close_window();
  return status_.caught_up && !asked_for_ ? report_.next_step(*tables_, now, now + plan_.every)
                                          : now;
}

// Stores these records of the page and what else it says, while the pages after it are fetched.
void PullJob::save(PulledPage& pulled, FilterCheck requested, const crm::StoredWalk& next,
                   TimePoint db_now) {
  auto& listed = requested.records;
  // Those of the last page are still right, or nothing of this one is stored.
  const auto known = std::exchange(seals_, std::nullopt);
  auto seals = known ? *known : crm::People(context_.database()).seals();
  if (!seals.hash_key) seals.hash_key = person_key(context_.database());
  fetch_ahead(next, *seals.hash_key);
  PagePersons& persons = pulled.persons_by(*seals.hash_key);
  std::ranges::move(tables_->take_too_large(listed), std::back_inserter(pulled.page.unreadable));
  auto unreadable = without_forgotten(context_, persons, std::move(pulled.page.unreadable));
  meet_ledger(persons, listed, unreadable);
  auto records = without_forgotten(context_, persons, std::move(listed));
  // The old and the unrequested ones are not stored, but their facts about people are.
  auto others = take_old(records, pull_, db_now);
  std::ranges::move(without_forgotten(context_, persons, std::move(requested.unrequested)),
                    std::back_inserter(others));
  auto unread = effects_of_unread(context_, persons, pull_.list, std::move(unreadable), db_now);
  tell(unread.records);
  auto facts = facts_of(context_, persons, pull_.list, records, db_now);
  auto facts_of_others = facts_of(context_, persons, pull_.list, others, db_now);
  std::ranges::move(unread.facts, std::back_inserter(facts_of_others));
  const auto person_of = [&](const mapping::Record& record) { return persons.of(record); };
  const auto saved = tables_->save(std::move(records), next, lease_,
                                   {std::move(facts), std::move(facts_of_others),
                                    std::move(unread.records), seals.forgets, person_of});
  last_page_ = {next, saved.at, context_.environment().uptime()};
  seals.forgets = saved.forgets;
  seals_ = std::move(seals);
  count(saved);
}

// The state of the walk after this page.
crm::StoredWalk PullJob::next_state(const crm::StoredWalk& walk, const std::string& next_cursor,
                                    TimePoint db_now) {
  auto next = after_page(walk, next_cursor, db_now);
  if (next.window_from == walk.window_from) return next;
  window_.around.read_part();
  window_.restarts = {};
  if (!moves_.take_moved(walk)) {
    window_.divisions_left = std::min(window_.divisions_left + 1, kDivisionsMax);
    return next;
  }
  if (is_left_to_the_next(walk, plan_)) {
    next.watermark = walk.watermark;
    return next;
  }
  auto read = walk;
  ++read.pages;
  return divide(read, read.pages, db_now).value_or(next);
}

// The first of so many parts of the window; nullopt if that does not help.
std::optional<crm::StoredWalk> PullJob::divide(const crm::StoredWalk& walk, std::int64_t parts,
                                               TimePoint db_now) {
  if (window_.divisions_left == 0) return std::nullopt;
  auto part = divided(walk, parts, db_now, shortest_part(context_.api().dialect()));
  if (!part) return std::nullopt;
  --window_.divisions_left;
  window_.restarts = {};
  return part;
}

// Tells the ledger which transactions the page shows. A record that cannot be read completely may
// still show its transaction.
void PullJob::meet_ledger(PagePersons& persons, const std::vector<mapping::Record>& records,
                          const std::vector<mapping::Unreadable>& unreadable) {
  if (!config::description_of(pull_.list).meets_ledger) return;
  settle_listed(context_, persons, name_, records);
  std::vector<mapping::Record> partial;
  for (const auto& each : unreadable)
    partial.push_back(each.partial);
  settle_listed(context_, persons, name_, partial);
}

// Logs the place of the first unreadable record of each kind. Its reason may contain a text that a
// person wrote, so it is stored in the table and not logged.
void PullJob::tell(const std::vector<crm::UnreadRecord>& unreadable) {
  std::map<std::string, std::vector<std::string>> places;  // by what it means
  for (const auto& [record, person, hides] : unreadable) {
    const std::string meaning =
        !hides           ? ""
        : person.empty() ? "; it may say whom not to mail, and whose it is cannot be read"
                         : "; its person is not mailed until it can be read";
    places[meaning].push_back(record.fault.place);
  }
  for (const auto& [meaning, of_one] : places)
    unreadable_.report(
        Log::Level::error,
        of_one.front() + " cannot be read and is set aside" +
            (of_one.size() == 1 ? ""
                                : fmt::format(", and {} more of its page", of_one.size() - 1)) +
            ": see survey_unreadable" + meaning);
}

void PullJob::prune_history(TimePoint db_now) {
  if (pull_.list != config::Pull::List::customers || !tables_->report_problem().empty()) return;
  const auto keep = context_.settings().report.keep_history;
  if (keep.count() == 0) {
    crm::clear_history(context_.database());
  } else {
    crm::prune_history(context_.database(), db_now - keep, db_now);
  }
}

// The parameters that a page's items must match. The window ends at `db_now` at the earliest,
// because an item may be newer than the window.
std::vector<service::Parameter> PullJob::filters_for(crm::StoredWalk walk, TimePoint db_now) const {
  walk.window_to = std::max(*walk.window_to, db_now);
  return asked_of(walk);
}

// The ignored parameters that are reported: within a window those reported before, so that one good
// page does not end the report; at the end of the window those that its pages have shown.
std::string PullJob::describe_window(const crm::StoredWalk& walk, bool open) const {
  if (open && !walk.ignored.empty()) return walk.ignored;
  return fmt::format("{}", fmt::join(window_.ignored, ", "));
}

void PullJob::count(const crm::Saved& saved) {
  status_.done += saved.changed + saved.unchanged;
  window_.counts.changed += saved.changed;
  window_.counts.written_back += saved.written_back;
  window_.counts.matched_none += saved.matched_none;
  window_.counts.matched_many += saved.matched_many;
  log_unwritten(context_.log(), name_, saved);
}

void PullJob::close_window() {
  walked_ = opened_ || plan_.only;
  status_.caught_up = walked_ || !context_.once();
  if (window_.counts.changed > 0) {
    // Where the CRM is another database, what is written back is queued for a job of its own.
    std::string text = std::to_string(window_.counts.changed) + " new or changed";
    if (!context_.is_apart())
      text += ", " + std::to_string(window_.counts.written_back) + " written back, " +
              std::to_string(window_.counts.matched_none) + " matched no row, " +
              std::to_string(window_.counts.matched_many) + " matched several";
    context_.log().info(text, {.job = name_});
  }
  window_ = {};
  leave();
}

// After a failed request. Returns when to try again.
TimePoint PullJob::handle_trouble(const Trouble& trouble, const crm::StoredWalk& walk,
                                  TimePoint now) {
  if (read_) read_->history.lose_page();
  bare_.forget();
  const Retry retry = retry_after(Operation::page, trouble, !walk.cursor.empty());
  if (retry.then != Retry::Then::start_again) {
    const bool divisible =
        is_open(walk) && is_divisible(walk, shortest_part(context_.api().dialect()));
    const auto next =
        is_open(walk) ? window_.around.after(trouble, divisible) : ReadAround::Next::wait;
    window_.asks_before = next == ReadAround::Next::ask_before;
    if (window_.asks_before) return now;
    if (next == ReadAround::Next::divide) return read_around(trouble, walk, now);
    return retry_.failed(retry, trouble, now);
  }
  return begin_again(
      walk, retry.fault,
      std::string(kCursorExpired) + ": " + to_string(trouble.kind) + ": " + trouble.detail, now);
}

// The window is read in parts, down to the one that is not answered: that one is left out. Returns
// when to go on.
TimePoint PullJob::read_around(const Trouble& trouble, const crm::StoredWalk& walk, TimePoint now) {
  read_.reset();
  window_.restarts = {};
  const auto part = divided(walk, kPartsOfTrouble, context_.database().now(),
                            shortest_part(context_.api().dialect()));
  if (!part) return leave_out(trouble, walk, now);
  tables_->save({}, *part, lease_);
  return now;
}

// Does the list answer for a second in which little or nothing is? Then this page is asked for once
// more. Returns when to go on.
TimePoint PullJob::ask_before(const crm::StoredWalk& walk, TimePoint now) {
  auto asked = *filters_;
  asked.push_back({plan_.window_filter(), second_before(walk, window_.around.before())});
  const auto answer = context_.api().page(list_, asked, "", 1, now, {}, service::Bare::taken);
  if (const auto* trouble = std::get_if<Trouble>(&answer)) {
    window_.around.unanswered();
    return retry_.failed(retry_after(Operation::page, *trouble), *trouble, now);
  }
  window_.around.answered();
  return now;
}

// The window ends with an answer without a list, which is no end yet. Returns when to go on.
TimePoint PullJob::doubt_end(const crm::StoredWalk& walk, TimePoint now) {
  const std::string text = std::string(kBareEnd) + kStartsAgain;
  read_.reset();
  tables_->save({}, start_again(walk), lease_);
  if (window_.bare_end.is_stuck()) {
    window_.restarts.no_further(walk.pages);
    retry_.report(JobStatus::Fault::unreachable, text);
    return std::max(retry_.wait(now), now + window_.bare_end.wait());
  }
  context_.log().warn(text, {.job = name_});
  return now + window_.bare_end.wait();
}

TimePoint PullJob::leave_out(const Trouble& trouble, const crm::StoredWalk& walk, TimePoint now) {
  const TimePoint db_now = context_.database().now();
  const auto next = after_page(walk, "", db_now);
  window_.around.left_out();
  window_.left_out = left_out(walk, plan_.by, trouble) + ": left out, the rest is read";
  tables_->save({}, next, lease_);
  retry_.succeeded(window_.left_out);
  if (!is_open(next)) close_window();
  return now;
}

// The window is read again from its first page, because it cannot go on from where it stands; if
// that happens again before it came further, it is read in parts. Returns when to go on.
TimePoint PullJob::begin_again(const crm::StoredWalk& walk, JobStatus::Fault fault,
                               const std::string& why, TimePoint now) {
  read_.reset();
  const std::string text = why + kStartsAgain;
  if (window_.restarts.no_further(walk.pages) || walk.whole_to) {
    const auto part = divide(walk, kPartsOfTrouble, context_.database().now());
    tables_->save({}, part ? *part : start_again(walk), lease_);
    if (part) return now;
    window_.divisions_left = 1;  // after the wait it is divided further
    retry_.report(fault, text);
    return retry_.wait(now);
  }
  const auto again = start_again(walk);
  tables_->save({}, again, lease_);
  retry_.succeeded();
  context_.log().warn(text, {.job = name_});
  return again.restarts == 1 ? now : retry_.wait(now);
}

}  // namespace surveybridge::daemon
