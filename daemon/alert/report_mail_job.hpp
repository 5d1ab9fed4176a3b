// Sends one report of [report.mail.NAME] when it is due. A claim in the store (survey_alert) comes
// before each mail, so that it goes out once, whatever daemons share the store or end: a claim
// without an end may have gone out, and is not sent again.
#pragma once

#include <optional>
#include <string>

#include "connectors/crm/leases/lease.hpp"
#include "daemon/alert/delivery.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/log_throttle.hpp"
#include "daemon/job/random.hpp"

namespace surveybridge::daemon {

class ReportMailJob final : public Job {
 public:
  // `mail` outlives the job. `host`: this machine's name.
  ReportMailJob(const config::Report::Mail& mail, const Shared& shared, const std::string& host,
                std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void make_due() override { next_try_at_ = {}; }
  void leave() override;

 private:
  // Its row in the store: `since` is when the last report was due, `told_at` when it was sent.
  std::optional<crm::Alert> last_claim();
  void keep(TimePoint due, std::optional<TimePoint> told_at);
  std::optional<crm::Alert> look(TimePoint due, TimePoint now);
  void make_and_send(TimePoint due, TimePoint now);
  void send(TimePoint due, const AlertMessage& message, TimePoint now);
  void forget_failure();
  void fail(const Undelivered& why, TimePoint now);
  void show(const std::optional<crm::Alert>& last, TimePoint db_now);

  const std::string name_;  // "report.NAME"; also the receiver's name in the store
  const config::Report::Mail& mail_;
  const AlertOrigin origin_;
  JobContext context_;
  Random random_;
  LogThrottle log_throttle_;
  JobStatus status_;
  std::optional<crm::Lease> lease_;
  std::optional<Undelivered> failing_;  // why the last try has not sent it
  std::optional<Undelivered> refused_;  // addresses, in the last report
  int failures_ = 0;
  TimePoint next_try_at_{};
};

}  // namespace surveybridge::daemon
