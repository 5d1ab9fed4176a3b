#include "daemon/push/push_job.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "connectors/crm/daemon_state/sweep_store.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/push/row_counts.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/field_map/batch.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kConfigurationWait = std::chrono::minutes{5};
constexpr Duration kTurnWait = std::chrono::milliseconds{500};
constexpr Duration kHoldBack = std::chrono::minutes{1};
// Between the end of a step and the next one, beyond the time that it asked for.
constexpr Duration kStoodStill = std::chrono::seconds{2};
// A restore check without proof is made again, at first after a minute.
constexpr Duration kCheckAgainMax = std::chrono::minutes{30};
// How a trouble of the restore check begins.
constexpr std::string_view kOfCheck = "restore check: ";
// For a list that was never read: it is on its way.
constexpr Duration kFirstRead = std::chrono::seconds{5};
constexpr Duration kStaysPrepared = std::chrono::seconds{1};
// Until then a batch waits for the pace rather than for the answer of another one.
constexpr Duration kSoon = std::chrono::seconds{1};
// Between two parts of a batch that is answered 403.
constexpr Duration kHalvingMax = std::chrono::seconds{10};
constexpr Duration kLately = std::chrono::hours{1};
// After so many lone refusals in a row, and nothing accepted in between, the rows cannot be the
// cause. The push waits then; otherwise it would quarantine the whole table.
constexpr int kLoneRefusalsMax = 5;
// After so many rows of this process the database counts those of the ledger anew. PostgreSQL does
// so by itself, but not before a minute has passed: until then it would plan for the empty table
// that a first run begins with, and read the whole ledger for each batch.
constexpr std::array<std::int64_t, 2> kCountedAfter{1'000, 30'000};

// Asked right before the first byte, by libcurl, which lets no exception through.
bool is_ours(crm::Database& database, const std::string& batch) {
  try {
    return crm::is_claimed(database, batch);
  } catch (const crm::DatabaseError&) {
    return false;
  }
}

}  // namespace

PushJob::PushJob(const config::Push& push, const Shared& shared, std::uint64_t seed)
    : push_(push),
      name_("push." + push.name),
      owner_(shared.environment.owner + "-" + push.name),
      context_(shared),
      random_(seed),
      retry_(shared.log, name_, shared.pace, status_, random_.seed()),
      current_mapper_(push, context_),
      quarantine_(push, context_),
      brake_(push, context_),
      choice_(push, context_, quarantine_, brake_),
      restore_check_(push, owner_, context_),
      posts_(context_) {}

// A process that stood still may go on beside a ledger that was restored meanwhile.
TimePoint PushJob::step(TimePoint now) {
  const Duration begun = context_.environment().uptime();
  if (expected_ && begun > *expected_ + kStoodStill) restore_check_.require();
  const TimePoint next = work(now);
  expected_.reset();
  if (next != kNever)
    expected_ = context_.environment().uptime() + std::max(next - now, Duration{0});
  return next;
}

TimePoint PushJob::work(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  if (!ledger_) {
    const TimePoint crm_now = context_.crm_now(context_.database().now());
    crm::note_first_run(context_.database(), push_.name, crm_now);
    ledger_.emplace(context_.database());
  }
  settle_claim();
  if (const auto later = settle_answered(posts_.answered(), now)) return *later;
  if (std::exchange(asked_for_, false))
    forbidden_.let_go(push_.name, *ledger_, context_.database());
  const bool has_place = posts_.size() < static_cast<std::size_t>(push_.in_flight);
  const TimePoint next = has_place ? begin(now) : prepare(now).value_or(kNever);
  if (posts_.empty()) return next;
  // A batch goes alone until one is accepted. Where nothing more can begin soon, what is on its way
  // decides what comes next.
  const bool waits = !is_accepting() || next > now + kSoon;
  Batch* answered = waits ? posts_.first_answered() : posts_.answered();
  if (answered == nullptr) return next;
  status_.caught_up = false;
  return settle_answered(answered, now).value_or(now);
}

