// Request limits of the kinds that services have. The document shows only that 429 exists (section
// 8); each kind here is one way a deployment may count. Pure: time comes in as an argument, and
// must not run backwards. Not thread-safe: Service guards them; a simulation owns its own.
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
    sliding_window,  // `count` in any stretch of `window`
    concurrency,     // `count` at the same time
  } kind = Kind::token_bucket;
  std::int64_t count = 1;  // at least 1
  double per_second = 1;   // above 0
  std::chrono::microseconds window = std::chrono::minutes(1);
  enum class Applies { all, reads, writes } applies = Applies::all;
};

// "bucket:20/s:burst=40", "minute:600", "sliding:100/10s", "concurrent:4", "day:10000"; a leading
// "read:" or "write:" narrows it to GET or to the rest. nullopt: not a limit.
std::optional<LimitSpec> read_limit(std::string_view text);

class Limit {
 public:
  virtual ~Limit() = default;
  // How long until one more request may come; 0: now.
  virtual std::chrono::microseconds wait(TimePoint now) = 0;
  // One request is let in; only after wait() has said 0.
  virtual void take(TimePoint now) = 0;
  // A request that was let in has been answered.
  virtual void finish() {}
  // How many more may come at once.
  virtual std::int64_t remaining(TimePoint now) = 0;
  // How long until all of it is there again.
  virtual std::chrono::microseconds reset(TimePoint now) = 0;
};

std::unique_ptr<Limit> make_limit(const LimitSpec& spec);

// Several limits at once: a request must pass all that apply to it, or is counted by none.
class Limits {
 public:
  explicit Limits(const std::vector<LimitSpec>& specs);

  struct Verdict {
    bool allowed = true;
    std::chrono::microseconds wait{0};      // where not allowed
    std::int64_t limit = 0, remaining = 0;  // of the tightest that applies; limit 0: none does
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
