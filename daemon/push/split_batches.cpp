#include "daemon/push/split_batches.hpp"

namespace surveybridge::daemon {

SplitBatches::Taken& SplitBatches::Taken::operator=(Taken&& other) noexcept {
  if (this == &other) return *this;
  give_back();
  from_ = std::exchange(other.from_, nullptr);
  keys_ = std::move(other.keys_);
  return *this;
}

void SplitBatches::Taken::give_back() noexcept {
  if (from_ != nullptr) from_->waiting_.push_front(std::move(keys_));
  from_ = nullptr;
}

SplitBatches::Taken SplitBatches::take() {
  if (waiting_.empty()) return {};
  Taken taken(*this, std::move(waiting_.front()));
  waiting_.pop_front();
  return taken;
}

void SplitBatches::add(const std::vector<Keys>& batches) {
  waiting_.insert(waiting_.begin(), batches.begin(), batches.end());
}

}  // namespace surveybridge::daemon
