// Asks the service for rows that are held, before a person's word sends them again. A step reads
// one page of a search; nothing is changed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/reconcile/search_round.hpp"

namespace surveybridge::daemon {

class LookUpJob final : public Job {
 public:
  // `group.column` is not empty. `name`: of the job.
  LookUpJob(std::string name, const DoubtGroup& group, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

  // Valid once it has caught up.
  struct Found {
    // Keys that the service lists, each with the ids of its customers.
    std::map<std::string, std::vector<std::int64_t>> listed;
    // Customers that are like a row, of the searches by address and date.
    std::vector<Search> alike;
    // What it does not list would be listed, had it arrived: the search for a key known to be sent
    // found its customer before and after each search, with little time between (is_believed()).
    bool proven = false;
  };
  const Found& found() const { return found_; }

 private:
  void begin_searches();
  TimePoint read_page(TimePoint now);
  void take(const Search& search);
  void take_found(const Search& search);

  const DoubtGroup group_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  std::optional<mapping::DataColumn> column_;  // carries the keys
  std::optional<SearchRound> round_;           // empty: the next step begins it
  Found found_;
};

}  // namespace surveybridge::daemon
