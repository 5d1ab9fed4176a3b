// Reports a trouble that repeats once, then with its count at growing intervals, and once more when
// it is over. The clock is an argument; it only moves forward. Belongs to one thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "daemon/job/job.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

class LogThrottle {
 public:
  using Clock = std::function<Duration()>;
  LogThrottle(Log& log, std::string job, Clock clock)
      : log_(log), job_(std::move(job)), clock_(std::move(clock)) {}

  // The same text again is written after ten minutes at the earliest, then after twice that time,
  // and so on up to six hours: "TEXT (again, 20 times in 10 min)". Where it comes and goes, such as
  // a lock that only some statements meet, it is written again before that only when it came three
  // times in a row.
  void report(Log::Level level, const std::string& text, const LogFields& fields = {});
  // "works again after 21 tries in 12 min"; nothing if no trouble was written since the last time.
  void over();

 private:
  struct Said {
    std::string text;
    Duration at;        // when it was written last
    Duration pause;     // until it is written again
    int since = 0;      // reports that were not written
    bool over = false;  // it has worked since
  };

  Log& log_;
  std::string job_;
  Clock clock_;
  std::vector<Said> said_;  // the oldest first
  int tries_ = 0;           // in vain, since it last worked
  bool written_ = false;    // one of them
  Duration since_{};
};

}  // namespace surveybridge::daemon
