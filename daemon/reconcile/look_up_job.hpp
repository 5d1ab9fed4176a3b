// Asks the service for single keys, before a person's word sends them again. A step reads one page
// of the search of one key; nothing is changed.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry_state.hpp"
#include "daemon/reconcile/reconcile_plan.hpp"

namespace surveybridge::daemon {

class LookUpJob final : public Job {
 public:
  // `push.correlate` is not empty.
  LookUpJob(const config::Push& push, const std::vector<std::string>& keys, const Shared& shared,
            std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

  // The keys that the service lists, each with the ids of its customers; valid once it has caught
  // up.
  using Found = std::map<std::string, std::vector<std::int64_t>>;
  const Found& found() const { return found_; }

 private:
  std::optional<service::Trouble> look_up_column(TimePoint now);
  void begin_search();
  TimePoint read_page(TimePoint now);
  TimePoint handle_trouble(Operation operation, const service::Trouble& trouble, TimePoint now);

  const config::Push& push_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  std::optional<mapping::DataColumn> column_;  // carries the key
  std::deque<std::string> keys_;               // the first one is searched for
  std::optional<Search> search_;
  Found found_;
};

}  // namespace surveybridge::daemon
