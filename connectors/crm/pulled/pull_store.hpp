// The pulled tables and the walks that fill them: a page's rows, write-backs and the new cursor
// become durable in one transaction, or none of them.
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

// Where a walk stands (table survey_cursor, key list, walk).
struct StoredWalk {
  std::string list;                               // "customers"
  std::string walk;                               // "LastActivityDate"
  std::optional<Instant> window_from, window_to;  // the window being walked; none between walks
  std::string cursor;                             // the service's, empty: the first page
  std::optional<Instant> watermark;    // everything before it has been seen; the next window's base
  std::int64_t pages = 0;              // of this window, so far
  std::int64_t restarts = 0;           // of this window, because its cursor had expired
  std::optional<Instant> finished_at;  // when the last window was walked to its end
  std::string ignored;  // parameters that the service was seen to ignore, with commas; empty: none
};

struct Saved {
  std::int64_t changed = 0;       // records that were new or different
  std::int64_t unchanged = 0;     // records equal to what was stored: nothing written
  std::int64_t written_back = 0;  // CRM rows changed
  std::int64_t matched_none = 0, matched_many = 0;  // writes of a record that met no row, several
  std::int64_t unfit = 0;  // writes of a record that a column cannot hold: left out, the rest stays
};

// A [[pull.LIST.write]] checked against the description and the table's real columns.
struct CompiledWrite;

class PullStore {
 public:
  // Compiles the writes; throws std::invalid_argument naming path, column or table at fault.
  // `time_zone` is the CRM's, for its columns of timestamps without a zone.
  PullStore(Database& database, const mapping::Resource& root,
            const std::vector<config::Write>& writes, const std::string& time_zone = "UTC");
  ~PullStore();

  StoredWalk load(const std::string& list, const std::string& walk);

  // Stores a page and where the walk stands now. A record that equals what is stored is not written
  // again. With a lease it is confirmed first. Two records with one key in a page: the last counts.
  // `also` joins the transaction with what is new or different; it may be called again, and for a
  // long page in parts.
  using Also = std::function<void(const std::vector<mapping::Record>& changed)>;
  Saved save(const std::vector<mapping::Record>& records, const StoredWalk& next,
             const std::optional<Lease>& lease, const Also& also = {});

 private:
  struct Attempt;  // what is left out of the next one
  Saved save_once(const std::vector<mapping::Record>& records, const StoredWalk& next,
                  const std::optional<Lease>& lease, const Attempt& attempt, const Also& also);
  void add_write(std::size_t number, const std::vector<mapping::Record>& changed,
                 const Attempt& attempt, const std::string& list, Saved& saved);

  Database& database_;
  const mapping::Resource& root_;
  std::vector<CompiledWrite> writes_;
};

// What the walks of a list are called that have left something.
std::vector<std::string> walks_of(Database& database, const std::string& list);
// As if it had never been walked.
void drop_walk(Database& database, const std::string& list, const std::string& walk);

// Problems of the writes against the database's real tables, for `check`. Empty: all is well.
std::vector<config::Problem> check_writes(Database& database, const mapping::Resource& root,
                                          const std::vector<config::Write>& writes);

}  // namespace surveybridge::crm
