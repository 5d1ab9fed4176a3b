// Request limits of the kinds that services use; docs/SERVICE.md 8 leaves them open. Pure: the time
// is an argument and must not go back. Not thread-safe: Service guards them; a simulation has its
// own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sandbox/values/time.hpp"

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
  virtual ~Limit() = default;
  // Time until one more request is accepted; 0: now.
  virtual std::chrono::microseconds wait(TimePoint now) = 0;
  // Counts one request; only after wait() was 0.
  virtual void take(TimePoint now) = 0;
  // An accepted request was answered.
  virtual void finish() {}
  // How many more are accepted at once.
  virtual std::int64_t remaining(TimePoint now) = 0;
  // Time until the limit is full again.
  virtual std::chrono::microseconds reset(TimePoint now) = 0;
};

std::unique_ptr<Limit> make_limit(const LimitSpec& spec);

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
    std::unique_ptr<Limit> limit;
  };
  std::vector<Entry> entries_;
};

}  // namespace sandbox
