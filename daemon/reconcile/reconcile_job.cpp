#include "daemon/reconcile/reconcile_job.hpp"

#include <algorithm>
#include <utility>

#include "daemon/job/backoff.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/lists/found_twice.hpp"
#include "daemon/push/row_counts.hpp"
#include "daemon/reconcile/correlate_column.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kDoubtsARound = 500;
constexpr int kPagesMax = 1000;     // of one search; a longer one proves no absence
constexpr int kWithoutListMax = 3;  // answers without a list, in a row, to one search
constexpr Duration kLookAgain = std::chrono::seconds{30};

}  // namespace

ReconcileJob::ReconcileJob(const config::Push& push, const Shared& shared, std::uint64_t seed)
    : push_(push),
      name_("reconcile." + push.name),
      context_(shared),
      retry_(shared.log, name_, shared.pace, status_, seed) {
  status_.unit = "settled";
}

TimePoint ReconcileJob::step(TimePoint now) {
  status_.caught_up = false;
  if (retry_.stands_still()) return kNever;
  context_.open();
  if (!ledger_) ledger_.emplace(context_.database());
  if (std::holds_alternative<Idle>(state_)) {
    auto found = find_doubts();
    if (!found) return rest(now);
    state_ = *std::move(found);
  }
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  if (!push_.correlate.empty() && !correlate_) {
    const auto trouble = look_up_column(now);
    return trouble ? handle_trouble(Operation::column, *trouble, now) : now;
  }
  if (auto* found = std::get_if<DoubtsFound>(&state_)) state_ = begin_round(*found);
  return walk(std::get<Round>(state_), now);
}

// Empty: there are none, or `sync` has made its round.
std::optional<ReconcileJob::DoubtsFound> ReconcileJob::find_doubts() {
  context_.end_leases_of_the_dead();
  const auto longest = lease_duration(context_.settings());
  if (const auto left = ledger_->doubt_the_dead(push_.name, longest); left > 0) {
    context_.log().warn(std::to_string(left) + " rows that an instance left claimed are in doubt",
                        {.job = name_});
  }
  if (context_.once() && round_made_) return std::nullopt;
  DoubtsFound found{ledger_->in_doubt(push_.name, kDoubtsARound)};
  if (found.doubts.empty()) return std::nullopt;
  return found;
}

// Makes searches of all doubts, the control search first. If this throws, `state_` keeps the
// doubts.
ReconcileJob::Round ReconcileJob::begin_round(const DoubtsFound& found) {
  const TimePoint db_now = context_.database().now();
  Round round;
  round.control_search = control_search(found, db_now);
  round_made_ = true;
  if (round.control_search) round.searches.push_back(*round.control_search);
  auto [by_address, by_key] = part_by_what_is_known(found.doubts, correlate_.has_value());
  for (auto& search : plan_searches(by_address, context_.settings().service.dialect, db_now)) {
    round.searches.push_back(std::move(search));
  }
  for (auto& doubt : by_key) {
    round.searches.push_back(
        exact_search(Search::Kind::exact, std::move(doubt), correlate_->id, db_now));
  }
  for (auto& search : round.searches)
    for (const auto& doubt : search.doubts)
      if (const auto known = answering(db_now - doubt.since))
        search.answering.emplace(doubt.key, *known);
  const auto youngest = std::ranges::max(found.doubts, {}, &crm::Doubt::since).since;
  round.until_next = until_next_round(db_now - youngest);
  return round;
}

// How long the service has answered since a doubt of this age arose, as far as this process knows:
// a daemon that was started later counts from its own first answer. Empty: `sync`, which does not
// live for so long, believes what it sees unless the service was away meanwhile.
std::optional<Duration> ReconcileJob::answering(Duration age) const {
  const Pace& pace = context_.pace();
  if (context_.once() && !pace.has_been_away()) return std::nullopt;
  return pace.answering(age);
}

// A search for a customer known to be there: if it is not found, an absence proves nothing. Empty
// if no row is known to be sent, or no data column carries the key.
std::optional<Search> ReconcileJob::control_search(const DoubtsFound& found, TimePoint db_now) {
  if (!correlate_) return std::nullopt;
  auto sent = ledger_->sent_before(push_.name, db_now - push_.settle);
  if (!sent) sent = ledger_->sent_before(push_.name, db_now);  // all were sent later
  if (!sent) return std::nullopt;
  crm::Doubt known{*sent, "", "", {}, {}, found.doubts.front().test};
  return exact_search(Search::Kind::control, std::move(known), correlate_->id, db_now);
}

bool ReconcileJob::may_resend() const {
  return push_.doubt == config::Push::Doubt::resend && correlate_.has_value();
}

TimePoint ReconcileJob::rest(TimePoint now) {
  status_.caught_up = true;
  return now + std::max<Duration>(push_.every, kLookAgain);
}

std::optional<service::Trouble> ReconcileJob::look_up_column(TimePoint now) {
  auto column =
      read_correlate_column(context_.api(), push_.correlate, ": doubts cannot be settled", now);
  if (auto* trouble = std::get_if<service::Trouble>(&column)) return std::move(*trouble);
  correlate_ = std::get<mapping::DataColumn>(std::move(column));
  return std::nullopt;
}

