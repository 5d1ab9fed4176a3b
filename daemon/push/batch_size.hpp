// How many rows the next batch may have: the configured size, less after answers that ask for
// smaller batches. Belongs to a push.
#pragma once

#include <cstddef>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/push/push_plan.hpp"

namespace surveybridge::daemon {

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

}  // namespace surveybridge::daemon
