// Story one: transactions go out as invitations. A step is at most one POST: rows the ledger does
// not know, mapped, claimed durably, sent, settled by what became of it. Never twice: a claim is
// durable before the first byte leaves, and what may have arrived is in doubt, never sent again.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry_state.hpp"
#include "daemon/push/current_mapper.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/push/undated_rows.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/suppression_check.hpp"

namespace surveybridge::daemon {

class PushJob final : public Job {
 public:
  PushJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }
  void leave() override;

 private:
  // A batch that is claimed and whose fate is not yet in the ledger. Until the answer comes its
  // fate is: not sent.
  struct Open {
    std::string batch;
    std::vector<std::string> keys;
    PushDecision decision;
  };

  // What would go next, and when it was found.
  struct Ready {
    std::vector<BatchItem> batch;
    TimePoint since;
  };

  void settle_open();
  std::optional<TimePoint> make_ready(TimePoint now);
  bool screen_again();
  std::optional<TimePoint> prepare(TimePoint now);
  std::optional<std::vector<mapping::Row>> next_rows(TimePoint db_now);
  std::vector<mapping::Row> accept(crm::Rows rows);
  void set_aside(const std::vector<std::pair<std::string, std::string>>& keys_and_reasons);
  void tell_quarantined(std::size_t rows, const std::string& key, const std::string& why);
  std::size_t most_at_once();
  // Those of a batch that may be mailed now; the others are told to the ledger.
  std::vector<BatchItem> mailable(std::vector<BatchItem> items, TimePoint db_now);
  // Nothing: no row is left. Empty: there were rows, and none of them can be sent now.
  std::optional<std::vector<BatchItem>> next_batch(TimePoint db_now);
  std::vector<BatchItem> claim(std::vector<BatchItem> batch);
  service::AddOutcome send(const std::vector<BatchItem>& batch, TimePoint now);
  TimePoint carry_on(const PushDecision& decision, TimePoint now);
  void learn(const PushDecision& decision);
  // When to come again where nothing may go out now; empty: it may.
  std::optional<TimePoint> held_back(TimePoint db_now, TimePoint now);
  TimePoint hold_back(const std::string& why, TimePoint now);
  TimePoint rest(TimePoint now);

  const config::Push& push_;
  std::string name_;
  std::string owner_;  // of this job's claims; it lives as long as its lease does
  JobContext context_;
  Random random_;
  JobStatus status_;
  RetryState retry_;
  std::optional<crm::Ledger> ledger_;
  std::optional<crm::Source> source_;
  CurrentMapper current_mapper_;
  UndatedRows undated_rows_;
  SuppressionCheck suppression_;
  Brake brake_;
  const mapping::Mapper* mapper_ = nullptr;  // this step's
  std::optional<Ready> ready_;
  std::optional<Open> open_;
  std::optional<crm::Lease> lease_;
  std::deque<std::vector<std::string>> split_batches_;  // keys that go as batches of their own
  std::size_t size_cap_;
  std::string keyless_;     // how many rows have no key, in a sentence; empty: none
  int lone_refusals_ = 0;   // rows refused alone since the service last accepted something
  Duration claimed_at_{0};  // uptime
  bool more_wait_ = false;  // behind the batch at hand
  bool probing_ = false;    // the last answer was not the service's: one row at a time
};

}  // namespace surveybridge::daemon
