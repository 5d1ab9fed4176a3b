#include "daemon/push_job.hpp"

#include <algorithm>
#include <utility>

#include "daemon/pace/backoff.hpp"
#include "daemon/people/brake_rule.hpp"
#include "mapping/constant.hpp"

namespace surveybridge::daemon {

namespace {

constexpr Duration kConfigurationWait = std::chrono::minutes{5};
constexpr Duration kTurnWait = std::chrono::milliseconds{500};
constexpr Duration kHoldBack = std::chrono::minutes{1};
constexpr Duration kStaysReady = std::chrono::seconds{1};
// So many rows refused alone, one after another and nothing accepted in between: then it is not the
// rows. Better to stand still than to set a whole table aside.
constexpr int kLoneRefusalsMax = 5;

std::vector<std::string> keys_of(const std::vector<Invitation>& batch) {
  std::vector<std::string> keys;
  for (const auto& invitation : batch)
    keys.push_back(invitation.claim.key);
  return keys;
}

}  // namespace

PushJob::PushJob(const config::Push& push, const Shared& shared, std::uint64_t seed)
    : push_(push),
      name_("push." + push.name),
      owner_(shared.world.owner + "-" + push.name),
      desk_(shared),
      chance_(seed),
      patience_(shared.log, name_, shared.pace, standing_, chance_.seed()),
      current_mapper_(push, desk_),
      suppressor_(push.name, shared.settings),
      brake_(push, desk_),
      size_cap_(static_cast<std::size_t>(push.batch.size)) {}

TimePoint PushJob::step(TimePoint now) {
  standing_.caught_up = false;
  desk_.open();
  if (!ledger_) ledger_.emplace(desk_.database());
  settle_open();
  if (patience_.stands_still()) return kNever;
  const Asker asker{name_, Lane::write};
  if (const auto later = desk_.once() ? std::nullopt : desk_.pace().held(now, asker)) return *later;
  if (const auto later = make_ready(now)) return *later;
  if (!suppressor_.take_turn(desk_.database(), owner_)) return now + kTurnWait;
  if (!rule_again()) return now;
  if (const auto later = desk_.pace().attempt(now, asker)) {
    suppressor_.end_turn(desk_.database());
    return *later;
  }
  const Place place(desk_.pace(), Lane::write);

  // Durable before the first byte leaves.
  const auto batch = claim(std::exchange(ready_, std::nullopt)->batch);
  if (batch.empty()) return now;
  // Should the step end without an answer, that is an answer too: it may have arrived.
  open_->fate = after_push(open_->keys, service::Unknown{0, "the step ended without an answer"});
  const auto outcome = send(batch, now);
  const bool refused = std::holds_alternative<service::Refused>(outcome);
  open_->fate =
      after_push(open_->keys, outcome, refused && ledger_->keeps_what_it_refuses(push_.name));
  const Fate fate = open_->fate;
  settle_open();
  return carry_on(fate, now);
}

// The batch that goes next, or when to come again. One that had to wait for the pace is still good
// for a moment, so that its turn is not spent on finding it again.
std::optional<TimePoint> PushJob::make_ready(TimePoint now) {
  if (ready_ && now - ready_->since < kStaysReady) return std::nullopt;
  ready_.reset();
  const TimePoint today = desk_.database().now();
  if (const auto later = prepare(now)) return later;
  if (const auto later = held_back(today, now)) return later;
  auto found = next_batch(today);
  if (!found) return rest(now);
  if (found->empty()) return now;
  const auto rows = static_cast<std::int64_t>(found->size());
  if (const auto why = brake_.look(rows, more_wait_, *source_, today)) return hold_back(*why, now);
  ready_ = Ready{std::move(*found), now};
  return std::nullopt;
}

// Who was mailable when the batch was found may not be any more, and in the turn that is ours now
// nobody else asks the same people. False: nobody of the batch is left.
bool PushJob::rule_again() {
  ready_->batch = mailable(std::move(ready_->batch), desk_.database().now());
  if (!ready_->batch.empty()) return true;
  ready_.reset();
  suppressor_.end_turn(desk_.database());
  return false;
}

void PushJob::leave() {
  if (!ledger_) return;
  settle_open();
  suppressor_.end_turn(desk_.database());
  if (lease_) crm::Leases(desk_.database()).release(*lease_);
  lease_.reset();
}

// Tells the ledger the fate of the batch under way. Also finishes what an earlier step, cut short
// by the database, could not.
void PushJob::settle_open() {
  if (!open_) return;
  ledger_->settle(push_.name, open_->batch, open_->fate.answer, open_->fate.verdicts);
  open_.reset();
}

// The ledger has every reason; the first is told. The service's own words are not: they may hold
// what a log must not.
void PushJob::tell_quarantined(std::size_t rows, const std::string& key, const std::string& why) {
  desk_.log().warn(name_ + ": " + std::to_string(rows) + " rows quarantined; the first: " + key +
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
std::optional<std::vector<mapping::Row>> PushJob::next_rows(TimePoint today) {
  const int limit = static_cast<int>(size_cap_) * 2;
  while (!apart_.empty()) {
    // Whoever of them is no longer pending cannot be claimed again.
    auto rows = accept(source_->by_key(apart_.front()));
    if (!rows.empty()) return rows;
    apart_.pop_front();
  }
  auto pending = source_->pending(limit);
  std::vector<std::pair<std::string, std::string>> gone;
  for (auto& key : pending.gone) {
    gone.emplace_back(std::move(key), "the query no longer returns this transaction");
  }
  const bool some = !gone.empty() || !pending.rows.duplicate_keys.empty();
  set_aside(gone);
  if (auto rows = accept(std::move(pending.rows)); some || !rows.empty()) return rows;
  const TimePoint start = mapping::instant_of(push_.start, desk_.settings().crm.time_zone);
  const TimePoint since = std::max(start, today - push_.look_back);
  auto found = source_->next(since, today, limit);
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
  if (!apart_.empty()) return size_cap_;
  const auto smallest = static_cast<std::size_t>(ledger_->smallest_refused(push_.name));
  if (smallest == 0 || !ledger_->keeps_what_it_refuses(push_.name)) return size_cap_;
  return std::clamp<std::size_t>(smallest / 2, 1, size_cap_);
}

std::vector<Invitation> PushJob::mailable(std::vector<Invitation> invitations, TimePoint today) {
  auto ruled = suppressor_.rule(desk_.database(), std::move(invitations), today);
  if (!ruled.suppressed.empty()) {
    ledger_->set_aside(push_.name, crm::State::suppressed, ruled.suppressed);
  }
  if (!ruled.delayed.empty()) ledger_->delay(push_.name, ruled.delayed);
  return std::move(ruled.go);
}

std::optional<std::vector<Invitation>> PushJob::next_batch(TimePoint today) {
  const auto found = next_rows(today);
  if (!found) return std::nullopt;
  const auto& rows = *found;
  const auto bytes = static_cast<std::size_t>(push_.batch.bytes);
  Mapped mapped = map_rows(*mapper_, rows, push_.batch, today);
  more_wait_ = rows.size() > size_cap_ || mapped.left > 0;
  set_aside(mapped.set_aside);
  auto batch = cut_batch(mailable(std::move(mapped.invitations), today),
                         std::min(most_at_once(), brake_.most()), bytes,
                         may_repeat_address(push_, desk_.settings()));
  // Nobody of a part that goes apart may be mailed any more, and it would be found again for ever.
  if (batch.empty() && !apart_.empty()) apart_.pop_front();
  return batch;
}

// The rows that are ours now; the others were taken by another instance in between.
std::vector<Invitation> PushJob::claim(std::vector<Invitation> batch) {
  batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(brake_.take(batch.size())), batch.end());
  if (batch.empty()) suppressor_.end_turn(desk_.database());
  if (batch.empty()) return batch;
  const std::string id = chance_.id();
  claimed_at_ = desk_.world().uptime();  // before the lease begins, never after
  crm::Leases leases(desk_.database());
  lease_ = leases.take("instance:" + owner_, owner_, lease_duration(desk_.settings()));
  std::vector<crm::Claim> claims;
  for (const auto& invitation : batch)
    claims.push_back(invitation.claim);
  // Should the claim's own answer be lost, what it claimed was certainly not sent.
  open_ = Open{id, keys_of(batch), not_sent(keys_of(batch), "the claim could not be confirmed")};
  const auto ours =
      ledger_->claim({id, push_.name, owner_, is_test(push_.batch)}, claims, suppressor_.turn());
  suppressor_.end_turn(desk_.database());
  std::erase_if(batch, [&](const Invitation& invitation) {
    return std::find(ours.begin(), ours.end(), invitation.claim.key) == ours.end();
  });
  open_.reset();
  if (!batch.empty()) {
    open_ = Open{id, keys_of(batch), not_sent(keys_of(batch), "the step ended before the POST")};
  }
  brake_.pass(batch.size());
  if (batch.empty() && !apart_.empty()) apart_.pop_front();
  return batch;
}

service::AddOutcome PushJob::send(const std::vector<Invitation>& batch, TimePoint now) {
  std::vector<mapping::Record> customers;
  for (const auto& invitation : batch)
    customers.push_back(invitation.customer);
  const auto& zone = desk_.settings().crm.time_zone;
  const auto request = mapping::batch_of(push_.batch, std::move(customers), now, zone);
  // Whoever was paused so long that others may hold him for dead must not send any more.
  const Duration latest = claimed_at_ + lease_duration(desk_.settings()) / 4;
  return desk_.api().add(request, now, [this, latest] { return desk_.world().uptime() < latest; });
}

void PushJob::learn(const Fate& fate) {
  if (fate.size_cap > 0) size_cap_ = fate.size_cap;
  if (!apart_.empty()) apart_.pop_front();
  apart_.insert(apart_.begin(), fate.retry_apart.begin(), fate.retry_apart.end());
  if (fate.answer.outcome == "accepted") {
    standing_.done += static_cast<std::int64_t>(fate.verdicts.size());
    lone_refusals_ = 0;
    patience_.well(keyless_);
  }
  std::vector<std::string> refused;
  for (const auto& verdict : fate.verdicts) {
    if (verdict.state == crm::State::quarantined) refused.push_back(verdict.key);
  }
  if (!refused.empty()) tell_quarantined(refused.size(), refused.front(), "refused by the service");
  if (fate.answer.outcome == "refused") {
    current_mapper_.forget();
    if (fate.verdicts.size() == 1) ++lone_refusals_;
  }
}

TimePoint PushJob::carry_on(const Fate& fate, TimePoint now) {
  learn(fate);
  if (lone_refusals_ >= kLoneRefusalsMax) {
    lone_refusals_ = 0;
    patience_.say(Standing::Fault::person, "the service refuses one customer after the other");
    return now + kConfigurationWait;
  }
  switch (fate.next) {
    case Fate::Next::go_on:
      return now;
    case Fate::Next::stand_still:
      return patience_.stand_still(fate.fault, fate.trouble);
    case Fate::Next::wait:
      break;
  }
  patience_.say(fate.fault, fate.trouble);
  return patience_.wait(now, fate.floor);
}

// The mapper of this step, or when to come again.
std::optional<TimePoint> PushJob::prepare(TimePoint now) {
  if (!source_) {
    source_.emplace(desk_.database(), crm::SourceQuery{push_.name, push_.query, push_.key,
                                                       push_.when, desk_.settings().crm.time_zone});
  }
  auto answer = current_mapper_.get(*source_, now);
  if (const auto* mapper = std::get_if<const mapping::Mapper*>(&answer)) {
    mapper_ = *mapper;
    return std::nullopt;
  }
  if (const auto* later = std::get_if<CurrentMapper::Later>(&answer)) return later->at;
  if (const auto* trouble = std::get_if<service::Trouble>(&answer)) {
    const Retry retry = retry_after(Operation::column, *trouble);
    return patience_.bear(retry, *trouble, now, "data columns: ");
  }
  const auto& problems = std::get<std::vector<config::Problem>>(answer);
  patience_.say(Standing::Fault::configuration, to_string(problems.front()));
  return now + kConfigurationWait;
}

TimePoint PushJob::rest(TimePoint now) {
  standing_.caught_up = true;
  brake_.rest();
  patience_.well(keyless_);
  size_cap_ = static_cast<std::size_t>(push_.batch.size);
  return now + push_.every;
}

std::optional<TimePoint> PushJob::held_back(TimePoint today, TimePoint now) {
  const TimePoint at = opening(push_.send_window, desk_.settings().crm.time_zone, today);
  if (at > today) {
    standing_.caught_up = desk_.once();  // all that could be done has been
    patience_.well(keyless_);
    return desk_.once() ? kNever : now + std::min<Duration>(at - today, kHoldBack);
  }
  if (const auto why = suppressor_.stale(desk_.database(), today)) return hold_back(*why, now);
  if (const auto why = brake_.holds()) return hold_back(*why, now);
  return std::nullopt;
}

// Nothing goes out until that is otherwise; a person can see to it.
TimePoint PushJob::hold_back(const std::string& why, TimePoint now) {
  suppressor_.end_turn(desk_.database());
  patience_.say(Standing::Fault::person, why);
  return desk_.once() ? kNever : now + kHoldBack;
}

}  // namespace surveybridge::daemon
