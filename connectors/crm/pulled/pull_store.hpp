// The pulled tables and the walks that fill them. A page's rows, its write-backs and the new cursor
// are stored in one transaction.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/pulled/follow_up_store.hpp"
#include "connectors/crm/pulled/unreadable_store.hpp"
#include "connectors/crm/pulled/walk_store.hpp"
#include "connectors/crm/pulled/write_back_store.hpp"
#include "connectors/crm/report/report_store.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::crm {

struct Saved : WrittenBack {
  std::int64_t changed = 0;    // records that were new or different
  std::int64_t unchanged = 0;  // records equal to what was stored: nothing written
  Instant at{};                // by the database's clock
  std::int64_t forgets = 0;    // the number (people.hpp) under which it was stored
};

// What a page says besides its records, worked out before it is stored.
struct PageNotes {
  // Not noted again where the record is stored just so already, except that nothing goes to a
  // person.
  std::vector<Fact> facts;
  std::vector<Fact> facts_of_others;  // of records that are not stored
  std::vector<UnreadRecord> unreadable;
  // The number (people.hpp) under which the records were checked against the forgotten. When it has
  // changed, nothing is stored and DatabaseError(busy) is thrown. Empty: not checked.
  std::optional<std::int64_t> forgets = {};
  // Whose a record is, as in Fact; empty: not known. Without it nobody's.
  std::function<std::string(const mapping::Record&)> person_of = {};
  // What records give that are new or different, each as it was listed last.
  std::function<std::vector<FollowUp>(std::span<const mapping::Record>)> follow_ups_of = {};
};

// Where the tables are that write-backs change.
enum class CrmPlace {
  here,   // in this database: they are written in the transaction of their page
  apart,  // in another one: the records are queued (write_queue.hpp)
};

class PullStore {
 public:
  // Compiles the writes; throws std::invalid_argument with the path, column or table at fault.
  // `time_zone` is the CRM's, for timestamps without a zone. `report`: the tables for reports are
  // kept up to date, too.
  PullStore(Database& database, const mapping::Resource& root,
            const std::vector<config::Write>& writes, const std::string& time_zone = "UTC",
            std::optional<ReportShape> report = {}, CrmPlace crm = CrmPlace::here);
  ~PullStore();

  StoredWalk load(const std::string& list, const std::string& walk);

  // Removes the records of which the database cannot take a row, because its texts and files have
  // too many bytes: as records that could not be read, with all that they say and without their
  // texts.
  std::vector<mapping::Unreadable> take_too_large(std::vector<mapping::Record>& records);

  // Stores a page, its notes and the state of the walk. A record that equals the stored one is not
  // written again. A lease is confirmed first. Of two records with one key in a page the last
  // counts.
  Saved save(std::vector<mapping::Record> records, const StoredWalk& next,
             const std::optional<Lease>& lease, const PageNotes& notes = {});

  // Notes some stored records for reports once more, in one transaction, where the report's
  // configuration has changed or its tables are new. How many; 0: none are left.
  std::int64_t renew_report();
  // Something of the report waits for another try: renew_report() has more to do later.
  bool report_is_late() const { return report_ && report_->is_late(); }
  // Why there are no reports; empty: there are, or none are wanted.
  std::string report_problem() const { return report_ ? report_->problem() : ""; }
  // Forgets that problem, because what was refused may be granted now: renew_report() tries again.
  void try_report_again();

 private:
  struct Attempt;
  Saved save_once(std::vector<mapping::Record>& records, const StoredWalk& next,
                  const std::optional<Lease>& lease, const Attempt& attempt);

  Database& database_;
  const mapping::Resource& root_;
  std::optional<WriteBackStore> writes_;  // where they are done with the page
  bool changes_crm_, queues_writes_;      // where there are write-backs: with the page, or later
  std::optional<ReportShape> shape_;
  std::optional<std::size_t> row_bytes_max_;  // empty: not asked for yet
  std::optional<ReportStore> report_;
  KeptNames kept_names_;  // since load()
};

// Problems of the writes with the database's real tables, for `check`. Empty: none.
std::vector<config::Problem> check_writes(Database& database, const mapping::Resource& root,
                                          const std::vector<config::Write>& writes,
                                          std::vector<std::string>* notes = nullptr);

}  // namespace surveybridge::crm
