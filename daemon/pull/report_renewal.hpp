// Keeps the tables for reports of a list up to date beside its pages, and says when that cannot be.
#pragma once

#include <string>

#include "connectors/crm/pulled/pull_store.hpp"
#include "daemon/job/job.hpp"
#include "daemon/job/log.hpp"

namespace surveybridge::daemon {

class ReportRenewal {
 public:
  // `job`: whose messages they are.
  ReportRenewal(Log& log, std::string job) : log_(log), job_(std::move(job)) {}

  // Notes a few stored records for the reports. False: nothing is left to do. Where the database
  // has refused that, it is tried again every ten minutes.
  bool step(crm::PullStore& tables, TimePoint now);
  // `next`, or earlier where the tables for reports are to be tried again.
  TimePoint next_step(const crm::PullStore& tables, TimePoint now, TimePoint next) const;
  // Logs a problem once, and when it has ended: the pull goes on without reports.
  void tell(const crm::PullStore& tables);

 private:
  Log& log_;
  std::string job_;
  bool done_ = false, problem_told_ = false;
  TimePoint again_{};  // not tried before, where it was refused
};

}  // namespace surveybridge::daemon
