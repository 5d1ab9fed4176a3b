#include "daemon/push/push_job.hpp"

#include <algorithm>
#include <utility>

#include "daemon/job/backoff.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "mapping/field_map/constant.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kConfigurationWait = std::chrono::minutes{5};
constexpr Duration kTurnWait = std::chrono::milliseconds{500};
constexpr Duration kHoldBack = std::chrono::minutes{1};
constexpr Duration kStaysReady = std::chrono::seconds{1};
// So many rows refused alone, one after another and nothing accepted in between: then it is not the
// rows. Better to stand still than to set a whole table aside.
constexpr int kLoneRefusalsMax = 5;

std::vector<std::string> keys_of(const std::vector<BatchItem>& batch) {
  std::vector<std::string> keys;
  for (const auto& item : batch)
    keys.push_back(item.claim.key);
  return keys;
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
      undated_rows_(push),
      suppression_(push.name, shared.settings),
      brake_(push, context_),
      size_cap_(static_cast<std::size_t>(push.batch.size)) {}

TimePoint PushJob::step(TimePoint now) {
  status_.caught_up = false;
  context_.open();
  if (!ledger_) ledger_.emplace(context_.database());
  settle_open();
  if (retry_.stands_still()) return kNever;
  const Requester requester{name_, RequestClass::write};
  if (const auto later = context_.once() ? std::nullopt : context_.pace().held(now, requester))
    return *later;
  if (const auto later = make_ready(now)) return *later;
  if (!suppression_.take_turn(context_.database(), owner_)) return now + kTurnWait;
  if (!screen_again()) return now;
  if (const auto later = context_.pace().attempt(now, requester)) {
    suppression_.end_turn(context_.database());
    return *later;
  }
  const RequestSlot place(context_.pace(), RequestClass::write);

  // Durable before the first byte leaves.
  const auto batch = claim(std::exchange(ready_, std::nullopt)->batch);
  if (batch.empty()) return now;
  // Should the step end without an answer, that is an answer too: it may have arrived.
  open_->decision =
      after_push(open_->keys, service::Unknown{{service::Trouble::Kind::unavailable, 0,
                                                std::nullopt, "the step ended without an answer"}});
  const auto outcome = send(batch, now);
  const bool refused = std::holds_alternative<service::Refused>(outcome);
  open_->decision =
      after_push(open_->keys, outcome, refused && ledger_->keeps_what_it_refuses(push_.name));
  const PushDecision decision = open_->decision;
  settle_open();
  return carry_on(decision, now);
}

// The batch that goes next, or when to come again. One that had to wait for the pace is still good
// for a moment, so that its turn is not spent on finding it again.
std::optional<TimePoint> PushJob::make_ready(TimePoint now) {
  if (ready_ && now - ready_->since < kStaysReady) return std::nullopt;
  ready_.reset();
  const TimePoint db_now = context_.database().now();
  if (const auto later = prepare(now)) return later;
  if (const auto later = held_back(db_now, now)) return later;
  auto found = next_batch(db_now);
  if (!found) return rest(now);
  if (found->empty()) return now;
  const auto rows = static_cast<std::int64_t>(found->size());
  if (const auto why = brake_.look(rows, more_wait_, *source_, db_now)) return hold_back(*why, now);
  ready_ = Ready{std::move(*found), now};
  return std::nullopt;
}

// Who was mailable when the batch was found may not be any more, and in the turn that is ours now
// nobody else asks the same people. False: nobody of the batch is left.
bool PushJob::screen_again() {
  ready_->batch = mailable(std::move(ready_->batch), context_.database().now());
  if (!ready_->batch.empty()) return true;
  ready_.reset();
  suppression_.end_turn(context_.database());
  return false;
}

void PushJob::leave() {
  if (!ledger_) return;
  settle_open();
  suppression_.end_turn(context_.database());
  if (lease_) crm::Leases(context_.database()).release(*lease_);
  lease_.reset();
}

// Tells the ledger the fate of the batch under way. Also finishes what an earlier step, cut short
// by the database, could not.
void PushJob::settle_open() {
  if (!open_) return;
  ledger_->settle(push_.name, open_->batch, open_->decision.answer, open_->decision.verdicts);
  open_.reset();
}

// The ledger has every reason; the first is told. The service's own words are not: they may hold
// what a log must not.
void PushJob::tell_quarantined(std::size_t rows, const std::string& key, const std::string& why) {
  context_.log().warn(name_ + ": " + std::to_string(rows) + " rows quarantined; the first: " + key +
                      ": " + why);
}

void PushJob::set_aside(const std::vector<std::pair<std::string, std::string>>& keys_and_reasons) {
  if (keys_and_reasons.empty()) return;
  ledger_->set_aside(push_.name, crm::State::quarantined, keys_and_reasons);
  tell_quarantined(keys_and_reasons.size(), keys_and_reasons.front().first,
                   keys_and_reasons.front().second);
}

std::vector<mapping::Row> PushJob::accept(crm::Rows rows) {
  std::vector<std::pair<std::string, std::string>> twins;
  for (auto& key : rows.duplicate_keys) {
    twins.emplace_back(std::move(key), "the query returns this key for several different rows");
  }
  set_aside(twins);
  return std::move(rows.rows);
}

// First what was refused together and goes apart, then what is pending, then what is new. Empty:
// none of these rows can go, there may be more. None at all: nothing is left.
std::optional<std::vector<mapping::Row>> PushJob::next_rows(TimePoint db_now) {
  const int limit = static_cast<int>(size_cap_) * 2;
  while (!split_batches_.empty()) {
    // Whoever of them is no longer pending cannot be claimed again.
    auto rows = accept(source_->by_key(split_batches_.front()));
    if (!rows.empty()) return rows;
    split_batches_.pop_front();
  }
  auto pending = source_->pending(limit);
  std::vector<std::pair<std::string, std::string>> gone;
  for (auto& key : pending.gone) {
    gone.emplace_back(std::move(key), "the query no longer returns this transaction");
  }
  const bool some = !gone.empty() || !pending.rows.duplicate_keys.empty();
  set_aside(gone);
  if (auto rows = accept(std::move(pending.rows)); some || !rows.empty()) return rows;
  const TimePoint start = mapping::instant_of(push_.start, context_.settings().crm.time_zone);
  const TimePoint since = std::max(start, db_now - push_.look_back);
  if (const auto undated = undated_rows_.look(*source_, *ledger_, since, db_now); undated > 0)
    context_.log().warn(name_ + ": " + std::to_string(undated) + " rows quarantined: \"" +
                        push_.when + "\" (when) is no date in them");
  auto found = source_->next(since, db_now, limit);
  keyless_ = found.without_key == 0
                 ? ""
                 : std::to_string(found.without_key) + " rows have no \"" + push_.key +
                       "\" (key), or one of more than " + std::to_string(crm::kKeyBytesMax) +
                       " bytes, and are never sent";
  const bool twins = !found.duplicate_keys.empty();
  auto rows = accept(std::move(found));
  if (rows.empty() && !twins) return std::nullopt;
  return rows;
}

// Rows that were refused together, looked up and found absent go again in half as many. That is
// in the database, since they may have waited for their read-back longer than this instance lives.
std::size_t PushJob::most_at_once() {
  if (probing_) return 1;
  if (!split_batches_.empty()) return size_cap_;
  const auto smallest = static_cast<std::size_t>(ledger_->smallest_refused(push_.name));
  if (smallest == 0 || !ledger_->keeps_what_it_refuses(push_.name)) return size_cap_;
  return std::clamp<std::size_t>(smallest / 2, 1, size_cap_);
}

std::vector<BatchItem> PushJob::mailable(std::vector<BatchItem> items, TimePoint db_now) {
  auto screened = suppression_.rule(context_.database(), std::move(items), db_now);
  if (!screened.suppressed.empty()) {
    ledger_->set_aside(push_.name, crm::State::suppressed, screened.suppressed);
  }
  if (!screened.delayed.empty()) ledger_->delay(push_.name, screened.delayed);
  return std::move(screened.go);
}

std::optional<std::vector<BatchItem>> PushJob::next_batch(TimePoint db_now) {
  const auto found = next_rows(db_now);
  if (!found) return std::nullopt;
  const auto& rows = *found;
  const auto bytes = static_cast<std::size_t>(push_.batch.bytes);
  MappedRows mapped = map_rows(*mapper_, rows, push_.batch, db_now);
  more_wait_ = rows.size() > size_cap_ || mapped.left > 0;
  set_aside(mapped.set_aside);
  auto batch =
      cut_batch(mailable(std::move(mapped.items), db_now), std::min(most_at_once(), brake_.most()),
                bytes, may_repeat_address(push_, context_.settings()));
  // Nobody of a part that goes apart may be mailed any more, and it would be found again for ever.
  if (batch.empty() && !split_batches_.empty()) split_batches_.pop_front();
  return batch;
}

// The rows that are ours now; the others were taken by another instance in between.
std::vector<BatchItem> PushJob::claim(std::vector<BatchItem> batch) {
  batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(brake_.take(batch.size())), batch.end());
  if (batch.empty()) suppression_.end_turn(context_.database());
  if (batch.empty()) return batch;
  const std::string id = random_.id();
  claimed_at_ = context_.environment().uptime();  // before the lease begins, never after
  crm::Leases leases(context_.database());
  lease_ = leases.take("instance:" + owner_, owner_, lease_duration(context_.settings()));
  std::vector<crm::Claim> claims;
  for (const auto& item : batch)
    claims.push_back(item.claim);
  // Should the claim's own answer be lost, what it claimed was certainly not sent.
  open_ = Open{id, keys_of(batch), not_sent(keys_of(batch), "the claim could not be confirmed")};
  const auto ours =
      ledger_->claim({id, push_.name, owner_, is_test(push_.batch)}, claims, suppression_.turn());
  suppression_.end_turn(context_.database());
  std::erase_if(batch, [&](const BatchItem& item) {
    return std::find(ours.begin(), ours.end(), item.claim.key) == ours.end();
  });
  open_.reset();
  if (!batch.empty()) {
    open_ = Open{id, keys_of(batch), not_sent(keys_of(batch), "the step ended before the POST")};
  }
  brake_.pass(batch.size());
  if (batch.empty() && !split_batches_.empty()) split_batches_.pop_front();
  return batch;
}

