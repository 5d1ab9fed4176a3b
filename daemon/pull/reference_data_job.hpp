// The service's reference data: its statuses and data columns, into survey_status and
// survey_data_column, so that a report can say "Finished" for 7. A step reads one of the two; each
// once an hour by whichever instance comes first.
#pragma once

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"

namespace surveybridge::daemon {

class ReferenceDataJob final : public Job {
 public:
  ReferenceDataJob(const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void make_due() override;

 private:
  struct List;
  static const List kLists[2];

  TimePoint due(const std::string& list, TimePoint db_now);
  TimePoint read(const List& list, TimePoint now, TimePoint db_now);
  void finish(const List& list, const std::vector<mapping::Record>& records, TimePoint db_now);

  std::string name_ = "pull.names";
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  LogThrottle missing_;
  std::set<std::string> read_;       // `sync`: once is enough
  std::set<std::string> asked_for_;  // lists that a person wants now
};

}  // namespace surveybridge::daemon
