// Reads the names of statuses and data columns into survey_status and survey_data_column, so that a
// report can show "Finished" for 7. Where enumerations are known only by number or only by name, it
// requests a few customers in JSON and then in XML, which have both. A step reads one list or page;
// each is read once an hour, by one instance.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "connectors/crm/pulled/enumeration_store.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry_state.hpp"

namespace surveybridge::daemon {

class ReferenceDataJob final : public Job {
 public:
  ReferenceDataJob(const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

 private:
  struct List;
  static const List kLists[2];

  TimePoint due(const std::string& list, TimePoint db_now);
  void finish(const std::string& list, const std::vector<mapping::Record>& records,
              const mapping::Resource& resource, TimePoint db_now);
  TimePoint read(const List& list, TimePoint now, TimePoint db_now);
  TimePoint learn(TimePoint now, TimePoint db_now);
  std::variant<std::vector<mapping::Record>, service::Trouble> ask(mapping::Format format,
                                                                   TimePoint now);

  std::string name_ = "pull.names";
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  LogThrottle missing_;
  std::set<std::string> read_;                             // `sync`: each is read once
  std::vector<std::int64_t> asked_;                        // customers with half-known enumerations
  std::optional<std::vector<mapping::Record>> by_number_;  // those customers, in JSON
};

}  // namespace surveybridge::daemon
