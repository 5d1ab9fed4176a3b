#include "daemon/push/batch_size.hpp"

#include <algorithm>

namespace surveybridge::daemon {

// Rows that were refused together, or got no certain answer, and that the read-back did not find
// are sent again in batches half as large. The ledger knows them, since they may have waited for
// their read-back longer than this instance lives.
std::size_t BatchSize::most(crm::Ledger& ledger, const std::vector<std::string>& pending,
                            bool is_split) const {
  if (probing_) return 1;
  if (is_split || pending.empty()) return cap_;
  const auto halved = [&](std::int64_t rows) {
    return rows == 0 ? cap_ : std::clamp<std::size_t>(static_cast<std::size_t>(rows) / 2, 1, cap_);
  };
  const std::size_t most = halved(ledger.smallest_broken(push_.name, pending));
  const auto refused = ledger.smallest_refused(push_.name, pending);
  if (refused == 0 || !ledger.keeps_what_it_refuses(push_.name)) return most;
  return std::min(most, halved(refused));
}

void BatchSize::learn(const PushDecision& decision) {
  if (decision.size_cap > 0) cap_ = decision.size_cap;
  if (decision.probe) probing_ = true;
  // A gateway may reset every connection whose batch is too large for it. One reset is nothing.
  const bool lost = decision.answer.outcome == crm::Outcome::unknown && !decision.probe;
  if (lost && ++lost_ > 1) cap_ = std::min(cap_, (decision.verdicts.size() + 1) / 2);
  if (decision.answer.outcome == crm::Outcome::accepted) {
    probing_ = false;
    lost_ = 0;
  }
}

}  // namespace surveybridge::daemon