service::AddOutcome PushJob::send(const std::vector<BatchItem>& batch, TimePoint now) {
  std::vector<mapping::Record> customers;
  for (const auto& item : batch)
    customers.push_back(item.customer);
  const auto& zone = context_.settings().crm.time_zone;
  const auto request = mapping::batch_of(push_.batch, std::move(customers), now, zone);
  // Whoever was paused so long that others may hold him for dead must not send any more.
  const Duration latest = claimed_at_ + lease_duration(context_.settings()) / 4;
  return context_.api().add(request, now,
                            [this, latest] { return context_.environment().uptime() < latest; });
}

void PushJob::learn(const PushDecision& decision) {
  if (decision.size_cap > 0) size_cap_ = decision.size_cap;
  if (!split_batches_.empty()) split_batches_.pop_front();
  split_batches_.insert(split_batches_.begin(), decision.retry_split.begin(),
                        decision.retry_split.end());
  probing_ = probing_ || decision.probe;
  if (decision.probe) current_mapper_.forget();  // ask the service for its data columns first
  if (decision.answer.outcome == "accepted") {
    probing_ = false;
    status_.done += static_cast<std::int64_t>(decision.verdicts.size());
    lone_refusals_ = 0;
    retry_.succeeded(keyless_);
  }
  std::vector<std::string> refused;
  for (const auto& verdict : decision.verdicts) {
    if (verdict.state == crm::State::quarantined) refused.push_back(verdict.key);
  }
  if (!refused.empty()) tell_quarantined(refused.size(), refused.front(), "refused by the service");
  if (decision.answer.outcome == "refused") {
    current_mapper_.forget();
    if (decision.verdicts.size() == 1) ++lone_refusals_;
  }
}

