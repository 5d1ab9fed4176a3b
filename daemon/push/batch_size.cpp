#include "daemon/push/batch_size.hpp"

#include <algorithm>

namespace surveybridge::daemon {

// Rows that were refused together, looked up and found absent go again in half as many. That is
// in the database, since they may have waited for their read-back longer than this instance lives.
std::size_t BatchSize::most(crm::Ledger& ledger, bool splits_wait) const {
  if (probing_) return 1;
  if (splits_wait) return cap_;
  const auto smallest = static_cast<std::size_t>(ledger.smallest_refused(push_.name));
  if (smallest == 0 || !ledger.keeps_what_it_refuses(push_.name)) return cap_;
  return std::clamp<std::size_t>(smallest / 2, 1, cap_);
}

void BatchSize::learn(const PushDecision& decision) {
  if (decision.size_cap > 0) cap_ = decision.size_cap;
  if (decision.probe) probing_ = true;
  if (decision.answer.outcome == crm::Outcome::accepted) probing_ = false;
}

}  // namespace surveybridge::daemon
