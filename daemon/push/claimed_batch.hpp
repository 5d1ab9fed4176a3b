// A batch that is claimed and not yet settled. Its decision always says what is true at that
// moment ("not sent" before the POST, "in doubt" while the POST is under way), so that it can be
// settled at any time; the destructor does what is left of that.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/push/split_batches.hpp"

namespace surveybridge::daemon {

class ClaimedBatch {
 public:
  // About to be claimed: should the claim's own answer be lost, nothing of it was sent.
  ClaimedBatch(crm::Ledger& ledger, std::string push, std::string id,
               const std::vector<std::string>& keys);
  ClaimedBatch(ClaimedBatch&& other) noexcept;
  ClaimedBatch& operator=(ClaimedBatch&&) = delete;
  ~ClaimedBatch();

  // These were claimed; with them goes the split batch that they came from.
  void confirm(std::vector<BatchItem> items, SplitBatches::Taken split);
  // Another instance was quicker for every row: there is nothing to settle.
  void abandon() { ledger_ = nullptr; }
  void decide(PushDecision decision) { decision_ = std::move(decision); }
  // Writes the decision to the ledger. Throws DatabaseError; then it can be called again.
  void settle();

  const std::string& id() const { return id_; }
  const std::vector<BatchItem>& items() const { return items_; }
  const PushDecision& decision() const { return decision_; }

 private:
  crm::Ledger* ledger_;  // none: there is nothing left to settle
  std::string push_, id_;
  std::vector<BatchItem> items_;
  PushDecision decision_;
  SplitBatches::Taken split_;
};

std::vector<std::string> keys_of(const std::vector<BatchItem>& items);

}  // namespace surveybridge::daemon