// Prepares a batch and lets it go. When to come again.
TimePoint PushJob::begin(TimePoint now) {
  const Requester requester{name_, RequestClass::write};
  if (const auto later = context_.once() ? std::nullopt : context_.pace().held(now, requester))
    return *later;
  if (const auto later = prepare(now)) return *later;
  auto turn = SuppressionTurn::take(context_.database(), context_.settings(), push_, owner_);
  if (!turn) return now + kTurnWait;
  if (!screen_again()) return now;
  turn->renew();
  if (const auto later = context_.pace().attempt(now, requester)) return *later;
  auto slot = std::make_shared<const RequestSlot>(context_.pace(), RequestClass::write);
  if (!claim(turn->lease())) return now;
  turn->give_back();
  send(std::move(slot), now);
  return now;
}

void PushJob::make_due() {
  asked_for_ = true;
  check_again_ = TimePoint{};
}

void PushJob::leave() {
  if (!ledger_) return;
  settle_claim();
  while (!posts_.empty())
    settle(posts_.first_answered());
  quarantine_.tell_rest();
  next_.reset();
  if (lease_) crm::Leases(context_.database()).release(*lease_);
  lease_.reset();
}

// A batch of an earlier step that ended before its request began.
void PushJob::settle_claim() {
  if (!next_ || !next_->is_claimed()) return;
  next_->settle();
  const auto settled = std::move(next_);
  count_rows(context_.recorder(), push_.name, settled->decision().verdicts);
  learn(*settled);
}

// Chooses the next batch; or when to come again. One that had to wait for the pace stays prepared
// for a moment, so that it need not be chosen again when the pace lets it go.
std::optional<TimePoint> PushJob::prepare(TimePoint now) {
  if (next_ && now - next_->chosen_at < kStaysPrepared) return std::nullopt;
  next_.reset();
  try {
    return choose(now);
  } catch (const crm::DatabaseError&) {
    status_.interrupted = true;
    throw;
  }
}

std::optional<TimePoint> PushJob::choose(TimePoint now) {
  const TimePoint db_now = context_.database().now();
  if (const auto later = make_mapper(now)) return later;
  if (const auto later = blocked_until(db_now, now)) return later;
  if (const auto later = check_restored(now)) return later;
  auto batch = choice_.next(*mapper_, db_now);
  status_.interrupted = false;
  if (!batch) return posts_.empty() ? rest(now) : kNever;
  if (batch->held) return report_blocked(*batch->held, now);
  if (batch->items.empty()) return now;
  batch->chosen_at = now;
  next_ = std::move(batch);
  return std::nullopt;
}

// When to come again where nothing may go out now; empty: it may.
std::optional<TimePoint> PushJob::blocked_until(TimePoint db_now, TimePoint now) {
  const TimePoint at = opening(push_, context_.settings().crm.time_zone, db_now);
  if (at > db_now) {
    status_.caught_up = context_.once();  // all that could be done has been
    retry_.succeeded(choice_.rows().not_sent());
    return context_.once() ? kNever : now + std::min<Duration>(at - db_now, kHoldBack);
  }
  if (!started_ || *started_ > db_now) started_ = db_now;  // a clock was put back
  const auto start = context_.once() ? std::nullopt : started_;
  if (const auto stale = choice_.suppression().stale(context_.database(), db_now, start)) {
    if (!stale->is_coming || context_.once()) return report_blocked(stale->why, now);
    retry_.report(JobStatus::Fault::unreachable, stale->why);
    return now + kFirstRead;
  }
  if (const auto why = brake_.holds(); why && !may_end_hold(now)) return report_blocked(*why, now);
  return std::nullopt;
}

// Does the push wait for the proof of a restore check only? It may be had now. A list of [suppress]
// that has its addresses again ends its hold.
bool PushJob::may_end_hold(TimePoint now) {
  if (brake_.reason().starts_with(kListLost)) {
    if (!choice_.lists_are_back()) return false;
    brake_.end();
    return true;
  }
  if (!brake_.reason().starts_with(kNotKnown) || push_.correlate.empty()) return false;
  restore_check_.require();
  return now >= check_again_;
}

