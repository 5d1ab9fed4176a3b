#include "daemon/push/forbidden.hpp"

namespace surveybridge::daemon {

namespace {

// A batch of 200 is halved eight times before a row stands alone; a few more, to meet another row.
constexpr int kInARowMax = 12;
constexpr std::int64_t kAloneMax = 3;
constexpr Duration kLater = std::chrono::minutes{1};

}  // namespace

PushDecision Forbidden::judge(PushDecision decision, const std::string& push, crm::Ledger& ledger) {
  if (++in_a_row_ >= kInARowMax) {
    decision.next = PushDecision::Next::stand_still;
    decision.retry_split.clear();
    return decision;
  }
  if (decision.verdicts.size() != 1) return decision;
  auto& verdict = decision.verdicts.front();
  const std::int64_t times = ledger.forbidden_alone(push, verdict.key) + 1;
  if (times < kAloneMax) {
    decision.delay = kLater * times;
    return decision;
  }
  verdict.state = crm::State::held;
  verdict.reason = "the service forbids it (403): sent alone " + std::to_string(times) + " times";
  return decision;
}

}  // namespace surveybridge::daemon
