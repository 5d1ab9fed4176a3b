// New transactions go out as customers. A step begins at most one POST, and the next batch is
// prepared while it is on its way. Between two steps a push is idle or has a batch prepared, and up
// to `in_flight` batches are on their way. A claim is durable before the first byte leaves, and
// what may have arrived is in doubt and never sent again: so nobody is mailed twice.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry.hpp"
#include "daemon/push/batch_choice.hpp"
#include "daemon/push/batch_size.hpp"
#include "daemon/push/claimed_batch.hpp"
#include "daemon/push/current_mapper.hpp"
#include "daemon/push/forbidden.hpp"
#include "daemon/push/posts.hpp"
#include "daemon/push/quarantine.hpp"
#include "daemon/push/restore_check.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/suppression_turn.hpp"

namespace surveybridge::daemon {

// When a push lets the database count the rows of the ledger anew. PostgreSQL does so by itself,
// but not before a minute has passed: until then it would plan for the empty table that a first run
// begins with, and read the whole ledger for each batch. Belongs to a push.
class LedgerStatistics {
 public:
  // So many rows were claimed.
  void claimed(std::size_t rows, crm::Ledger& ledger) {
    rows_ += static_cast<std::int64_t>(rows);
    if (next_ == kAfter.size() || rows_ < kAfter[next_]) return;
    ++next_;
    ledger.renew_statistics();
  }

 private:
  static constexpr std::array<std::int64_t, 2> kAfter{1'000, 30'000};  // rows of this process
  std::int64_t rows_ = 0;
  std::size_t next_ = 0;
};

class PushJob final : public Job {
 public:
  PushJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void leave() override;
  void make_due() override;

 private:
  struct Idle {};
  struct Prepared {  // the batch that goes next
    BatchChoice::Chosen batch;
    TimePoint since;
  };
  struct Settled {
    PushDecision decision;
    std::string batch;  // its id
  };
  using State = std::variant<Idle, Prepared, ClaimedBatch>;  // claimed: and not on its way yet

  TimePoint work(TimePoint now);
  TimePoint begin(TimePoint now);
  void settle_claim();
  Settled settle(Posts::Post* post);
  std::optional<TimePoint> settle_answered(Posts::Post* first, TimePoint now);
  std::optional<TimePoint> prepare(TimePoint now);
  std::optional<TimePoint> blocked_until(TimePoint db_now, TimePoint now);
  bool may_end_hold(TimePoint now);
  std::optional<TimePoint> check_restored(TimePoint now);
  bool screen_again();
  bool claim(const std::optional<crm::Lease>& turn);
  void send(std::shared_ptr<const RequestSlot> slot, TimePoint now);
  service::AddOutcome believed(service::AddOutcome outcome);
  PushDecision decide(const ClaimedBatch& batch, const service::AddOutcome& answered);
  crm::Ledger::Refusals lately_refused(const PushDecision& decision);
  void learn(const Settled& settled);
  void report_held(const Settled& settled);
  void delay(const PushDecision& decision);
  TimePoint carry_on(const Settled& settled, TimePoint now);
  std::optional<TimePoint> make_mapper(TimePoint now);
  TimePoint report_blocked(const std::string& why, TimePoint now);
  TimePoint rest(TimePoint now);

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
  BatchSize size_;
  BatchChoice choice_;
  Forbidden forbidden_;
  Brake brake_;
  RestoreCheck restore_check_;
  State state_;
  Posts posts_;
  LedgerStatistics ledger_statistics_;
  bool asked_for_ = false;  // a person wants that it goes on now
  bool failed_ = false;     // the last answer was no acceptance
  bool accepts_ = false;  // the last answer was an acceptance: others may go beside the next batch
  std::optional<crm::Lease> lease_;
  std::optional<TimePoint> started_;  // by the database's clock
  Duration claimed_at_{0};            // uptime; of the last claim
  std::optional<Duration> expected_;  // uptime; of the next step
  int checks_without_proof_ = 0;      // restore checks in a row
  TimePoint check_again_{};           // not before, unless a person wants it now
  std::int64_t sent_ = 0;             // rows since the last rest
  int lone_refusals_ = 0;  // rows refused alone since the service last accepted something
};

}  // namespace surveybridge::daemon
