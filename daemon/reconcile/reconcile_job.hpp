// Looks up rows that may or may not have arrived; nothing is sent again on a guess. A step reads
// one page of one search, or settles a finished search. Rows that a dead instance left claimed
// become in doubt here.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/pace/retry_state.hpp"
#include "daemon/reconcile/reconcile_plan.hpp"

namespace surveybridge::daemon {

class ReconcileJob final : public Job {
 public:
  ReconcileJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const JobStatus& status() const override { return status_; }

 private:
  bool find_doubts();
  void begin_round();
  bool may_resend() const;
  TimePoint rest(TimePoint now);
  TimePoint walk(TimePoint now);
  std::optional<service::Trouble> look_up_column(TimePoint now);
  TimePoint settle(const Search& search, TimePoint now);
  void tell(const ReadBackDecision& judgement);
  TimePoint give_way(Operation operation, const service::Trouble& trouble, TimePoint now);

  const config::Push& push_;
  std::string name_;
  JobContext context_;
  JobStatus status_;
  RetryState retry_;
  std::optional<crm::Ledger> ledger_;
  std::vector<crm::Doubt> doubts_;                // found, and not searched for yet
  std::deque<Search> searches_;                   // of this round
  std::optional<mapping::DataColumn> correlate_;  // carries the key
  bool proved_ = false;                           // in this round
  bool round_made_ = false;                       // `sync`: one round is enough
};

}  // namespace surveybridge::daemon
