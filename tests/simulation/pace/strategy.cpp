#include "tests/simulation/pace/strategy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "daemon/job/random.hpp"

namespace pace_simulation {

namespace {

using surveybridge::daemon::Random;
using Kind = PaceAnswer::Kind;

Duration seconds(double s) {
  return Duration{static_cast<std::int64_t>(s * 1e6)};
}

class Learned final : public Strategy {
 public:
  Learned(bool separate_limits, std::uint64_t seed)
      : pace_(
            {kWorkers, kCeiling, separate_limits}, [this] { return now_.time_since_epoch(); },
            seed) {}
  std::optional<TimePoint> attempt(int worker, RequestClass request_class, TimePoint now) override {
    now_ = now;
    return pace_.attempt(now, {std::to_string(worker), request_class});
  }
  void answered(int, TimePoint now, const PaceAnswer& answer) override {
    now_ = now;
    pace_.finished(answer.request_class);
    pace_.answered(answer);
  }

 private:
  TimePoint now_{};
  surveybridge::daemon::Pace pace_;
};

// Each request retries by itself: a random wait up to a bound that doubles (100 ms to 20 s), at
// least Retry-After.
class FullJitter final : public Strategy {
 public:
  explicit FullJitter(std::uint64_t seed) : random_(seed) {}
  std::optional<TimePoint> attempt(int worker, RequestClass, TimePoint now) override {
    const TimePoint at = slots_[static_cast<std::size_t>(worker)].at;
    return at > now ? std::optional(at) : std::nullopt;
  }
  void answered(int worker, TimePoint now, const PaceAnswer& answer) override {
    auto& slot = slots_[static_cast<std::size_t>(worker)];
    if (answer.kind == Kind::accepted) {
      slot.tries = 0;
      return;
    }
    const double most = std::min(20.0, 0.1 * std::exp2(slot.tries++));
    slot.at = now + answer.wait.value_or(Duration{0}) + seconds(most * random_.unit());
  }

 private:
  struct Slot {
    int tries = 0;
    TimePoint at{};
  };
  std::array<Slot, kWorkers> slots_;
  Random random_;
};

// An operator's cautious guess; Retry-After is a wait for all requests.
class FixedRate final : public Strategy {
 public:
  std::optional<TimePoint> attempt(int, RequestClass, TimePoint now) override {
    const TimePoint at = std::max(next_, held_);
    if (at > now) return at;
    next_ = now + seconds(1 / kGuess);
    return std::nullopt;
  }
  void answered(int, TimePoint now, const PaceAnswer& answer) override {
    if (answer.kind != Kind::accepted) held_ = now + answer.wait.value_or(seconds(1));
  }

 private:
  static constexpr double kGuess = 8;
  TimePoint next_{}, held_{};
};

// Adaptive request concurrency as Vector documents it: one more request while round trips stay
// equal, a tenth less after a refusal or when they grow; a refused request waits 1, 1, 2, 3, …
// seconds (Fibonacci), at least Retry-After.
class AdaptiveConcurrency final : public Strategy {
 public:
  std::optional<TimePoint> attempt(int worker, RequestClass, TimePoint now) override {
    const TimePoint at = slots_[static_cast<std::size_t>(worker)].at;
    if (at > now) return at;
    if (in_flight_ >= static_cast<int>(limit_)) return now + seconds(0.005);
    ++in_flight_;
    return std::nullopt;
  }
  void answered(int worker, TimePoint now, const PaceAnswer& answer) override {
    --in_flight_;
    measure(now, answer);
    auto& slot = slots_[static_cast<std::size_t>(worker)];
    if (answer.kind == Kind::accepted) {
      slot = {};
      return;
    }
    const double wait = slot.wait;
    slot.wait = std::min(30.0, slot.wait + std::exchange(slot.before, slot.wait));
    slot.at = now + std::max(seconds(wait), answer.wait.value_or(Duration{0}));
  }

 private:
  struct Slot {
    double before = 0, wait = 1;
    TimePoint at{};
  };
  // Once in each round trip: decides by what happened in it.
  void measure(TimePoint now, const PaceAnswer& answer) {
    refused_ = refused_ || answer.kind != Kind::accepted;
    const double trip = std::chrono::duration<double>(now - answer.sent_at).count();
    sum_ += trip;
    ++count_;
    if (now - round_ < seconds(mean_)) return;
    const double current = sum_ / count_;
    if (refused_ || current > mean_ + 2.5 * deviation_) {
      limit_ = std::max(1.0, limit_ * 0.9);
    } else {
      limit_ = std::min<double>(kWorkers, limit_ + 1);
    }
    deviation_ += 0.4 * (std::abs(current - mean_) - deviation_);
    mean_ += 0.4 * (current - mean_);
    round_ = now;
    sum_ = count_ = 0;
    refused_ = false;
  }

  std::array<Slot, kWorkers> slots_;
  double limit_ = 1, mean_ = 0.05, deviation_ = 0.02, sum_ = 0, count_ = 0;
  int in_flight_ = 0;
  bool refused_ = false;
  TimePoint round_{};
};

}  // namespace

const char* name_of(Peer peer) {
  switch (peer) {
    case Peer::learned:
      return "surveybridge";
    case Peer::full_jitter:
      return "backoff, full jitter";
    case Peer::fixed_rate:
      return "fixed rate, 8/s";
    case Peer::adaptive_concurrency:
      return "adaptive concurrency";
  }
  return "";
}

std::unique_ptr<Strategy> make_strategy(Peer peer, bool separate_limits, std::uint64_t seed) {
  switch (peer) {
    case Peer::learned:
      return std::make_unique<Learned>(separate_limits, seed);
    case Peer::full_jitter:
      return std::make_unique<FullJitter>(seed);
    case Peer::fixed_rate:
      return std::make_unique<FixedRate>();
    case Peer::adaptive_concurrency:
      return std::make_unique<AdaptiveConcurrency>();
  }
  return nullptr;
}

}  // namespace pace_simulation
