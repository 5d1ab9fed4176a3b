#include "daemon/push/claimed_batch.hpp"

namespace surveybridge::daemon {

ClaimedBatch::ClaimedBatch(crm::Ledger& ledger, std::string push, std::string id,
                           const std::vector<std::string>& keys)
    : ledger_(&ledger),
      push_(std::move(push)),
      id_(std::move(id)),
      decision_(not_sent(keys, "the claim could not be confirmed")) {}

ClaimedBatch::ClaimedBatch(ClaimedBatch&& other) noexcept
    : ledger_(std::exchange(other.ledger_, nullptr)),
      push_(std::move(other.push_)),
      id_(std::move(other.id_)),
      items_(std::move(other.items_)),
      decision_(std::move(other.decision_)),
      split_(std::move(other.split_)) {}

ClaimedBatch::~ClaimedBatch() {
  try {
    settle();
  } catch (...) {
    // Its rows are in doubt once this instance's lease has ended.
  }
}

void ClaimedBatch::confirm(std::vector<BatchItem> items, SplitBatches::Taken split) {
  items_ = std::move(items);
  split_ = std::move(split);
  decision_ = not_sent(keys_of(items_), "the step ended before the POST");
}

void ClaimedBatch::settle() {
  if (ledger_ == nullptr) return;
  ledger_->settle(push_, id_, decision_.answer, decision_.verdicts);
  ledger_ = nullptr;
  split_.done();
}

std::vector<std::string> keys_of(const std::vector<BatchItem>& items) {
  std::vector<std::string> keys;
  for (const auto& item : items)
    keys.push_back(item.claim.key);
  return keys;
}

}  // namespace surveybridge::daemon
