// The pulled tables and the walks that fill them. A page's rows, its write-backs and the new cursor
// are stored in one transaction.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::crm {

// The state of a walk (table survey_cursor, key list, walk).
struct StoredWalk {
  std::string list;                               // "customers"
  std::string walk;                               // "LastActivityDate"
  std::optional<Instant> window_from, window_to;  // the open window; none between walks
  std::string cursor;                             // the service's; empty: the first page
  std::optional<Instant> watermark;               // all before it was read; the next window's begin
  std::int64_t pages = 0;                         // of this window, so far
  std::int64_t restarts = 0;                      // of this window, because its cursor had expired
  std::optional<Instant> finished_at;             // when the last window was read to its end
  std::string ignored;  // parameters that the service ignores, with commas; empty: none
};

struct Saved {
  std::int64_t changed = 0;       // records that were new or different
  std::int64_t unchanged = 0;     // records equal to what was stored: nothing written
  std::int64_t written_back = 0;  // CRM rows changed
  std::int64_t matched_none = 0, matched_many = 0;  // writes that matched no row, several
  std::int64_t unfit = 0;  // writes with a value that does not fit: left out
};

// A [[pull.LIST.write]] checked against the description and the table's real columns.
struct CompiledWrite;

class PullStore {
 public:
  // Compiles the writes; throws std::invalid_argument with the path, column or table at fault.
  // `time_zone` is the CRM's, for timestamps without a zone.
  PullStore(Database& database, const mapping::Resource& root,
            const std::vector<config::Write>& writes, const std::string& time_zone = "UTC");
  ~PullStore();

  StoredWalk load(const std::string& list, const std::string& walk);

  // Stores a page and the state of the walk. A record that equals the stored one is not written
  // again. A lease is confirmed first. Of two records with one key in a page the last counts.
  // `also` is called in the transaction with the records that are new or different; it may be
  // called again, and in parts for a long page.
  // `forgets` (people.hpp) is the number under which the records were checked against the
  // forgotten: when it has changed, nothing is stored and DatabaseError(busy) is thrown.
  using Also = std::function<void(const std::vector<mapping::Record>& changed)>;
  Saved save(const std::vector<mapping::Record>& records, const StoredWalk& next,
             const std::optional<Lease>& lease, const Also& also = {},
             std::optional<std::int64_t> forgets = std::nullopt);

 private:
  struct Attempt;  // what the next attempt leaves out
  Saved save_once(const std::vector<mapping::Record>& records, const StoredWalk& next,
                  const std::optional<Lease>& lease, const Attempt& attempt, const Also& also,
                  std::optional<std::int64_t> forgets);
  void add_write(std::size_t number, const std::vector<mapping::Record>& changed,
                 const Attempt& attempt, const std::string& list, Saved& saved);

  Database& database_;
  const mapping::Resource& root_;
  std::vector<CompiledWrite> writes_;
};

// The names of a list's walks that have a stored state.
std::vector<std::string> walks_of(Database& database, const std::string& list);
// Removes the state of a walk, as if it had never been read.
void drop_walk(Database& database, const std::string& list, const std::string& walk);

// Problems of the writes with the database's real tables, for `check`. Empty: none.
std::vector<config::Problem> check_writes(Database& database, const mapping::Resource& root,
                                          const std::vector<config::Write>& writes);

}  // namespace surveybridge::crm
