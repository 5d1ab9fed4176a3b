// Story three: what may or may not have arrived is looked up, never sent again on a guess. A step
// is one page of one search, or the settling of a finished search. What a dead instance left
// claimed comes into doubt here.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "connectors/crm/ledger.hpp"
#include "daemon/desk.hpp"
#include "daemon/job.hpp"
#include "daemon/pace/patience.hpp"
#include "daemon/reconcile_plan.hpp"

namespace surveybridge::daemon {

class ReconcileJob final : public Job {
 public:
  ReconcileJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const Standing& standing() const override { return standing_; }

 private:
  bool find_doubts();
  void begin_round();
  bool may_resend() const;
  TimePoint rest(TimePoint now);
  TimePoint walk(TimePoint now);
  std::optional<service::Trouble> look_up_column(TimePoint now);
  TimePoint settle(const Search& search, TimePoint now);
  void tell(const Judgement& judgement);
  TimePoint give_way(Operation operation, const service::Trouble& trouble, TimePoint now);

  const config::Push& push_;
  std::string name_;
  Desk desk_;
  Standing standing_;
  Patience patience_;
  std::optional<crm::Ledger> ledger_;
  std::vector<crm::Doubt> doubts_;  // found, not yet searched for
  std::deque<Search> searches_;     // of this round
  std::optional<std::int64_t> correlate_id_;
  bool proved_ = false;      // in this round
  bool round_made_ = false;  // `sync`: one round is enough
};

}  // namespace surveybridge::daemon
