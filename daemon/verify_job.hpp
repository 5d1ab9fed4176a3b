// Walks the service's customers for `verify` and counts how often each key is listed. A step is one
// page; changes nothing anywhere.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "daemon/desk.hpp"
#include "daemon/job.hpp"
#include "daemon/pace/patience.hpp"
#include "daemon/paging.hpp"
#include "daemon/verify_plan.hpp"

namespace surveybridge::daemon {

class VerifyJob final : public Job {
 public:
  VerifyJob(const config::Push& push, const Shared& shared, std::uint64_t seed);

  const std::string& name() const override { return name_; }
  TimePoint step(TimePoint now) override;
  const Standing& standing() const override { return standing_; }

  // Once it has caught up.
  const Listed& listed() const { return listed_; }

 private:
  std::optional<service::Trouble> look_up_column(TimePoint now);
  void take(const std::vector<mapping::Record>& customers);
  TimePoint give_way(Operation operation, const service::Trouble& trouble, TimePoint now);

  const config::Push& push_;
  std::string name_;
  Desk desk_;
  Standing standing_;
  Patience patience_;
  std::optional<std::int64_t> column_;
  std::string cursor_;
  Trail trail_;
  std::int64_t pages_ = 0;
  Falls falls_;
  std::set<std::int64_t> seen_;  // a service may list a customer twice; that is one
  Listed listed_;
};

}  // namespace surveybridge::daemon
