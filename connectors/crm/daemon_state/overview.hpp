// A summary of the bridge's own tables, for `status`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/daemon_state/list_reading.hpp"
#include "connectors/crm/daemon_state/pace_store.hpp"
#include "connectors/crm/daemon_state/verify_store.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/pulled/pull_store.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "connectors/crm/pulled/unwritten.hpp"
#include "connectors/crm/pulled/write_counts.hpp"
#include "connectors/crm/pulled/write_queue.hpp"

namespace surveybridge::crm {

// The state of the bridge's tables for a read-only command.
enum class Tables {
  none,   // the bridge has never run here
  older,  // of an earlier version, and this account may not update them
  whole,
};

// Is there a table of the bridge? One statement that reads no row. Throws DatabaseError(connection)
// or (busy) where the database does not answer.
bool has_run(Database& database);

// Tries to write, and changes nothing: takes the lock that a write needs, runs an UPDATE of no row,
// and takes all back. Throws DatabaseError where a write would fail now: another session holds the
// lock, the database takes no writes, or the account may not write. Without tables
// (`tables`: has_run()) nothing but the lock is tried.
void try_write(Database& database, bool tables);

// Their state, after tables of an earlier version were updated if the account may do that. Existing
// columns are never changed.
Tables tables_to_read(Database& database);

// The result of a reading; empty if the tables are older and lack something.
template <class Read>
auto read_if_there(Tables tables, const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const DatabaseError& error) {
    if (tables == Tables::whole || error.kind != DatabaseError::Kind::other) throw;
    return {};
  }
}

// A part of a summary that another session's lock hides.
struct LockedPart {
  std::string part;  // "counts of the ledger"
  std::string why;   // the database's words
};

// Reads a summary part by part: a lock on one table hides only the parts that need it.
class PartReader {
 public:
  // `locked` is told of each part that a lock hides. Null: then the whole summary fails.
  PartReader(Tables tables, std::vector<LockedPart>* locked) : tables_(tables), locked_(locked) {}

  // A part that older tables may lack; empty there. Throws DatabaseError; not (busy) where `locked`
  // is given. After kTries parts that a lock hides the rest is not tried, since each try waits for
  // the lock.
  template <class Read>
  auto read(const char* part, const Read& read) const -> decltype(read()) {
    return read_required(part, [&] { return read_if_there(tables_, read); });
  }
  // The same of a part that all tables have.
  template <class Read>
  auto read_required(const char* part, const Read& read) const -> decltype(read()) {
    if (locked_ != nullptr && locked_->size() >= kTries) {
      locked_->push_back({part, "not tried"});
      return {};
    }
    try {
      return read();
    } catch (const DatabaseError& error) {
      if (locked_ == nullptr || error.kind != DatabaseError::Kind::busy) throw;
      locked_->push_back({part, error.what()});
      return {};
    }
  }

 private:
  static constexpr std::size_t kTries = 4;
  Tables tables_;
  std::vector<LockedPart>* locked_;
};

struct Overview {
  Tables tables = Tables::none;  // none: everything else is empty
  Instant now;                   // the database's clock
  std::vector<Ledger::Count> counts;
  std::vector<Ledger::Oldest> oldest;  // of the pushes
  std::vector<StoredWalk> walks;
  std::vector<WriteCount> writes;
  std::vector<WaitingWrites> waiting_writes;
  std::vector<WriteBacklog> write_queue;
  std::vector<UnwrittenCount> unwritten = {};
  std::vector<UnreadableCount> unreadable;
  ListReadings own_lists = {};
  std::vector<PaceRow> paces;            // of the service, the latest first
  std::vector<Verified> verify_results;  // the last results of `verify`
  std::vector<Lease> leases;             // those that have not expired
  std::vector<Ledger::Batch> batches;    // the newest few of every push
  // Of those of them that had no certain answer: what their rows are now.
  std::map<std::string, std::map<State, std::int64_t>> states_of_batches;
};

// `locked` as for PartReader.
Overview overview(Database& database, const std::vector<std::string>& pushes,
                  const std::string& service, std::vector<LockedPart>* locked = nullptr);

}  // namespace surveybridge::crm