// When to come again while the ledger is checked against the service's list; empty: it is checked.
std::optional<TimePoint> PushJob::check_restored(TimePoint now) {
  if (!restore_check_.is_due()) return std::nullopt;
  const auto answer =
      restore_check_.step(choice_.rows().source(), *mapper_, current_mapper_.correlate(), now);
  if (const auto* trouble = std::get_if<service::Trouble>(&answer))
    return retry_.failed(retry_after(Operation::search, *trouble), *trouble, now,
                         std::string(kOfCheck));
  const auto* later = std::get_if<RestoreCheck::Later>(&answer);
  const bool has_got_on = later == nullptr || later->answered;
  if (has_got_on && status_.trouble.starts_with(kOfCheck)) retry_.rested();
  if (later != nullptr) return std::max(later->at, now);
  const auto& [found, lacks] = std::get<RestoreCheck::Result>(answer);
  if (lacks) {
    const int before = std::min(checks_without_proof_++, 5);
    check_again_ = now + std::min<Duration>(kHoldBack * (1 << before), kCheckAgainMax);
    const std::string why = std::string(kNotKnown) + *lacks;
    return report_blocked(brake_.hold(found == 0 ? why : restored_text(found) + "; " + why), now);
  }
  checks_without_proof_ = 0;
  if (brake_.reason().starts_with(kNotKnown)) brake_.end();
  if (found == 0) return std::nullopt;
  return report_blocked(brake_.hold(restored_text(found)), now);
}

// Asks once more who of the batch may be mailed: other pushes may have mailed some since the batch
// was chosen. While this push has the turn, no other push does so. False: nobody is left.
bool PushJob::screen_again() {
  next_->items = choice_.mailable(std::move(next_->items), context_.database().now());
  if (!next_->items.empty()) return true;
  next_.reset();
  return false;
}

// What this process has sent before and the ledger does not know any more is not claimed again: it
// may have arrived. Nor is the rest of the batch, before the ledger is checked. False: nothing
// is lost.
bool PushJob::doubt_lost(const std::vector<crm::Claim>& claims) {
  auto lost = restore_check_.lost(keys_of(next_->items));
  if (lost.empty()) return false;
  context_.log().warn("the ledger has lost " + counted(std::ssize(lost), "row") +
                          " that went out: they are looked up, and the ledger is checked",
                      {.job = name_});
  ledger_->doubt_listed({.id = {},
                         .push = push_.name,
                         .owner = owner_,
                         .test = is_test(push_.batch),
                         .service = service_of(push_, context_.settings()),
                         .correlate = push_.correlate,
                         .pushes = names_of(context_.settings().pushes),
                         .lost = std::move(lost)},
                        claims);
  next_.reset();
  return true;
}

// Durable before the first byte leaves. False: no row is ours, because other instances took every
// one or the ledger has lost some.
bool PushJob::claim(const std::optional<crm::Lease>& turn) {
  const std::size_t wanted = next_->items.size();
  std::vector<crm::Claim> claims;
  for (const auto& item : next_->items)
    claims.push_back(item.claim);
  if (doubt_lost(claims)) return false;
  claimed_at_ = context_.environment().uptime();  // before the lease begins, never after
  lease_ = crm::Leases(context_.database())
               .take("instance:" + owner_, owner_, lease_duration(context_.settings()));
  next_->begin_claim(*ledger_, push_.name, random_.id());
  const auto& settings = context_.settings();
  const auto ours = ledger_->claim({.id = next_->id(),
                                    .push = push_.name,
                                    .owner = owner_,
                                    .test = is_test(push_.batch),
                                    .service = service_of(push_, settings),
                                    .correlate = push_.correlate,
                                    .pushes = names_of(settings.pushes),
                                    .barring = barring_facts(settings.suppress)},
                                   claims, turn, brake_.quota());
  choice_.rows().claimed(ours);
  if (!ours.empty()) restore_check_.claimed(next_->id(), ours);
  const bool others_claim = 2 * ours.size() < wanted && !brake_.is_released();
  if (others_claim) choice_.rows().go_on_behind(random_.unit());
  next_->confirm(ours);
  if (ours.empty()) {
    if (!brake_.took_none()) next_->end_split();
    next_.reset();
  }
  brake_.pass(ours.size());
  return !ours.empty();
}

// The mapper of this step, or when to come again.
std::optional<TimePoint> PushJob::make_mapper(TimePoint now) {
  auto answer = current_mapper_.get(choice_.rows().source(), now);
  if (const auto* mapper = std::get_if<const mapping::Mapper*>(&answer)) {
    mapper_ = *mapper;
    return std::nullopt;
  }
  if (const auto* later = std::get_if<CurrentMapper::Later>(&answer)) return later->at;
  if (const auto* trouble = std::get_if<service::Trouble>(&answer)) {
    const Retry retry = retry_after(Operation::column, *trouble);
    return retry_.failed(retry, *trouble, now, "data columns: ");
  }
  const auto& problems = std::get<std::vector<config::Problem>>(answer);
  retry_.report(JobStatus::Fault::configuration, to_string(problems.front()));
  return now + kConfigurationWait;
}

