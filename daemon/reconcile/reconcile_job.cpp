#include "daemon/reconcile/reconcile_job.hpp"

#include <algorithm>
#include <utility>

#include "connectors/crm/schema/erased_keys.hpp"
#include "daemon/job/backoff.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/lists/found_twice.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/push/row_counts.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/suppress/brake_rule.hpp"

namespace surveybridge::daemon {

namespace {

constexpr int kDoubtsARound = 500;
constexpr Duration kLookAgain = std::chrono::seconds{30};

// The service may be away: then no other search is answered either.
bool may_be_away(const service::Trouble& trouble) {
  const bool asks_to_wait =
      trouble.kind == service::Trouble::Kind::unavailable && trouble.wait.has_value();
  return asks_to_wait || is_unreachable(trouble);
}

// A row that went to another service, or whose key is erased, cannot be looked up here: its absence
// here proves nothing. Empty: it can be. `here`: the configuration's services.
std::string why_unaskable(const crm::Doubt& doubt, const std::vector<std::string>& here) {
  if (crm::is_erased_key(doubt.key))
    return "its key held the address of a person who was forgotten, and is erased: it cannot be "
           "looked up";
  if (doubt.service.empty() || std::ranges::find(here, doubt.service) != here.end()) return "";
  return "it was sent to " + doubt.service +
         ", and the configuration names another place now: it cannot be looked up";
}

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
  context_.open();
  if (!ledger_) ledger_.emplace(context_.database());
  if (std::holds_alternative<Idle>(state_)) {
    auto found = find_doubts();
    if (!found) return rest(now);
    state_ = *std::move(found);
  }
  if (const auto later = context_.pace().attempt(now, {name_, RequestClass::read})) return *later;
  const RequestSlot slot(context_.pace(), RequestClass::read);
  if (auto* found = std::get_if<DoubtsFound>(&state_)) {
    const auto& column = found->groups.front().column;
    if (column_ != column) correlate_.reset();
    column_ = column;
    if (!column_.empty() && !correlate_) {
      const auto trouble = read_correlate_column(correlate_, context_.api(), column_,
                                                 ": doubts cannot be settled", now);
      if (trouble && hold_without_column(*found, *trouble)) return now;
      return trouble ? retry_.failed(retry_after(Operation::column, *trouble), *trouble, now) : now;
    }
    state_ = begin_round(*found);
  }
  return walk(std::get<Round>(state_), now);
}

// Empty: there are none, or `sync` has made its rounds.
std::optional<ReconcileJob::DoubtsFound> ReconcileJob::find_doubts() {
  context_.end_leases_of_the_dead();
  const auto longest = lease_duration(context_.settings());
  names_ = names_looked_up(push_, context_.settings(), context_.database());
  std::int64_t left = 0;
  for (const auto& name : names_)
    left += ledger_->doubt_the_dead(name, longest);
  // What a push left that is not configured any more is of no job: a person settles it. Another
  // file may have it, whose time-outs are longer.
  for (const auto& name : names_of_nobody(context_.settings(), context_.database()))
    left += ledger_->doubt_the_dead(name);
  if (left > 0) {
    context_.log().warn(std::to_string(left) + " rows that an instance left claimed are in doubt",
                        {.job = name_});
  }
  if (context_.once() && round_made_) return std::nullopt;
  DoubtsFound found;
  const TimePoint db_now = context_.database().now();
  TimePoint youngest{};
  for (const auto& name : names_) {
    auto doubts = ledger_->in_doubt(name, kDoubtsARound);
    hold_unaskable(name, doubts);
    for (const auto& doubt : doubts)
      youngest = std::max(youngest, doubt.since);
    for (auto& group : grouped_as_sent(std::move(doubts), push_, context_.settings(),
                                       context_.database(), db_now)) {
      group.push = name;
      found.groups.push_back(std::move(group));
    }
  }
  if (found.groups.empty()) return std::nullopt;
  found.until_next = until_next_round(db_now - youngest);
  return found;
}

void ReconcileJob::hold_unaskable(const std::string& push, std::vector<crm::Doubt>& doubts) {
  const auto here = services_of(context_.settings());
  std::vector<crm::Ledger::Verdict> verdicts;
  std::erase_if(doubts, [&](const crm::Doubt& doubt) {
    const std::string why = why_unaskable(doubt, here);
    if (!why.empty()) verdicts.push_back(verdict_on(doubt, crm::State::held, why));
    return !why.empty();
  });
  resolve(push, verdicts);
}

// Whether the trouble is that the service no longer has the data column that carried these keys.
bool ReconcileJob::hold_without_column(DoubtsFound& found, const service::Trouble& trouble) {
  const bool gone = trouble.kind == service::Trouble::Kind::misplaced && trouble.status == 200;
  if (!gone || column_ == push_.correlate) return false;
  std::vector<crm::Ledger::Verdict> verdicts;
  for (const auto& doubt : found.groups.front().doubts)
    verdicts.push_back(verdict_on(doubt, crm::State::held,
                                  "the data column \"" + column_ +
                                      "\" carried its key, and the service has none of that name "
                                      "now: it cannot be looked up"));
  resolve(found.groups.front().push, verdicts);
  found.groups.pop_front();
  if (found.groups.empty()) state_ = Idle{};
  return true;
}

// After a round. Returns when to step again.
TimePoint ReconcileJob::next_group(DoubtsFound rest, TimePoint now) {
  if (!rest.groups.empty()) {
    state_ = std::move(rest);
    return now;
  }
  const bool gave_up = std::exchange(gave_up_, false);
  if (!gave_up) unanswered_.clear();
  if (context_.once()) return now;
  return now + std::max<Duration>(rest.until_next, gave_up ? kBackoffMax : Duration{0});
}

// Makes searches of a group's doubts, the control search first. If this throws, `state_` keeps the
// doubts.
ReconcileJob::Round ReconcileJob::begin_round(DoubtsFound found) {
  const TimePoint db_now = context_.database().now();
  const DoubtGroup group = std::move(found.groups.front());
  found.groups.pop_front();
  Round round(group, correlate_, db_now);
  round.push = group.push;
  round.rest = std::move(found);
  round_made_ = true;
  auto [by_address, by_key] = part_by_what_is_known(group.doubts, correlate_.has_value());
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

bool ReconcileJob::may_resend() const {
  return push_.doubt == config::Push::Doubt::resend && correlate_.has_value();
}

TimePoint ReconcileJob::rest(TimePoint now) {
  status_.caught_up = true;
  if (!context_.once() && !unanswered_.empty()) {
    unanswered_.clear();  // the rows have been decided
    retry_.succeeded();
  }
  return now + std::max<Duration>(push_.every, kLookAgain);
}

// Reads one page of the first search; after its last page the search is settled, and after the last
// search the job is idle.
TimePoint ReconcileJob::walk(Round& round, TimePoint now) {
  const auto answer = round.ask(context_.api(), now);
  Search& search = round.searches.front();
  const auto later = when_again(answer, retry_, now);
  const auto* unanswered = std::get_if<PageWalk::Unanswered>(&answer);
  if (unanswered == nullptr && later) return *later;
  if (unanswered != nullptr && may_be_away(unanswered->trouble)) {
    const bool others_are_answered = search.unreached && round.unreached == 0;
    if (!others_are_answered) return std::max(*later, ask_others(round, now));
  }
  const bool was_away = std::exchange(round.unreached, 0) > 0;
  if (was_away && put_control_first(round)) return later.value_or(now);
  if (unanswered != nullptr) {
    give_up(search, unanswered->trouble);
  } else if (!take_answer(search, answer, correlate_)) {
    if (round.walk->is_further()) tell_answered(round);
    return now;
  }
  search.unreached = false;
  tell_answered(round);
  Round rest = std::move(round);
  Search finished = rest.finish();
  state_ = Idle{};  // if the database fails now, the rows are still in doubt in the ledger
  settle(finished, rest);
  for (auto& left : rest.given_up_after(finished, unanswered != nullptr))
    settle(left, rest);
  rest.repeat_control(!rest.absent.empty(), context_.database().now());
  const TimePoint next = later.value_or(now);
  if (rest.searches.empty()) return std::max(next, next_group(std::move(rest.rest), now));
  state_ = std::move(rest);
  return next;
}

// The other searches of the round tell whether the service is away, the control search before all.
// Where none of them is reached, the rows are looked up again in the next round. Returns when to go
// on.
TimePoint ReconcileJob::ask_others(Round& round, TimePoint now) {
  auto& searches = round.searches;
  searches.front().unreached = true;
  std::rotate(searches.begin(), searches.begin() + 1, searches.end());
  round.walk.reset();
  ++round.unreached;
  const bool has_control =
      std::ranges::find(searches, Search::Kind::control, &Search::kind) != searches.end();
  if (round.control_search && !has_control) searches.push_front(*round.control_search);
  if (context_.once() || round.unreached < searches.size()) return now;
  DoubtsFound rest = std::move(round.rest);
  state_ = Idle{};
  return next_group(std::move(rest), now);
}

// A control search that was not reached is asked again before anything is judged by it. Returns
// whether there is one.
bool ReconcileJob::put_control_first(Round& round) {
  auto& searches = round.searches;
  const auto control = std::ranges::find(searches, Search::Kind::control, &Search::kind);
  if (control == searches.begin() || control == searches.end()) return false;
  std::rotate(searches.begin(), control, control + 1);
  round.walk.reset();
  return true;
}

// Nothing works again before each search of the round that was not reached has been answered.
void ReconcileJob::tell_answered(const Round& round) {
  const bool lacks = std::ranges::any_of(round.searches, &Search::unreached);
  lacks ? retry_.rested(unanswered_) : retry_.succeeded(unanswered_);
}

// The search may be answered at the next round, and proves no absence now. Other rows are not kept
// waiting.
void ReconcileJob::give_up(Search& search, const service::Trouble& trouble) {
  search.complete = false;
  search.answered = search.answered && service::is_without_list(trouble);
  gave_up_ = true;
  unanswered_ = "the service does not answer a search for " +
                counted(static_cast<std::int64_t>(search.doubts.size()), "row") +
                " in doubt: " + trouble.detail;
}

// Stores what a finished search says of its rows. A row that a broad search did not find gets an
// exact search if it may be sent again.
void ReconcileJob::settle(Search& search, Round& round) {
  if (search.kind == Search::Kind::control) return settle_control(search, round);
  auto pushes = names_of(context_.settings().pushes);
  pushes.insert(pushes.end(), names_.begin(), names_.end());
  drop_known(search, *ledger_, pushes);
  const ReadBackDecision judgement =
      judge(search, {push_.settle, may_resend(), round.control, !column_.empty()});
  for (const auto& doubt : judgement.look_exactly) {
    round.searches.push_back(
        exact_search(Search::Kind::exact, doubt, correlate_->id, search.begun));
    round.searches.back().complete = search.complete;
    round.searches.back().answered = search.answered;
    if (const auto known = search.answering.find(doubt.key); known != search.answering.end())
      round.searches.back().answering.insert(*known);
  }
  round.absent.insert(round.absent.end(), judgement.absent.begin(), judgement.absent.end());
  if (judgement.found_twice > 0)
    tell_found_twice(context_.log(), name_, round.push, judgement.found_twice,
                     judgement.first_twice, context_.settings().file);
  resolve(round.push, judgement.verdicts);
}

void ReconcileJob::settle_control(const Search& search, Round& round) {
  const TimePoint db_now = context_.database().now();
  const Duration between = round.take_control(search, db_now);
  const auto absent = std::exchange(round.absent, {});
  resolve(round.push, confirmed(absent, round.control, between, db_now));
}

// Stores verdicts and reports how many there are of each kind. What has not arrived, of a push that
// is not configured, goes out again where the query of a push returns it.
void ReconcileJob::resolve(const std::string& push,
                           const std::vector<crm::Ledger::Verdict>& verdicts) {
  if (verdicts.empty()) return;
  const auto moved = ledger_->resolve(push, verdicts);
  if (moved == 0) return;  // another instance has settled them
  status_.done += moved;
  count_rows(context_.recorder(), push, verdicts, row_outcome::kFound);
  const auto count = [&](crm::State state) {
    return std::ranges::count(verdicts, state, &crm::Ledger::Verdict::state);
  };
  const auto say = [&](std::int64_t n, const char* what) {
    if (n > 0) context_.log().warn(counted(n, "row") + " in doubt " + what, {.job = name_});
  };
  say(count(crm::State::sent), "had arrived");
  say(count(crm::State::pending),
      push == push_.name ? "had not arrived: sent again" : "had not arrived");
  if (const auto held = count(crm::State::held); held > 0) {
    context_.log().error(counted(held, "row") + " held: see `" +
                             with_file("surveybridge doubt list", context_.settings().file) + "`",
                         {.job = name_, .event = &kHeld});
  }
}

}  // namespace surveybridge::daemon
