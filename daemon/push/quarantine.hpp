// Rows of one push that are set aside: written to the ledger with their reasons, and said.
#pragma once

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
  // Says how many rows are quarantined, of which batch, and the first with its reason. The
  // service's own words are not for the log: they may hold what a log must not.
  void tell(std::size_t rows, const std::string& key, const std::string& why,
            const std::string& batch = "");

 private:
  const config::Push& push_;
  JobContext& context_;
};

}  // namespace surveybridge::daemon
