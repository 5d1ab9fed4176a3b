// How a job bears trouble: says it once, makes everybody wait as long as the service asked, comes
// again after a backoff, and says when it is over. Belongs to a job and speaks through its
// standing.
#pragma once

#include <string>

#include "daemon/chance.hpp"
#include "daemon/pace/pace.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/process/log.hpp"

namespace surveybridge::daemon {

class Patience {
 public:
  Patience(Log& log, const std::string& job, Pace& pace, Standing& standing, std::uint64_t seed)
      : complaint_(log, job), pace_(pace), standing_(standing), chance_(seed) {}

  // A request went well. `still`: what a person should see to nevertheless.
  void well(const std::string& still = "");
  // Why the job waits, told as loud as it is somebody's turn; nothing: all is well.
  void say(Standing::Fault fault, const std::string& trouble);
  // When to come again: never before `floor`, which then holds for everybody.
  TimePoint wait(TimePoint now, Duration floor = Duration{0});
  // Says the trouble of an operation and what retry.hpp has for it. kNever: it stands still.
  TimePoint bear(const Retry& retry, const service::Trouble& trouble, TimePoint now,
                 const std::string& what = "");
  // Says it once more, and that nothing goes on before a restart.
  TimePoint stand_still(Standing::Fault fault, const std::string& trouble);
  bool stands_still() const { return stands_still_; }

 private:
  Complaint complaint_;
  Pace& pace_;
  Standing& standing_;
  Chance chance_;
  int failures_ = 0;  // in a row
  bool stands_still_ = false;
};

}  // namespace surveybridge::daemon
