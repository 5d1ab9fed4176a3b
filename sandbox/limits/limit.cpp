#include "sandbox/limits/limit.hpp"

#include <algorithm>
#include <cmath>
#include <deque>

namespace sandbox {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

class TokenBucket final : public Limit {
 public:
  explicit TokenBucket(const LimitSpec& spec)
      : size_(static_cast<double>(spec.count)), per_second_(spec.per_second), tokens_(size_) {}

  microseconds wait(TimePoint now) override {
    refill(now);
    if (tokens_ >= 1) return 0us;
    return microseconds(
        std::max<std::int64_t>(1, std::llround(std::ceil((1 - tokens_) / per_second_ * 1e6))));
  }
  void take(TimePoint now) override {
    refill(now);
    tokens_ -= 1;
  }
  std::int64_t remaining(TimePoint now) override {
    refill(now);
    return static_cast<std::int64_t>(tokens_);
  }
  microseconds reset(TimePoint now) override {
    refill(now);
    return microseconds(std::llround((size_ - tokens_) / per_second_ * 1e6));
  }

 private:
  double size_, per_second_, tokens_;
  std::optional<TimePoint> refilled_;

  void refill(TimePoint now) {
    // Rounding by a microsecond must not make a bucket of exactly one token empty.
    constexpr double kRounding = 1e-6;
    if (refilled_ && now > *refilled_) {
      const double gained = static_cast<double>((now - *refilled_).count()) / 1e6 * per_second_;
      tokens_ = std::min(size_, tokens_ + gained);
      if (std::ceil(tokens_) - tokens_ < kRounding) tokens_ = std::ceil(tokens_);
    }
    refilled_ = std::max(refilled_.value_or(now), now);
  }
};

class FixedWindow final : public Limit {
 public:
  explicit FixedWindow(const LimitSpec& spec) : count_(spec.count), window_(spec.window) {}

  microseconds wait(TimePoint now) override {
    turn(now);
    return used_ < count_ ? 0us : begin_ + window_ - now;
  }
  void take(TimePoint now) override {
    turn(now);
    ++used_;
  }
  std::int64_t remaining(TimePoint now) override {
    turn(now);
    return count_ - used_;
  }
  microseconds reset(TimePoint now) override {
    turn(now);
    return begin_ + window_ - now;
  }

 private:
  std::int64_t count_, used_ = 0;
  microseconds window_;
  TimePoint begin_{};

  // Windows begin at the full minute or at midnight UTC, not at the first request.
  void turn(TimePoint now) {
    const TimePoint begin = now - now.time_since_epoch() % window_;
    if (begin == begin_) return;
    begin_ = begin;
    used_ = 0;
  }
};

class SlidingWindow final : public Limit {
 public:
  explicit SlidingWindow(const LimitSpec& spec) : count_(spec.count), window_(spec.window) {}

  microseconds wait(TimePoint now) override {
    return remaining(now) > 0 ? 0us : taken_.front() + window_ - now;
  }
  void take(TimePoint now) override { taken_.push_back(now); }
  std::int64_t remaining(TimePoint now) override {
    while (!taken_.empty() && taken_.front() + window_ <= now)
      taken_.pop_front();
    return count_ - static_cast<std::int64_t>(taken_.size());
  }
  microseconds reset(TimePoint now) override {
    return remaining(now) == count_ ? 0us : taken_.back() + window_ - now;
  }

 private:
  std::int64_t count_;
  microseconds window_;
  std::deque<TimePoint> taken_;
};

class Concurrency final : public Limit {
 public:
  explicit Concurrency(const LimitSpec& spec) : count_(spec.count) {}

  // The end of another request is unknown; services usually answer one second.
  microseconds wait(TimePoint) override { return running_ < count_ ? 0us : 1s; }
  void take(TimePoint) override { ++running_; }
  void finish() override { --running_; }
  std::int64_t remaining(TimePoint) override { return count_ - running_; }
  microseconds reset(TimePoint) override { return running_ == 0 ? 0us : 1s; }

 private:
  std::int64_t count_, running_ = 0;
};

bool applies(const LimitSpec& spec, bool write) {
  if (spec.applies == LimitSpec::Applies::all) return true;
  return write == (spec.applies == LimitSpec::Applies::writes);
}

}  // namespace

std::unique_ptr<Limit> make_limit(const LimitSpec& spec) {
  switch (spec.kind) {
    case LimitSpec::Kind::token_bucket:
      return std::make_unique<TokenBucket>(spec);
    case LimitSpec::Kind::fixed_window:
      return std::make_unique<FixedWindow>(spec);
    case LimitSpec::Kind::sliding_window:
      return std::make_unique<SlidingWindow>(spec);
    case LimitSpec::Kind::concurrency:
      return std::make_unique<Concurrency>(spec);
  }
  return nullptr;
}

Limits::Limits(const std::vector<LimitSpec>& specs) {
  for (const LimitSpec& spec : specs)
    entries_.push_back({spec, make_limit(spec)});
}

Limits::Verdict Limits::ask(bool write, TimePoint now) {
  Verdict verdict;
  for (Entry& entry : entries_) {
    if (applies(entry.spec, write)) verdict.wait = std::max(verdict.wait, entry.limit->wait(now));
  }
  verdict.allowed = verdict.wait == 0us;
  for (Entry& entry : entries_) {
    if (!applies(entry.spec, write)) continue;
    if (verdict.allowed) entry.limit->take(now);
    const std::int64_t left = entry.limit->remaining(now);
    if (verdict.limit != 0 && left >= verdict.remaining) continue;
    verdict.limit = entry.spec.count;
    verdict.remaining = left;
    verdict.reset = entry.limit->reset(now);
  }
  return verdict;
}

void Limits::finish(bool write) {
  for (Entry& entry : entries_) {
    if (applies(entry.spec, write)) entry.limit->finish();
  }
}

}  // namespace sandbox