TimePoint PushJob::rest(TimePoint now) {
  status_.caught_up = true;
  quarantine_.tell_rest();
  const auto sent = std::exchange(sent_, 0);
  if (sent > 0 && !context_.once())  // `sync` says it at its end
    context_.log().info(std::to_string(sent) + " sent", {.job = name_});
  choice_.rest();
  if (!choice_.rows().in_whole_sweep()) brake_.rest(choice_.rows().source());
  const std::string not_sent = choice_.rows().not_sent();
  const bool has_failed = last_outcome_ != crm::Outcome::none && !is_accepting();
  has_failed && !context_.once() ? retry_.rested(not_sent) : retry_.succeeded(not_sent);
  if (const auto why = forbidden_.why_rows_wait(push_.name, *ledger_); !why.empty()) {
    retry_.report(JobStatus::Fault::configuration, why);
    status_.degraded = is_accepting();
  }
  return now + push_.every;
}

// Reports why nothing may go out, and looks again in a minute. A person can change that.
TimePoint PushJob::report_blocked(const std::string& why, TimePoint now) {
  retry_.report(JobStatus::Fault::person, why);
  return context_.once() ? kNever : now + kHoldBack;
}

// The batch is on its way. The request gives its slot back when it has ended.
void PushJob::send(std::shared_ptr<const RequestSlot> slot, TimePoint now) {
  std::vector<mapping::Record> customers;
  for (const auto& item : next_->items)
    customers.push_back(item.customer);
  const auto& zone = context_.settings().crm.time_zone;
  auto request = mapping::batch_of(push_.batch, std::move(customers), now, zone);
  // After so long other instances may consider this one dead, and it must not send any more. A
  // clock that stood still with this machine does not say so; the ledger does.
  const Duration latest = claimed_at_ + latest_start(context_.settings());
  auto post = [request = std::move(request), id = next_->id(), latest, now, slot = std::move(slot),
               &environment = context_.environment()](Batch::Line& line) mutable {
    const auto held = std::move(slot);
    return line.service.api->add(
        request, now, [&] { return environment.uptime() < latest && is_ours(*line.database, id); });
  };
  posts_.begin(std::move(next_), std::move(post));
}

// A service behind a proxy names an inner host in `Location`. What it answers so is believed once
// customers that were sent with such an answer are in its list.
service::AddOutcome PushJob::believed(service::AddOutcome outcome) {
  const auto* unknown = std::get_if<service::Unknown>(&outcome);
  if (unknown == nullptr) return outcome;
  const auto& [kind, status, wait, detail] = unknown->trouble;
  const bool foreign = kind == service::Trouble::Kind::malformed && status >= 200 && status < 300 &&
                       detail.find("points to another host (") != std::string::npos;
  if (!foreign || !crm::is_proved_answer(context_.database(), push_.name, status, detail))
    return outcome;
  return service::Accepted{status};
}

// What an answer means for each row.
PushDecision PushJob::decide(const Batch& batch, const service::AddOutcome& answered) {
  const auto keys = keys_of(batch.items);
  const service::AddOutcome outcome = forbidden_.judge_wait(believed(answered), keys);
  const bool refused = std::holds_alternative<service::Refused>(outcome);
  PushDecision decision =
      after_push(keys, outcome, refused && ledger_->keeps_what_it_refuses(push_.name));
  const bool blames =
      decision.names_all || std::ranges::any_of(decision.verdicts, [](const auto& verdict) {
        return verdict.state == crm::State::quarantined;
      });
  // It counts the batches of an hour.
  if (blames && !brake_.is_released()) {
    const TimePoint since = context_.database().now() - kLately;
    decision = doubt_refusals(std::move(decision), ledger_->refusals_since(push_.name, since));
  }
  if (decision.forbidden) decision = forbidden_.judge(std::move(decision), push_.name, *ledger_);
  return decision;
}

