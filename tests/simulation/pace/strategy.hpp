// How a client paces itself: ours, and other usual strategies. A strategy has several workers, each
// with one request at a time and always another one waiting.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "daemon/pace/pace.hpp"

namespace pace_simulation {

using surveybridge::daemon::Duration;
using surveybridge::daemon::PaceAnswer;
using surveybridge::daemon::RequestClass;
using surveybridge::daemon::TimePoint;

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Empty: the worker's request goes. Else: the time of its next attempt.
  virtual std::optional<TimePoint> attempt(int worker, RequestClass request_class,
                                           TimePoint now) = 0;
  virtual void answered(int worker, TimePoint now, const PaceAnswer& answer) = 0;
};

constexpr int kWorkers = 8;
constexpr double kCeiling = 200;  // far above every simulated limit

enum class Peer { learned, full_jitter, fixed_rate, adaptive_concurrency };
inline constexpr Peer kAllPeers[] = {Peer::learned, Peer::full_jitter, Peer::fixed_rate,
                                     Peer::adaptive_concurrency};
const char* name_of(Peer peer);
// `separate_limits`: as ours is configured.
std::unique_ptr<Strategy> make_strategy(Peer peer, bool separate_limits, std::uint64_t seed);

}  // namespace pace_simulation
