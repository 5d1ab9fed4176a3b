// Keeps what the pace has learned in the CRM's database, finds it there again after a restart, and
// divides the limit among the instances that work on this database.
#pragma once

#include "connectors/crm/driver/database.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// Until when an instance counts after it was last heard of.
inline constexpr std::chrono::seconds kPaceLives{100};

// The service, as survey_pace names it.
std::string pace_key(const config::Settings& settings);
// Takes over what was known last, by whomever: no new climb.
void recall_pace(crm::Database& database, Pace& pace, const std::string& service);
// Writes what is known now, and learns how many share the limit. `lives`: 0 on the way out.
void keep_pace(crm::Database& database, Pace& pace, const std::string& service,
               const std::string& owner, std::chrono::seconds lives);

class PaceJob final : public Job {
 public:
  explicit PaceJob(const Shared& shared);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void leave() override;

 private:
  std::string name_ = "pace";
  std::string service_, owner_;
  JobContext context_;
  JobStatus status_;
  bool has_news(TimePoint now) const;

  bool recalled_ = false;
  Duration kept_at_{0};  // uptime
  TimePoint told_until_{};
};

}  // namespace surveybridge::daemon