// Reads one page of the first search; after its last page the search is settled, and after the last
// search the job is idle.
TimePoint ReconcileJob::walk(Round& round, TimePoint now) {
  Search& search = round.searches.front();
  auto page = context_.api().page(service::customers(), search.filters, search.cursor, 100, now, {},
                                  service::Bare::taken);
  if (const auto* trouble = std::get_if<service::Trouble>(&page)) {
    return handle_trouble(Operation::search, *trouble, now);
  }
  const auto& answer = std::get<mapping::Page>(page);
  // A service that says "nothing" so, or one that is broken: it may be well at the next try, and
  // else no absence is proved.
  search.without_list = answer.bare ? search.without_list + 1 : 0;
  if (answer.bare && search.without_list < kWithoutListMax)
    return handle_trouble(Operation::search, service::without_list(service::customers()), now);
  if (answer.bare) search.complete = false;
  take_page(search, answer.records, correlate_);
  for (const auto& each : answer.unreadable)
    take_page(search, {each.partial}, correlate_);
  // A record that cannot be read may be the customer that is looked for, so no absence is proved.
  if (!answer.unreadable.empty()) search.complete = false;
  const auto follows = search.history.take(search.cursor, answer);
  if (follows == PageHistory::Next::begin_again)
    return begin_again(search) ? now : retry_.wait(now);
  const bool last = follows != PageHistory::Next::page;
  // A list that does not end may have the customer on its next page.
  if (last ? follows != PageHistory::Next::end : search.pages >= kPagesMax) search.complete = false;
  search.cursor = answer.next_cursor;
  // A broad search that is not complete proves no absence, but what it finds counts.
  const bool worth_it = search.complete || search.kind == Search::Kind::broad;
  const bool goes_on = !last && worth_it && search.pages < kPagesMax;
  if (!goes_on || search.restarts.past(search.pages)) retry_.succeeded();
  if (goes_on) return now;
  const Search finished = std::move(search);
  Round rest = std::move(round);
  rest.searches.pop_front();
  state_ = Idle{};  // if the database fails now, the rows are still in doubt in the ledger
  settle(finished, rest);
  if (is_control_due(rest)) rest.searches.push_front(*rest.control_search);
  if (rest.searches.empty()) return context_.once() ? now : now + rest.until_next;
  state_ = std::move(rest);
  return now;
}

// Stores what a finished search says of its rows. A row that a broad search did not find gets an
// exact search if it may be sent again.
void ReconcileJob::settle(const Search& search, Round& round) {
  if (search.kind == Search::Kind::control) return settle_control(search, round);
  const ReadBackDecision judgement =
      judge(search, {push_.settle, may_resend(), round.control, !push_.correlate.empty()});
  for (const auto& doubt : judgement.look_exactly) {
    round.searches.push_back(
        exact_search(Search::Kind::exact, doubt, correlate_->id, search.begun));
    if (const auto known = search.answering.find(doubt.key); known != search.answering.end())
      round.searches.back().answering.insert(*known);
  }
  round.absent.insert(round.absent.end(), judgement.absent.begin(), judgement.absent.end());
  if (judgement.found_twice > 0)
    tell_found_twice(context_.log(), name_, push_.name, judgement.found_twice,
                     judgement.first_twice, context_.settings().file);
  resolve(judgement.verdicts);
}

// Whoever is absent is believed absent only between two control searches, with little time between
// them.
bool ReconcileJob::is_control_due(const Round& round) {
  if (round.control != Control::found) return false;
  if (round.searches.empty()) return !round.absent.empty();
  const bool exact = round.searches.front().kind == Search::Kind::exact;
  return (exact || !round.absent.empty()) &&
         context_.database().now() - round.control_at > kControlEvery;
}

void ReconcileJob::settle_control(const Search& search, Round& round) {
  const TimePoint db_now = context_.database().now();
  round.control = proves(search) ? Control::found : Control::missed;
  const auto absent = std::exchange(round.absent, {});
  const Duration between = db_now - std::exchange(round.control_at, db_now);
  resolve(confirmed(absent, round.control, between, db_now));
}

// Stores verdicts and reports how many there are of each kind.
void ReconcileJob::resolve(const std::vector<crm::Ledger::Verdict>& verdicts) {
  if (verdicts.empty()) return;
  const auto moved = ledger_->resolve(push_.name, verdicts);
  if (moved == 0) return;  // another instance has settled them
  status_.done += moved;
  count_rows(context_.recorder(), push_.name, verdicts, row_outcome::kFound);
  const auto count = [&](crm::State state) {
    return std::ranges::count(verdicts, state, &crm::Ledger::Verdict::state);
  };
  const auto say = [&](std::int64_t n, const char* what) {
    if (n > 0) context_.log().warn(counted(n, "row") + " in doubt " + what, {.job = name_});
  };
  say(count(crm::State::sent), "had arrived");
  say(count(crm::State::pending), "had not arrived: sent again");
  if (const auto held = count(crm::State::held); held > 0) {
    context_.log().error(counted(held, "row") + " held: see `" +
                             with_file("surveybridge doubt list", context_.settings().file) + "`",
                         {.job = name_, .event = &kHeld});
  }
}

// After a failed request. If the cursor has expired, the search reads its pages again from the
// first. Returns when to try again.
TimePoint ReconcileJob::handle_trouble(Operation operation, const service::Trouble& trouble,
                                       TimePoint now) {
  auto* round = std::get_if<Round>(&state_);
  const bool within = round != nullptr && !round->searches.front().cursor.empty();
  const Retry retry = retry_after(operation, trouble, within);
  if (round != nullptr) round->searches.front().history.lose_page();
  if (retry.then == Retry::Then::start_again && begin_again(round->searches.front())) return now;
  return retry_.failed(retry, trouble, now);
}

// Returns whether the search had come further than before its last restart.
bool ReconcileJob::begin_again(Search& search) {
  const bool stuck = search.restarts.no_further(search.pages);
  search.cursor.clear();
  search.history = {};
  search.pages = 0;
  return !stuck;
}

}  // namespace surveybridge::daemon
