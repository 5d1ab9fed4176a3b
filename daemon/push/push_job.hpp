// New transactions go out as customers. A step begins at most one POST, and the next batch is
// prepared while it is on its way. Between two steps a push has the next batch prepared or not, and
// up to `in_flight` batches are on their way. A claim is durable before the first byte leaves, and
// what may have arrived is in doubt and never sent again: so nobody is mailed twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/push/batch.hpp"
#include "daemon/push/batch_choice.hpp"
#include "daemon/push/current_mapper.hpp"
#include "daemon/push/forbidden.hpp"
#include "daemon/push/posts.hpp"
#include "daemon/push/quarantine.hpp"
#include "daemon/push/restore_check.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/suppression_turn.hpp"

namespace surveybridge::daemon {

class PushJob final : public Job {
 public:
  PushJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void leave() override;
  void make_due() override;

 private:
  TimePoint work(TimePoint now);
  TimePoint begin(TimePoint now);

  // To the next batch.
  std::optional<TimePoint> prepare(TimePoint now);
  std::optional<TimePoint> choose(TimePoint now);
  std::optional<TimePoint> make_mapper(TimePoint now);
  std::optional<TimePoint> blocked_until(TimePoint db_now, TimePoint now);
  bool may_end_hold(TimePoint now);
  std::optional<TimePoint> check_restored(TimePoint now);
  TimePoint rest(TimePoint now);
  TimePoint report_blocked(const std::string& why, TimePoint now);

  // From the next batch to a POST.
  bool screen_again();
  bool claim(const std::optional<crm::Lease>& turn);
  bool doubt_lost(const std::vector<crm::Claim>& claims);
  void send(std::shared_ptr<const RequestSlot> slot, TimePoint now);
  void settle_claim();

  // From an answer to the next step.
  std::optional<TimePoint> settle_answered(Batch* first, TimePoint now);
  std::unique_ptr<Batch> settle(Batch* answered);
  PushDecision decide(const Batch& batch, const service::AddOutcome& answered);
  service::AddOutcome believed(service::AddOutcome outcome);
  void learn(const Batch& settled);
  void report_set_aside(const Batch& settled);
  void delay(const PushDecision& decision);
  TimePoint carry_on(const Batch& settled, TimePoint now);
  bool is_accepting() const { return last_outcome_ == crm::Outcome::accepted; }

  const config::Push& push_;
  std::string name_;
  std::string owner_;  // of this job's claims; it lives as long as its lease does
  JobContext context_;
  Random random_;
  JobStatus status_;
  RetryState retry_;
  std::optional<crm::Ledger> ledger_;
  CurrentMapper current_mapper_;
  const mapping::Mapper* mapper_ = nullptr;  // this step's
  Quarantine quarantine_;
  Brake brake_;
  BatchChoice choice_;
  Forbidden forbidden_;
  RestoreCheck restore_check_;
  std::unique_ptr<Batch> next_;  // prepared, or claimed and not on its way yet; none: idle
  Posts posts_;
  bool asked_for_ = false;                          // a person wants that it goes on now
  crm::Outcome last_outcome_ = crm::Outcome::none;  // of the last answer
  std::optional<crm::Lease> lease_;
  std::optional<TimePoint> started_;  // by the database's clock
  Duration claimed_at_{0};            // uptime; of the last claim
  std::optional<Duration> expected_;  // uptime; of the next step
  int checks_without_proof_ = 0;      // restore checks in a row
  TimePoint check_again_{};           // not before, unless a person wants it now
  std::int64_t sent_ = 0;             // rows since the last rest
  std::int64_t settled_ = 0;          // rows of this process
  int lone_refusals_ = 0;        // rows refused alone since the service last accepted something
  std::set<std::string> named_;  // by a refusal, and not answered since: they do not count there
};

}  // namespace surveybridge::daemon
