// How many rows are read for a batch: more than it may have, because some cannot be sent now. They
// are set aside, suppressed or delayed, or their address is in the batch already. Belongs to a
// push.
#pragma once

#include <algorithm>
#include <cstddef>

namespace surveybridge::daemon {

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
