#include "daemon/pull/backfill_worker.hpp"

namespace surveybridge::daemon {

BackfillWorker::BackfillWorker(std::string name, std::vector<std::unique_ptr<Job>> walks)
    : name_(std::move(name)), walks_(std::move(walks)) {
  status_.caught_up = walks_.empty();
  status_.share.of = static_cast<std::int64_t>(walks_.size());
}

TimePoint BackfillWorker::step(TimePoint now) {
  if (at_ == walks_.size()) return kNever;
  auto& walk = walks_[at_];
  const TimePoint at = walk->step(now);
  const auto share = status_.share;
  status_ = walk->status();
  status_.share = share;
  status_.done += done_;
  if (!status_.caught_up) return at;
  done_ = status_.done;
  walk->leave();
  walk.reset();
  status_.share.done = static_cast<std::int64_t>(++at_);
  status_.caught_up = at_ == walks_.size();
  return status_.caught_up ? kNever : now;
}

void BackfillWorker::leave() {
  if (at_ < walks_.size()) walks_[at_]->leave();
}

}  // namespace surveybridge::daemon
