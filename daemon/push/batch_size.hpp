// How many rows the next batch may have, and how many are read for it. Belongs to a push.
#pragma once

#include <algorithm>
#include <cstddef>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/push/push_plan.hpp"

namespace surveybridge::daemon {

// The configured size, less after answers that ask for smaller batches.
class BatchSize {
 public:
  explicit BatchSize(const config::Push& push)
      : push_(push), cap_(static_cast<std::size_t>(push.batch.size)) {}

  // Without what the ledger knows: how many rows are worth looking at.
  std::size_t cap() const { return cap_; }
  // `pending`: the keys at hand, as far as the ledger has them as pending. `is_split`: what was
  // refused together is split already.
  std::size_t most(crm::Ledger& ledger, const std::vector<std::string>& pending,
                   bool is_split) const;
  void learn(const PushDecision& decision);
  // Nothing is left to send: the next batches have the configured size again.
  void reset() { cap_ = static_cast<std::size_t>(push_.batch.size); }

 private:
  const config::Push& push_;
  std::size_t cap_;
  int lost_ = 0;          // batches without a certain answer, since the last acceptance
  bool probing_ = false;  // the last answer was not the service's: one row at a time
};

// How many rows are read for a batch: more than it may have, because some cannot be sent now. They
// are set aside, suppressed or delayed, or their address is in the batch already.
class SpareRows {
 public:
  // At least one row more than `cap`, which shows that others wait; at most twice as many.
  std::size_t limit(std::size_t cap) const { return cap + std::clamp<std::size_t>(spare_, 1, cap); }
  // Of so many rows that were read so many could be sent, at most `most` of them in one batch, and
  // the batch got `chosen`. The next one has half as many again to spare as this one lost, and not
  // much less than this one had.
  void learn(std::size_t cap, std::size_t read, std::size_t sendable, std::size_t most,
             std::size_t chosen) {
    const std::size_t lost = (read - sendable) + (std::min(most, sendable) - chosen);
    spare_ = std::max(lost + lost / 2, std::min(spare_, cap) * 3 / 4);
  }

 private:
  std::size_t spare_ = static_cast<std::size_t>(-1);  // nothing is known yet
};

}  // namespace surveybridge::daemon
