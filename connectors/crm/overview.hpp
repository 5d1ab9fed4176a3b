// What the bridge's own tables say at a glance, for `status`. Reads only.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/lease.hpp"
#include "connectors/crm/ledger.hpp"
#include "connectors/crm/paces.hpp"
#include "connectors/crm/pulled.hpp"
#include "connectors/crm/write_counts.hpp"

namespace surveybridge::crm {

struct Overview {
  bool tables = false;  // false: the bridge has never run here; all else is empty
  Instant now;          // the database's clock
  std::vector<Ledger::Count> counts;
  std::vector<Walk> walks;
  std::vector<WriteCount> writes;
  std::vector<PaceRow> paces;          // of the service, the latest first
  std::vector<Lease> leases;           // those that have not expired
  std::vector<Ledger::Batch> batches;  // the newest few of every push
};

// Are the bridge's tables there?
bool has_tables(Database& database);

Overview overview(Database& database, const std::vector<std::string>& pushes,
                  const std::string& service);

}  // namespace surveybridge::crm
