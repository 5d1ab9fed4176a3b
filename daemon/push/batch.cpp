#include "daemon/push/batch.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace surveybridge::daemon {

std::vector<std::string> keys_of(const std::vector<BatchItem>& items) {
  std::vector<std::string> keys;
  for (const auto& item : items)
    keys.push_back(item.claim.key);
  return keys;
}

Batch::~Batch() {
  running.reset();  // waits for the end of the request
  try {
    settle();
    if (is_split()) splits_->push_front(std::move(split_));
  } catch (...) {
    // Its rows are in doubt once this instance's lease has ended.
  }
}

const std::vector<std::string>& Batch::take_split(SplitBatches& splits) {
  split_ = std::move(splits.front());
  splits.pop_front();
  splits_ = &splits;
  return split_;
}

void Batch::begin_claim(crm::Ledger& ledger, const std::string& push, std::string id) {
  push_ = push;
  id_ = std::move(id);
  decision_ = not_sent(keys_of(items), "the claim could not be confirmed");
  ledger_ = &ledger;
}

void Batch::confirm(const std::vector<std::string>& ours) {
  // One customer for each claimed key, also where a sweep has read its row twice.
  std::set<std::string> left(ours.begin(), ours.end());
  std::erase_if(items, [&](const BatchItem& item) { return left.erase(item.claim.key) == 0; });
  if (items.empty()) {
    ledger_ = nullptr;
    return;
  }
  end_split();
  decision_ = not_sent(keys_of(items), "the step ended before the POST");
}

void Batch::settle() {
  if (ledger_ == nullptr) return;
  ledger_->settle(push_, id_, decision_.answer, decision_.verdicts);
  ledger_ = nullptr;
}

}  // namespace surveybridge::daemon
