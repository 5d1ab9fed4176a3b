#include "daemon/backfill_lane.hpp"

namespace surveybridge::daemon {

BackfillLane::BackfillLane(std::string name, std::vector<std::unique_ptr<Job>> walks)
    : name_(std::move(name)), walks_(std::move(walks)) {
  standing_.caught_up = walks_.empty();
  standing_.share.of = static_cast<std::int64_t>(walks_.size());
}

TimePoint BackfillLane::step(TimePoint now) {
  if (at_ == walks_.size()) return kNever;
  auto& walk = walks_[at_];
  const TimePoint at = walk->step(now);
  const auto share = standing_.share;
  standing_ = walk->standing();
  standing_.share = share;
  standing_.done += done_;
  if (!standing_.caught_up) return at;
  done_ = standing_.done;
  walk->leave();
  walk.reset();
  standing_.share.done = static_cast<std::int64_t>(++at_);
  standing_.caught_up = at_ == walks_.size();
  return standing_.caught_up ? kNever : now;
}

void BackfillLane::leave() {
  if (at_ < walks_.size()) walks_[at_]->leave();
}

}  // namespace surveybridge::daemon
