// What the bridge's own tables say at a glance, for `status`.
#pragma once

#include <string>
#include <vector>

#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/write_counts.hpp"
#include "connectors/crm/state/pace_store.hpp"
#include "connectors/crm/state/verify_store.hpp"

namespace surveybridge::crm {

// The bridge's tables as a command that only reads finds them.
enum class Tables {
  none,   // the bridge has never run here
  older,  // of an earlier version, and this account may not bring them up to date
  whole,
};

// How they are, once those of an earlier version have been given what they lack, where the account
// may do that. What is there is never changed.
Tables tables_to_read(Database& database);

// What a reading of tables comes to; nothing where they are older and lack what is read.
template <class Read>
auto read_if_there(Tables tables, const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const DatabaseError& error) {
    if (tables == Tables::whole || error.kind != DatabaseError::Kind::other) throw;
    return {};
  }
}

struct Overview {
  Tables tables = Tables::none;  // none: all else is empty
  Instant now;                   // the database's clock
  std::vector<Ledger::Count> counts;
  std::vector<StoredWalk> walks;
  std::vector<WriteCount> writes;
  std::vector<PaceRow> paces;            // of the service, the latest first
  std::vector<Verified> verify_results;  // what `verify` found last
  std::vector<Lease> leases;             // those that have not expired
  std::vector<Ledger::Batch> batches;    // the newest few of every push
};

Overview overview(Database& database, const std::vector<std::string>& pushes,
                  const std::string& service);

}  // namespace surveybridge::crm