TimePoint PushJob::carry_on(const PushDecision& decision, TimePoint now) {
  learn(decision);
  if (lone_refusals_ >= kLoneRefusalsMax) {
    lone_refusals_ = 0;
    retry_.say(JobStatus::Fault::person, "the service refuses one customer after the other");
    return now + kConfigurationWait;
  }
  switch (decision.next) {
    case PushDecision::Next::go_on:
      return now;
    case PushDecision::Next::stand_still:
      return retry_.stand_still(decision.fault, decision.trouble);
    case PushDecision::Next::wait:
      break;
  }
  retry_.say(decision.fault, decision.trouble);
  return retry_.wait(now, decision.floor);
}

// The mapper of this step, or when to come again.
std::optional<TimePoint> PushJob::prepare(TimePoint now) {
  if (!source_) {
    source_.emplace(context_.database(),
                    crm::SourceQuery{push_.name, push_.query, push_.key, push_.when,
                                     context_.settings().crm.time_zone});
  }
  auto answer = current_mapper_.get(*source_, now);
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
  retry_.say(JobStatus::Fault::configuration, to_string(problems.front()));
  return now + kConfigurationWait;
}

TimePoint PushJob::rest(TimePoint now) {
  status_.caught_up = true;
  brake_.rest();
  retry_.succeeded(keyless_);
  size_cap_ = static_cast<std::size_t>(push_.batch.size);
  return now + push_.every;
}

std::optional<TimePoint> PushJob::held_back(TimePoint db_now, TimePoint now) {
  const TimePoint at = opening(push_.send_window, context_.settings().crm.time_zone, db_now);
  if (at > db_now) {
    status_.caught_up = context_.once();  // all that could be done has been
    retry_.succeeded(keyless_);
    return context_.once() ? kNever : now + std::min<Duration>(at - db_now, kHoldBack);
  }
  if (const auto why = suppression_.stale(context_.database(), db_now)) return hold_back(*why, now);
  if (const auto why = brake_.holds()) return hold_back(*why, now);
  return std::nullopt;
}

// Nothing goes out until that is otherwise; a person can see to it.
TimePoint PushJob::hold_back(const std::string& why, TimePoint now) {
  suppression_.end_turn(context_.database());
  retry_.say(JobStatus::Fault::person, why);
  return context_.once() ? kNever : now + kHoldBack;
}

}  // namespace surveybridge::daemon
