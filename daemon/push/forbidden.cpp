#include "daemon/push/forbidden.hpp"

#include <algorithm>
#include <cmath>

#include "daemon/job/length_text.hpp"

namespace surveybridge::daemon {

namespace {

// A batch of 200 is halved eight times before a row stands alone; a few more, to meet another row.
constexpr int kInARowMax = 12;
constexpr std::int64_t kAloneMax = 3;
constexpr int kWaitsMax = 3;
constexpr Duration kLater = std::chrono::minutes{1};
constexpr Duration kLaterMax = std::chrono::minutes{15};
// The next row that is tried lies so much of its batch further on: the tried ones are spread over
// all of it.
constexpr double kFurther = 0.618;

}  // namespace

bool Forbidden::is_everything() const {
  return in_a_row_ >= kInARowMax;
}

service::AddOutcome Forbidden::judge_wait(service::AddOutcome outcome,
                                          const std::vector<std::string>& keys) {
  using Kind = service::Trouble::Kind;
  auto* refused = std::get_if<service::NotSent>(&outcome);
  if (refused == nullptr || refused->trouble.status != 403 ||
      refused->trouble.kind != Kind::too_many)
    return outcome;
  int waits = 0;
  for (const auto& key : keys)
    waits = std::max(waits, ++waits_[key]);
  if (waits > kWaitsMax) refused->trouble.kind = Kind::forbidden;
  return outcome;
}

PushDecision Forbidden::judge(PushDecision decision, const std::string& push, crm::Ledger& ledger) {
  const bool alone = decision.verdicts.size() == 1;
  const std::string key = alone ? decision.verdicts.front().key : "";
  const bool known = alone && alone_.contains(key);
  if (!known) ++in_a_row_;
  if (in_a_row_ > 1 && !known) decision.next = PushDecision::Next::wait;
  if (is_everything()) return suspect_everything(std::move(decision));
  if (!alone) return decision;
  const std::int64_t times = ledger.forbidden_alone(push, key) + 1;
  if (times < kAloneMax) {
    decision.delay = std::min(kLater * ++alone_[key], kLaterMax);
    return decision;
  }
  alone_.erase(key);
  waits_.erase(key);
  auto& verdict = decision.verdicts.front();
  verdict.state = crm::State::held;
  verdict.reason = "the service forbids it (403): sent alone " + std::to_string(times) +
                   " times, and others were accepted in between";
  return decision;
}

PushDecision Forbidden::suspect_everything(PushDecision decision) {
  const auto& rows = decision.verdicts;
  decision.next = PushDecision::Next::wait;
  decision.retry_split.clear();
  if (rows.size() > 1) {
    const double at = std::fmod(kFurther * ++tried_, 1.0) * static_cast<double>(rows.size());
    decision.retry_split = {{rows[static_cast<std::size_t>(at)].key}};
  }
  decision.delay = std::min(kLater * (in_a_row_ - kInARowMax + 1), kLaterMax);
  for (const auto& row : rows)
    alone_.try_emplace(row.key, 0);
  decision.trouble += "; nothing that is sent is accepted";
  return decision;
}

void Forbidden::accepted(const PushDecision& decision) {
  in_a_row_ = 0;
  for (const auto& verdict : decision.verdicts) {
    alone_.erase(verdict.key);
    waits_.erase(verdict.key);
  }
}

void Forbidden::let_go(const std::string& push, crm::Ledger& ledger, crm::Database& database) {
  if (alone_.empty()) return;
  const TimePoint now = database.now();
  std::vector<crm::Ledger::Delay> delays;
  for (const auto& [key, times] : alone_)
    delays.push_back({key, "a person wants it now", now});
  ledger.delay(push, delays);
}

std::string Forbidden::why_rows_wait(const std::string& push, crm::Ledger& ledger) {
  std::erase_if(alone_, [&](const auto& row) {
    const auto entry = ledger.find(push, row.first);
    return !entry || entry->state != crm::State::pending;
  });
  if (alone_.empty()) return "";
  return "the service forbids " + counted(static_cast<std::int64_t>(alone_.size()), "row") +
         " (403), sent again at intervals" + std::string(kLikeKey) + alone_.begin()->first + "\"";
}

}  // namespace surveybridge::daemon
