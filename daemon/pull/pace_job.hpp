// Stores what the pace has learned in the CRM's database, reads it after a restart, and divides the
// limit by the number of instances on this database.
#pragma once

#include "connectors/crm/driver/database.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

// How long an instance counts after it last wrote.
inline constexpr std::chrono::seconds kPaceLives{100};

// The service's name in survey_pace.
std::string pace_key(const config::Settings& settings);
// Takes over the last stored rates, whichever instance wrote them: no new climb.
void recall_pace(crm::Database& database, Pace& pace, const std::string& service);
// Stores the present rates, and reads the number of instances. `lives`: 0 at the end.
// An instance that `has_ended` knows to have ended does not share the limit any longer.
void keep_pace(crm::Database& database, Pace& pace, const std::string& service,
               const std::string& owner, std::chrono::seconds lives,
               const std::function<bool(const std::string& owner)>& has_ended = {});

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
  bool has_changed(TimePoint now) const;

  bool recalled_ = false;
  Duration kept_at_{0};  // uptime
  TimePoint told_until_{};
  std::optional<TimePoint> told_refusal_;
};

}  // namespace surveybridge::daemon
