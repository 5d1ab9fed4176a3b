#include "daemon/pull/pull_job.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/ranges.h>

#include "config/service_list.hpp"
#include "connectors/crm/erasure/prune.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "connectors/crm/report/history_store.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/pull/retention.hpp"
#include "daemon/pull/write_back_job.hpp"
#include "daemon/suppress/suppression_check.hpp"

namespace surveybridge::daemon {

namespace {

using service::Trouble;

}  // namespace

PullJob::PullJob(const config::Pull& pull, WalkPlan plan, const Shared& shared, std::uint64_t seed)
    : pull_(pull),
      plan_(std::move(plan)),
      name_("pull." + pull.name + "." + plan_.name),
      list_(service::operation_of(pull.list)),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed),
      unreadable_(shared.log, name_, shared.environment.uptime),
      moves_(pull, plan_, context_),
      report_(shared.log, name_) {
  status_.unit = pull.name;
}

TimePoint PullJob::step(TimePoint now) {
  status_.caught_up = false;
  if (!context_.once()) {
    if (const auto later = context_.pace().held(now, {name_, RequestClass::read})) return *later;
  }
  open_tables();
  const bool renews = report_.step(*tables_, now);
  auto after = after_last_page();
  if (!after) seals_.reset();
  const TimePoint db_now = after ? after->at : context_.database().now();
  crm::StoredWalk walk = after ? std::move(after->walk) : stored_walk();
  if (const TimePoint at = due(walk, db_now); at > db_now) {
    if (renews) return now;
    status_.caught_up = true;
    if (at == kNever) return kNever;
    return report_.next_step(*tables_, now, now + (at - db_now));
  }
  if (!after && !take_lease()) return now + kLeaseWait;  // another instance walks this list
  if (const auto later = learn_filters(now)) return *later;
  return read_page(std::move(walk), now, db_now);
}

void PullJob::open_tables() {
  context_.open();
  if (tables_) return;
  follow_ups_.emplace(pull_, context_.settings().crm.time_zone, context_.database());
  tables_.emplace(context_.database(), list_.item, pull_.writes, context_.settings().crm.time_zone,
                  crm::report_shape(context_.settings()),
                  context_.is_apart() ? crm::CrmPlace::apart : crm::CrmPlace::here);
}

// One that was begun for another service, or with a later `from`, is begun anew.
crm::StoredWalk PullJob::stored_walk() {
  const auto walk = tables_->load(pull_.name, plan_.name);
  if (!is_of_another(walk, plan_, context_.settings().crm.time_zone)) return walk;
  context_.log().info(
      "the service, its account or `from` was changed: the list is read from its beginning",
      {.job = name_});
  crm::drop_walk(context_.database(), pull_.name, plan_.name);
  return tables_->load(pull_.name, plan_.name);
}