// Writes into the ledger what has become of a batch. Throws DatabaseError; then it can be repeated.
std::unique_ptr<Batch> PushJob::settle(Batch* answered) {
  if (const auto outcome = std::exchange(answered->outcome, std::nullopt))
    answered->decide(decide(*answered, *outcome));
  answered->settle();
  auto settled = posts_.remove(answered);
  const auto& verdicts = settled->decision().verdicts;
  count_rows(context_.recorder(), push_.name, verdicts);
  sent_ += std::ranges::count(verdicts, crm::State::sent, &crm::Ledger::Verdict::state);
  last_outcome_ = settled->decision().answer.outcome;
  if (!is_accepting()) next_.reset();  // it was chosen without this answer
  learn(*settled);
  const auto before = std::exchange(settled_, settled_ + std::ssize(verdicts));
  for (const std::int64_t rows : kCountedAfter)
    if (before < rows && rows <= settled_) ledger_->renew_statistics();
  return settled;
}

// Settles `first` and what is answered besides. When to come again, where an answer asks to wait.
std::optional<TimePoint> PushJob::settle_answered(Batch* first, TimePoint now) {
  TimePoint later = now;
  for (Batch* batch = first; batch != nullptr; batch = posts_.answered())
    later = std::max(later, carry_on(*settle(batch), now));
  if (later > now) return later;
  return std::nullopt;
}

void PushJob::learn(const Batch& settled) {
  const PushDecision& decision = settled.decision();
  choice_.learn(decision);
  bool was_named = false;
  for (const auto& verdict : decision.verdicts) {
    if (verdict.state == crm::State::pending) restore_check_.unsent(verdict.key);
    if (verdict.state != crm::State::pending) was_named = named_.erase(verdict.key) > 0;
  }
  named_.insert(decision.named.begin(), decision.named.end());
  // Ask the service for its data columns first: a batch that it does not answer is in doubt.
  if (decision.probe || decision.unreachable) current_mapper_.forget();
  if (decision.answer.outcome == crm::Outcome::accepted) {
    status_.done += std::ssize(decision.verdicts);
    lone_refusals_ = 0;
    forbidden_.accepted(decision);
    retry_.succeeded(choice_.rows().not_sent());
  }
  report_set_aside(settled);
  if (decision.delay > Duration{0}) delay(decision);
  if (decision.answer.outcome == crm::Outcome::refused) {
    current_mapper_.forget();
    if (decision.verdicts.size() == 1 && !was_named) ++lone_refusals_;
  }
}

// Of rows that are held or quarantined by an answer.
void PushJob::report_set_aside(const Batch& settled) {
  std::int64_t held = 0;
  std::vector<std::string> refused;
  for (const auto& verdict : settled.decision().verdicts) {
    if (verdict.state == crm::State::held) ++held;
    if (verdict.state == crm::State::quarantined) refused.push_back(verdict.key);
  }
  if (held > 0)
    context_.log().error(counted(held, "row") + " held: see `" +
                             with_file("surveybridge doubt list", context_.settings().file) + "`",
                         {.job = name_, .batch = settled.id(), .event = &kHeld});
  if (!refused.empty())
    quarantine_.tell(refused.size(), refused.front(), std::string(kRefusedByService), settled.id());
}

void PushJob::delay(const PushDecision& decision) {
  const TimePoint until = context_.database().now() + decision.delay;
  std::vector<crm::Ledger::Delay> delays;
  for (const auto& verdict : decision.verdicts)
    delays.push_back({verdict.key, verdict.reason, until});
  ledger_->delay(push_.name, delays);
  if (!context_.once()) retry_.report(decision.fault, decision.trouble);
}

TimePoint PushJob::carry_on(const Batch& settled, TimePoint now) {
  const PushDecision& decision = settled.decision();
  if (lone_refusals_ >= kLoneRefusalsMax) {
    lone_refusals_ = 0;
    retry_.report(JobStatus::Fault::person, "the service refuses one customer after the other");
    return now + kConfigurationWait;
  }
  switch (decision.next) {
    case PushDecision::Next::go_on:
      return now;
    case PushDecision::Next::ask:
      return report_blocked(brake_.hold(decision.trouble), now);
    case PushDecision::Next::wait:
      break;
  }
  // `sync` has the halves of a batch to send before it gives up.
  const bool halving = decision.forbidden && !forbidden_.is_everything();
  if (!halving || !context_.once()) retry_.report(decision.fault, decision.trouble, settled.id());
  if (halving) return retry_.wait(now, Duration{0}, kHalvingMax);
  const bool soon = decision.unreachable && decision.answer.outcome == crm::Outcome::not_sent;
  return retry_.wait(now, decision.floor, soon ? kUnreachableMax : kBackoffMax);
}

}  // namespace surveybridge::daemon
