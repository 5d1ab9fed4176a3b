// Rows of one push that are set aside: written to the ledger with their reasons, and said.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/ledger/ledger.hpp"
#include "daemon/context/job_context.hpp"

namespace surveybridge::daemon {

class Quarantine {
 public:
  Quarantine(const config::Push& push, JobContext& context) : push_(push), context_(context) {}

  // Writes them to the ledger and says how many there are.
  void add(const std::vector<crm::Ledger::SetAside>& rows);
  // Says how many rows are quarantined, of which batch, and the first with its reason; those that
  // follow within a minute are said together behind it. The service's own words are not for the
  // log: they may hold what a log must not.
  void tell(std::size_t rows, const std::string& key, const std::string& why,
            const std::string& batch = "");
  // Says those that have not been said. Called where nothing more is due, and at a graceful stop.
  void tell_rest();

 private:
  struct Untold {
    std::size_t rows = 0;
    std::string key, why, batch;  // of the first
  };

  const config::Push& push_;
  JobContext& context_;
  Untold untold_;
  std::optional<Duration> told_at_;  // by the uptime
};

}  // namespace surveybridge::daemon