// Each page confirms the lease when it is stored. Until half of its time is over, nobody else walks
// this list, and the walk stands where that page has left it. `at` is then the present time.
std::optional<PullJob::LastPage> PullJob::after_last_page() {
  auto last = std::exchange(last_page_, std::nullopt);
  if (!last || !is_open(last->walk) || !lease_) return std::nullopt;
  last->at += context_.environment().uptime() - last->uptime;
  if (lease_->expires_at <= last->at + lease_duration(context_.settings()) / 2) return std::nullopt;
  return last;
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

std::optional<TimePoint> PullJob::learn_filters(TimePoint now) {
  if (filters_) return std::nullopt;
  std::vector<mapping::DataColumn> columns;
  if (name_columns(plan_.filters)) {
    if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
    const RequestSlot slot(context_.pace(), RequestClass::read);
    auto listed = context_.api().data_columns(now);
    if (const auto* trouble = std::get_if<Trouble>(&listed))
      return retry_.failed(retry_after(Operation::page, *trouble), *trouble, now);
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

// Takes the page at which the walk stands, or asks for it; then stores it. Returns when to go on.
TimePoint PullJob::read_page(crm::StoredWalk walk, TimePoint now, TimePoint db_now) {
  auto& pages = window_.pages;
  if (!pages) pages.emplace(list_, *filters_, plan_.by, PageBounds{pull_.limit, pull_.max_pages});
  auto fetched = ahead_.take(walk, now);
  if (fetched) {
    pages->stand_at(walk, db_now);
  } else {
    if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
    const RequestSlot slot(context_.pace(), RequestClass::read);
    if (!is_open(walk)) {
      opened_ = true;  // one left open by an earlier run does not count
      asked_for_ = false;
    }
    walk = open_window(std::move(walk), plan_, context_.settings().crm.time_zone, db_now);
    pages->stand_at(walk, db_now);
    if (pages->asks_before()) return go_on(pages->ask_before(context_.api(), now), walk, now);
    fetched = {with_persons(pages->ask(context_.api(), now)), now};
  }
  if (const auto later = examine(*fetched, walk, now)) return *later;
  return store(std::get<PulledPage>(std::move(fetched->answer)), walk, now, db_now);
}

// May this page be stored? Returns when to go on; empty: it may.
std::optional<TimePoint> PullJob::examine(FetchAhead::Fetched& fetched, const crm::StoredWalk& walk,
                                          TimePoint now) {
  if (auto* trouble = std::get_if<Trouble>(&fetched.answer))
    return fail(std::move(*trouble), walk, now);
  const auto& page = std::get<PulledPage>(fetched.answer).page;
  if (const auto again = window_.pages->doubt(page, now)) return go_on(*again, walk, now);
  if (page.bare && !window_.pages->is_proved_empty()) return prove_empty(fetched, walk, now);
  if (!moves_.is_due(walk, page)) return std::nullopt;
  ahead_.drop();  // so that its connection to the service is free
  const auto later = check_moves(walk, now);
  if (later) ahead_.keep(walk, std::move(fetched));
  return later;
}

// The page has no list. It is kept until the service has shown whether it lists something. Returns
// when to go on.
TimePoint PullJob::prove_empty(FetchAhead::Fetched& fetched, const crm::StoredWalk& walk,
                               TimePoint now) {
  const auto later = context_.pace().attempt(now, {name_, RequestClass::read});
  if (!later) {
    const RequestSlot slot(context_.pace(), RequestClass::read);
    auto proved = window_.pages->prove_empty(
        context_.api(), now, [this] { return crm::has_records(context_.database(), list_.item); });
    if (auto* trouble = std::get_if<Trouble>(&proved)) return fail(std::move(*trouble), walk, now);
    if (std::get<bool>(proved)) return now;
  }
  tables_->save({}, walk, lease_);  // the page is of this window
  ahead_.keep(walk, std::move(fetched));
  return later.value_or(now);
}

// Returns when to go on; empty: it is known whether a record left the window.
std::optional<TimePoint> PullJob::check_moves(const crm::StoredWalk& walk, TimePoint now) {
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  const auto answer = moves_.step(walk, *filters_, now);
  if (const auto* trouble = std::get_if<Trouble>(&answer))
    return retry_.failed(retry_after(Operation::page, *trouble), *trouble, now);
  if (!std::get<bool>(answer)) return now;
  retry_.succeeded(left_out());
  return std::nullopt;
}

// Stores this page, and those after it that are there already. Returns when to go on.
TimePoint PullJob::store(PulledPage pulled, const crm::StoredWalk& walk, TimePoint now,
                         TimePoint db_now) {
  using Next = PageHistory::Next;
  PageWalk& pages = *window_.pages;
  if (ahead_.take_lost() && !walk.cursor.empty()) pages.lose_page();
  const auto follows = pages.follow(pulled.page);
  // What is on a page is stored, whatever follows it; but no page more than max_pages.
  std::optional<PageWalk::Answer> turned;
  if (follows != Next::page && follows != Next::end)
    turned = pages.turn_back(context_.api(), follows);
  if (follows == Next::too_many) return go_on(*turned, walk, now);
  if (follows == Next::end) end_part(walk);
  std::vector<std::size_t> listed{pulled.listed()};
  if (!turned) append_ready(pulled, listed, now);
  auto requested = drop_unrequested(std::move(pulled.page.records), filters_for(walk, db_now));
  window_.ignored.insert(requested.ignored.begin(), requested.ignored.end());
  crm::StoredWalk next = pages.place();
  next.ignored = describe_window(walk, is_open(next));
  save(pulled, std::move(requested), next, db_now, !turned);
  for (const std::size_t records : listed)
    context_.recorder().page(pull_.name, plan_.name, records);
  report_.tell(*tables_);
  if (turned) return go_on(*turned, pages.place(), now);
  if (!is_open(next) || pages.is_further())
    retry_.succeeded(next.ignored.empty() ? left_out()
                                          : "the service ignores " + next.ignored +
                                                ": what it lists from outside is not stored");
  if (is_open(next)) return now;
  prune(db_now);
  close_window();
  return status_.caught_up && !asked_for_ ? report_.next_step(*tables_, now, now + plan_.every)
                                          : now;
}

// Appends the pages after this one that are there already, to be stored with it; not the last one
// of a part. A page with unreadable records is stored alone, because a later page may have read one
// of them. `listed`: how many records each page has.
void PullJob::append_ready(PulledPage& pulled, std::vector<std::size_t>& listed, TimePoint now) {
  PageWalk& pages = *window_.pages;
  if (!pulled.page.unreadable.empty()) return;
  const auto suits = [&](const PulledPage& page) {
    return page.page.unreadable.empty() && !page.page.next_cursor.empty() &&
           pages.follow(page.page) == PageHistory::Next::page;
  };
  while (listed.size() < FetchAhead::kPagesMax && pulled.page.bytes < FetchAhead::kBytesMax) {
    const crm::StoredWalk place = pages.place();
    auto page = ahead_.take_ready(place, now, suits);
    if (!page) return;
    listed.push_back(page->listed());
    pulled.append(*std::move(page));
  }
}

// The part of the window at `read` has ended.
void PullJob::end_part(const crm::StoredWalk& read) {
  if (moves_.take_moved(read))
    window_.pages->read_again(context_.api(), read, is_left_to_the_next(read, plan_));
  else
    window_.pages->part_is_whole();
}

// Stores these records of the page and what else it says, while the pages after it are fetched if
// there are some.
void PullJob::save(PulledPage& pulled, FilterCheck requested, const crm::StoredWalk& next,
                   TimePoint db_now, bool fetches_ahead) {
  auto& listed = requested.records;
  // Those of the last page are still right, or nothing of this one is stored.
  const auto known = std::exchange(seals_, std::nullopt);
  auto seals = known ? *known : crm::People(context_.database()).seals();
  if (!seals.hash_key) seals.hash_key = person_key(context_.database());
  if (fetches_ahead) fetch_ahead(next, *seals.hash_key);
  PagePersons& persons = pulled.persons_by(*seals.hash_key);
  std::ranges::move(tables_->take_too_large(listed), std::back_inserter(pulled.page.unreadable));
  std::vector<mapping::Record> of_forgotten;
  auto unreadable =
      without_forgotten(context_, persons, std::move(pulled.page.unreadable), of_forgotten);
  meet_ledger(persons, listed, unreadable);
  auto records = without_forgotten(context_, persons, std::move(listed), of_forgotten);
  // The old and the unrequested ones are not stored, but their facts about people are.
  auto others = take_old(records, pull_, db_now);
  std::ranges::move(
      without_forgotten(context_, persons, std::move(requested.unrequested), of_forgotten),
      std::back_inserter(others));
  auto unread = effects_of_unread(context_, persons, pull_.list, std::move(unreadable), db_now);
  tell(unread.records);
  auto facts = facts_of(context_, persons, pull_.list, records, db_now);
  auto facts_of_others = facts_of(context_, persons, pull_.list, others, db_now);
  std::ranges::move(facts_beside_forgotten(context_, persons, pull_.list, of_forgotten, db_now),
                    std::back_inserter(facts_of_others));
  std::ranges::move(unread.facts, std::back_inserter(facts_of_others));
  // What a backfill reads is no newer than a record that could not be read.
  std::function<std::string(const mapping::Record&)> person_of;
  if (!plan_.only) person_of = [&](const mapping::Record& record) { return persons.of(record); };
  const auto follow_ups_of = [&](std::span<const mapping::Record> changed) {
    return follow_ups_->of(changed, db_now);
  };
  const auto saved =
      tables_->save(std::move(records), next, lease_,
                    {std::move(facts), std::move(facts_of_others), std::move(unread.records),
                     seals.forgets, person_of, follow_ups_of});
  last_page_ = {next, saved.at, context_.environment().uptime()};
  seals.forgets = saved.forgets;
  seals_ = std::move(seals);
  count(saved);
}

// Begins to fetch the pages from the place at which `next` stands, as far as the pace allows. Does
// nothing if the window is at its end, or without `run_beside`.
void PullJob::fetch_ahead(const crm::StoredWalk& next, const std::string& hash_key) {
  if (!is_open(next)) return;
  ahead_.begin(context_.environment().run_beside, next,
               [this, asked = window_.pages->asked_of(next),
                hash_key](const std::string& cursor) -> std::optional<FetchAhead::Fetched> {
                 if (!problem_of_cursor(cursor).empty()) return std::nullopt;
                 Pace& pace = context_.pace();
                 const TimePoint now = pace.wall();
                 if (pace.attempt(now, {name_, RequestClass::read})) return std::nullopt;
                 const RequestSlot slot(pace, RequestClass::read);
                 auto answer = context_.api().page(list_, asked, cursor, pull_.limit, now, {},
                                                   service::Bare::taken);
                 return FetchAhead::Fetched{with_persons(std::move(answer), hash_key), now};
               });
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

// The parameters that a page's items must match. The window ends at `db_now` at the earliest,
// because an item may be newer than the window.
std::vector<service::Parameter> PullJob::filters_for(crm::StoredWalk walk, TimePoint db_now) const {
  walk.window_to = std::max(*walk.window_to, db_now);
  return window_.pages->asked_of(walk);
}

// The ignored parameters that are reported: within a window those reported before, so that one good
// page does not end the report; at the end of the window those that its pages have shown.
std::string PullJob::describe_window(const crm::StoredWalk& walk, bool open) const {
  if (open && !walk.ignored.empty()) return walk.ignored;
  return fmt::format("{}", fmt::join(window_.ignored, ", "));
}

void PullJob::count(const crm::Saved& saved) {
  status_.done += saved.changed + saved.unchanged;
  status_.changed = status_.changed.value_or(0) + saved.changed;
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

// Removes what is older than it is to be kept.
void PullJob::prune(TimePoint db_now) {
  if (pull_.keep) {
    const TimePoint before = db_now - *pull_.keep;
    crm::prune(context_.database(), list_.item, age_field(pull_.list), before);
    crm::clear_unreadable(context_.database(), pull_.name, before);
  }
  if (pull_.list != config::Pull::List::customers || !tables_->report_problem().empty()) return;
  const auto keep = context_.settings().report.keep_history;
  if (keep.count() == 0) {
    crm::clear_history(context_.database());
  } else {
    crm::prune_history(context_.database(), db_now - keep, db_now);
  }
}

// The page was not answered. Returns when to go on.
TimePoint PullJob::fail(Trouble trouble, const crm::StoredWalk& walk, TimePoint now) {
  return go_on(window_.pages->after_trouble(context_.api(), std::move(trouble)), walk, now);
}

// After an answer that brought no page to store: stores where the walk stands now, if that is not
// `walk` any more. Returns when to go on.
TimePoint PullJob::go_on(const PageWalk::Answer& answer, const crm::StoredWalk& walk,
                         TimePoint now) {
  if (window_.pages->place() != walk) tables_->save({}, window_.pages->place(), lease_);
  if (const auto* restarted = std::get_if<PageWalk::Restarted>(&answer))
    return begin_again(*restarted, now);
  if (const auto* endless = std::get_if<PageWalk::Endless>(&answer)) {
    retry_.report(JobStatus::Fault::person, endless->why);
    return context_.once() ? kNever : now + kBackoffMax;
  }
  const auto* nothing = std::get_if<PageWalk::Nothing>(&answer);
  const bool has_ended = std::holds_alternative<PageWalk::Read>(answer);
  if (nothing == nullptr && !has_ended) return when_again(answer, retry_, now).value_or(now);
  if (has_ended || nothing->leaves_out) retry_.succeeded(left_out());
  if (has_ended) close_window();
  return now;
}

// The window, or a part of it, is read again from its first page. Returns when to go on.
TimePoint PullJob::begin_again(const PageWalk::Restarted& restarted, TimePoint now) {
  const std::string text = restarted.why + ", and the window starts again";
  if (restarted.stuck) {
    retry_.report(restarted.fault, text);
    return std::max(retry_.wait(now), now + restarted.wait);
  }
  context_.log().warn(text, {.job = name_});
  // An end that is doubted is no page: what was troubled stays so.
  if (restarted.wait > Duration{0}) return now + restarted.wait;
  retry_.succeeded();
  return window_.pages->place().restarts == 1 ? now : retry_.wait(now);
}

// What a person should see though the pull goes on; empty: nothing.
std::string PullJob::left_out() const {
  const std::string& text = window_.pages->left_out();
  return text.empty() ? "" : text + ": left out, the rest is read";
}

}  // namespace surveybridge::daemon
