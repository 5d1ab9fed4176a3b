// The second half of a push's step: the POST, what its answer means for each row, and what the push
// learns from it.
#include <algorithm>
#include <utility>

#include "connectors/crm/ledger/sent_keys.hpp"
#include "daemon/job/command_text.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/job/log_events.hpp"
#include "daemon/push/push_job.hpp"
#include "daemon/push/refusal_reason.hpp"
#include "daemon/push/row_counts.hpp"
#include "mapping/field_map/batch.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kConfigurationWait = std::chrono::minutes{5};
// Between two parts of a batch that is answered 403.
constexpr Duration kHalvingMax = std::chrono::seconds{10};
constexpr Duration kLately = std::chrono::hours{1};
// After so many lone refusals in a row, and nothing accepted in between, the rows cannot be the
// cause. The push waits then; otherwise it would quarantine the whole table.
constexpr int kLoneRefusalsMax = 5;

// Asked right before the first byte, by libcurl, which lets no exception through.
bool is_ours(crm::Database& database, const std::string& batch) {
  try {
    return crm::is_claimed(database, batch);
  } catch (const crm::DatabaseError&) {
    return false;
  }
}

}  // namespace

// Claimed → idle: the batch is on its way. The request gives its slot back when it has ended.
void PushJob::send(std::shared_ptr<const RequestSlot> slot, TimePoint now) {
  auto& claimed = std::get<ClaimedBatch>(state_);
  std::vector<mapping::Record> customers;
  for (const auto& item : claimed.items())
    customers.push_back(item.customer);
  const auto& zone = context_.settings().crm.time_zone;
  auto request = mapping::batch_of(push_.batch, std::move(customers), now, zone);
  // After so long other instances may consider this one dead, and it must not send any more. A
  // clock that stood still with this machine does not say so; the ledger does.
  const Duration latest = claimed_at_ + latest_start(context_.settings());
  ClaimedBatch batch = std::move(claimed);
  std::string id = batch.id();
  state_.emplace<Idle>();
  posts_.begin(std::move(batch), [request = std::move(request), id = std::move(id), latest, now,
                                  slot = std::move(slot), &environment = context_.environment()](
                                     Posts::Line& line) mutable {
    const auto held = std::move(slot);
    return line.service.api->add(
        request, now, [&] { return environment.uptime() < latest && is_ours(*line.database, id); });
  });
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
PushDecision PushJob::decide(const ClaimedBatch& batch, const service::AddOutcome& answered) {
  const auto keys = keys_of(batch.items());
  const service::AddOutcome outcome = forbidden_.judge_wait(believed(answered), keys);
  const bool refused = std::holds_alternative<service::Refused>(outcome);
  PushDecision decision =
      after_push(keys, outcome, refused && ledger_->keeps_what_it_refuses(push_.name));
  if (!brake_.is_released()) {
    const auto lately = lately_refused(decision);
    decision = doubt_refusals(std::move(decision), lately);
  }
  if (decision.forbidden) decision = forbidden_.judge(std::move(decision), push_.name, *ledger_);
  return decision;
}

// Writes into the ledger what has become of a batch. Throws DatabaseError; then it can be repeated.
PushJob::Settled PushJob::settle(Posts::Post* post) {
  if (const auto outcome = std::exchange(post->outcome, std::nullopt))
    post->batch.decide(decide(post->batch, *outcome));
  post->batch.settle();
  Settled settled{post->batch.decision(), post->batch.id()};
  posts_.remove(post);
  const auto& verdicts = settled.decision.verdicts;
  count_rows(context_.recorder(), push_.name, verdicts);
  sent_ += std::ranges::count(verdicts, crm::State::sent, &crm::Ledger::Verdict::state);
  accepts_ = settled.decision.answer.outcome == crm::Outcome::accepted;
  failed_ = !accepts_;
  if (!accepts_) state_.emplace<Idle>();  // what is prepared was chosen without this answer
  learn(settled);
  ledger_statistics_.claimed(verdicts.size(), *ledger_);
  return settled;
}

// Settles `first` and what is answered besides. When to come again, where an answer asks to wait.
std::optional<TimePoint> PushJob::settle_answered(Posts::Post* first, TimePoint now) {
  TimePoint later = now;
  for (Posts::Post* post = first; post != nullptr; post = posts_.answered())
    later = std::max(later, carry_on(settle(post), now));
  if (later > now) return later;
  return std::nullopt;
}

// Read only when a row would be quarantined: it counts the batches of an hour.
crm::Ledger::Refusals PushJob::lately_refused(const PushDecision& decision) {
  const bool any = std::ranges::any_of(decision.verdicts, [](const auto& verdict) {
    return verdict.state == crm::State::quarantined;
  });
  if (!any) return {};
  return ledger_->refusals_since(push_.name, context_.database().now() - kLately);
}

void PushJob::learn(const Settled& settled) {
  const auto& [decision, batch] = settled;
  size_.learn(decision);
  choice_.splits().add(decision.retry_split);
  // Ask the service for its data columns first: a batch that it does not answer is in doubt.
  if (decision.probe || decision.unreachable) current_mapper_.forget();
  if (decision.answer.outcome == crm::Outcome::accepted) {
    status_.done += static_cast<std::int64_t>(decision.verdicts.size());
    lone_refusals_ = 0;
    forbidden_.accepted(decision);
    retry_.succeeded(choice_.rows().not_sent());
  }
  std::vector<std::string> refused;
  for (const auto& verdict : decision.verdicts) {
    if (verdict.state == crm::State::quarantined) refused.push_back(verdict.key);
  }
  report_held(settled);
  if (decision.delay > Duration{0}) delay(decision);
  if (!refused.empty())
    quarantine_.tell(refused.size(), refused.front(), std::string(kRefusedByService), batch);
  if (decision.answer.outcome == crm::Outcome::refused) {
    current_mapper_.forget();
    if (decision.verdicts.size() == 1) ++lone_refusals_;
  }
}

void PushJob::report_held(const Settled& settled) {
  const auto& [decision, batch] = settled;
  const auto held =
      std::ranges::count(decision.verdicts, crm::State::held, &crm::Ledger::Verdict::state);
  if (held == 0) return;
  context_.log().error(counted(held, "row") + " held: see `" +
                           with_file("surveybridge doubt list", context_.settings().file) + "`",
                       {.job = name_, .batch = batch, .event = &kHeld});
}

void PushJob::delay(const PushDecision& decision) {
  const TimePoint until = context_.database().now() + decision.delay;
  std::vector<crm::Ledger::Delay> delays;
  for (const auto& verdict : decision.verdicts)
    delays.push_back({verdict.key, verdict.reason, until});
  ledger_->delay(push_.name, delays);
  if (!context_.once()) retry_.report(decision.fault, decision.trouble);
}

TimePoint PushJob::carry_on(const Settled& settled, TimePoint now) {
  const auto& [decision, batch] = settled;
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
  if (!halving || !context_.once()) retry_.report(decision.fault, decision.trouble, batch);
  if (halving) return retry_.wait(now, Duration{0}, kHalvingMax);
  const bool soon = decision.unreachable && decision.answer.outcome == crm::Outcome::not_sent;
  return retry_.wait(now, decision.floor, soon ? kUnreachableMax : kBackoffMax);
}

}  // namespace surveybridge::daemon
