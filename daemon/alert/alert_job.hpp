// Tells the receivers of [alert] what needs a person, once each, and when it is well again; and
// those of follow-ups each answer. `sync` has the follow-ups alone. What was told is in the store:
// daemons that share one take turns by a lease. A step looks, and tells at most one receiver: a
// dead server holds up nothing else.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "connectors/crm/leases/lease.hpp"
#include "daemon/alert/delivery.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/log_throttle.hpp"
#include "daemon/job/random.hpp"

namespace surveybridge::daemon {

class AlertJob final : public Job {
 public:
  // `states`: of all jobs, this one too. `host`: this machine's name.
  AlertJob(const Shared& shared, std::function<std::vector<JobState>()> states,
           const std::string& host, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void make_due() override { look_at_ = {}; }
  void leave() override;

 private:
  // A receiver that could not be told.
  struct Failing {
    int failures = 0;
    TimePoint next_at{};  // of the next try
    Undelivered last;
    bool answers_first = false;  // what it has not taken was no answer
  };

  TimePoint work(TimePoint now);
  void look(TimePoint now);
  std::optional<StatusReport> read_report();
  bool tell_one(TimePoint now);
  bool tell(const config::Receiver& receiver, const AlertMessage& message, TimePoint now);
  bool send(const config::Receiver& receiver, const AlertMessage& message, TimePoint now);
  void settle(const DueAlerts& due);
  bool tell_answer(const config::Receiver& receiver, TimePoint now, bool untried);
  void tell_answer(const config::Receiver& receiver, const config::Pull& pull,
                   const config::FollowUp& follow_up, crm::FollowUp& row, TimePoint now);
  void give_up_answers();
  bool mark(const crm::FollowUp& row);
  bool tell_summary(const config::Receiver& receiver, const std::vector<crm::Alert>& rows,
                    TimePoint now);
  void meet_outage(const std::string& why, TimePoint now);
  void end_outage(TimePoint db_now);
  void show_failing();
  std::vector<crm::Alert> alerts_of(const config::Receiver& receiver);

  const std::string name_ = "alert";
  const std::function<std::vector<JobState>()> states_;
  const AlertOrigin origin_;
  JobContext context_;
  Random random_;
  LogThrottle log_throttle_;
  JobStatus status_;
  std::optional<crm::Lease> lease_;
  TimePoint look_at_{};
  // By the database's clock: the last look, and the first one of those without a gap up to it.
  std::optional<TimePoint> looked_at_, looked_since_;
  std::optional<crm::DatabaseError> unread_;  // why the last look has no report
  // By receiver: as of the last look, of those who want one; who could not be told.
  std::map<std::string, AlertMessage> summaries_;
  std::map<std::string, Failing> failing_;
  std::map<std::string, Undelivered> refused_;  // addresses, in the last message
  // Ids of answers that a receiver has not taken, the one that was tried last at the end.
  std::map<std::string, std::vector<std::string>> not_taken_;
  std::optional<Duration> away_since_;    // the database, by the uptime
  std::set<std::string> told_of_outage_;  // receivers
};

}  // namespace surveybridge::daemon
