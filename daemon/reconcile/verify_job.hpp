// Reads the service's customers for `verify` and counts how often each key is listed. A step reads
// one page; nothing is changed.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/lists/page_walk.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/reconcile/verify_plan.hpp"
#include "mapping/interface/data_column.hpp"

namespace surveybridge::daemon {

class VerifyJob final : public Job {
 public:
  VerifyJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

  // Valid once it has caught up.
  const Listed& listed() const { return listed_; }
  // What the service did not answer, so that its customers are not among those; empty: nothing.
  std::string left_out() const;

 private:
  void take(const std::vector<mapping::Record>& customers);
  void begin(const std::string& date, TimePoint now);
  TimePoint after(const PageWalk::Answer& answer, TimePoint now);

  const config::Push& push_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  std::optional<mapping::DataColumn> column_;  // carries the key
  std::optional<PageWalk> walk_;               // begun by the first step that asks for a page
  std::string unlisted_;                       // why it is a walk by activity; empty: it is not
  std::set<std::int64_t> seen_;  // a service may list a customer twice; it counts once
  Listed listed_;
};

}  // namespace surveybridge::daemon
