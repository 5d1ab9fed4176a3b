// Makes reports in a thread of its own, so that a database that hangs delays nobody who asks.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "daemon/job/job.hpp"
#include "daemon/status/report.hpp"

namespace surveybridge::daemon {

class ReportMaker {
 public:
  // Called in the thread; throws DatabaseError where the database does not answer.
  using Make = std::function<StatusReport()>;

  // `make` must own all that it uses: a thread that hangs when this is destroyed is left behind.
  // `uptime`: a clock that only moves forward.
  ReportMaker(Make make, std::function<Duration()> uptime);
  ~ReportMaker();
  ReportMaker(const ReportMaker&) = delete;
  ReportMaker& operator=(const ReportMaker&) = delete;

  // A report that was asked for now, or at most `fresh` ago; one that took long is used a hundred
  // times as long. Waits up to `patience` for it. Empty:
  // the database has failed, or has not answered by then.
  std::shared_ptr<const StatusReport> get(Duration fresh, Duration patience);

  // The last report that could be made, whatever has failed since.
  struct Last {
    std::shared_ptr<const StatusReport> report;  // null: none yet
    Duration age{0};
  };
  Last last() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace surveybridge::daemon
