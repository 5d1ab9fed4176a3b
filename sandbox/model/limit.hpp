// Request limits of the kinds that services use; docs/SERVICE.md 8 leaves them open. Pure: the time
// is an argument and must not go back. Not thread-safe: Service guards them; a simulation has its
// own.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "sandbox/model/time.hpp"

namespace sandbox {

struct LimitSpec {
  enum class Kind {
    token_bucket,    // `count` at once, refilled with `per_second`
    fixed_window,    // `count` in each `window` of the clock (a minute, a day: a daily quota)
    sliding_window,  // `count` in any range of `window`
    concurrency,     // `count` at the same time
  } kind = Kind::token_bucket;
  std::int64_t count = 1;  // at least 1
  double per_second = 1;   // above 0
  std::chrono::microseconds window = std::chrono::minutes(1);
  enum class Applies { all, reads, writes } applies = Applies::all;
};

// "bucket:20/s:burst=40", "minute:600", "sliding:100/10s", "concurrent:4", "day:10000". With
// "read:" or "write:" in front it applies to GET or to the others. nullopt: not a limit.
std::optional<LimitSpec> read_limit(std::string_view text);

class Limit {
 public:
  explicit Limit(const LimitSpec& spec) : spec_(spec), tokens_(static_cast<double>(spec.count)) {}

  // Time until one more request is accepted; 0: now.
  std::chrono::microseconds wait(TimePoint now);
  // Counts one request; only after wait() was 0.
  void take(TimePoint now);
  // An accepted request was answered.
  void finish();
  // How many more are accepted at once.
  std::int64_t remaining(TimePoint now);
  // Time until the limit is full again.
  std::chrono::microseconds reset(TimePoint now);

 private:
  LimitSpec spec_;
  double tokens_;                      // of a bucket
  std::optional<TimePoint> refilled_;  // the bucket
  std::deque<TimePoint> ends_;         // of the requests that count now, but for a bucket

  bool is_bucket() const { return spec_.kind == LimitSpec::Kind::token_bucket; }
  void turn(TimePoint now);
};

// Several limits at once: a request must pass all that apply to it; otherwise no limit counts it.
class Limits {
 public:
  explicit Limits(const std::vector<LimitSpec>& specs);

  struct Verdict {
    bool allowed = true;
    std::chrono::microseconds wait{0};      // if not allowed
    std::int64_t limit = 0, remaining = 0;  // of the tightest one; limit 0: none applies
    std::chrono::microseconds reset{0};
  };
  Verdict ask(bool write, TimePoint now);
  void finish(bool write);

 private:
  struct Entry {
    LimitSpec spec;
    Limit limit;
  };
  std::vector<Entry> entries_;
};

}  // namespace sandbox
