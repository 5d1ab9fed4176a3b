// The write-backs of a list ([[pull.LIST.write]]): stored records are written into tables of the
// CRM, and what became of them is noted in the store. Both may be one database: then a record is
// written in the transaction that stores it. Where they are two, the record is queued in that
// transaction (write_queue.hpp) and written afterwards, at least once: the same values twice change
// nothing.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/leases/lease.hpp"
#include "connectors/crm/pulled/write_back.hpp"
#include "mapping/interface/record.hpp"

namespace surveybridge::crm {

// What became of writes.
struct WrittenBack {
  std::int64_t written_back = 0;                    // CRM rows changed
  std::int64_t matched_none = 0, matched_many = 0;  // writes of a record that met no row, several
  std::int64_t unfit = 0;  // writes of a record of which a cell is not there; the rest is
  std::vector<UnwrittenSort> unwritten = {};  // what is missing for the first time
  void add(const WrittenBack& more);
};

class WriteBackStore {
 public:
  // Compiles the writes; throws std::invalid_argument with the path, column or table at fault.
  // `time_zone` is the CRM's, for timestamps without a zone.
  WriteBackStore(Database& crm, Database& store, const mapping::Resource& root,
                 const std::vector<config::Write>& writes, const std::string& time_zone = "UTC");
  ~WriteBackStore();

  // What earlier attempts have shown, for each write: one row must not stop a page for ever.
  struct Attempt;
  // Calls `once`, which is a transaction, and calls it again where it failed because of a row of a
  // write: that row, or the cells that the CRM refuses of it, is left out then.
  void attempt(const std::function<void(const Attempt&)>& once);
  // Within that transaction, where CRM and store are one database.
  void write(std::span<const mapping::Record> records, const Attempt& known,
             const std::string& list, WrittenBack& written);

  // The right to write a list. `holds` is asked right before the CRM's transaction ends, where it
  // is one of its own: false rolls it back, with a DatabaseError(busy). Between two writers the
  // later one's values stay, since a row that is being written is locked.
  struct Right {
    std::optional<Lease> lease = {};
    std::function<bool()> holds = {};  // empty: it does
  };
  // Writes some stored records once more: those that a new or changed write has not come to, and
  // those that met no row and were tried before this time. How many; 0: none are left.
  std::int64_t write_again(const std::string& list, const Right& right, Instant before,
                           WrittenBack& written);
  // Writes some queued records as they are stored now. How many; 0: none are left.
  std::int64_t write_queued(const std::string& list, const Right& right, WrittenBack& written);
  // Is a record queued, or not written yet by a write that is new or was begun anew?
  bool has_work(const std::string& list);

 private:
  struct Outcome;
  bool is_apart() const { return &crm_ != &store_; }
  Outcome write_one(std::size_t number, std::span<const mapping::Record> records,
                    const Attempt& known);
  void note(const Outcome& outcome, const std::string& list, bool first_try, WrittenBack& written);
  std::int64_t write_again(std::size_t number, const std::string& list, const Right& right,
                           Instant before, WrittenBack& written);
  // Writes the stored records with these keys by these writes, then calls `after` in the
  // transaction of the store.
  struct Again {
    std::vector<std::size_t> writes;
    std::vector<Value> keys;
    bool first_try = false;
  };
  using After = std::function<void(const std::vector<mapping::Record>& records)>;
  void write_stored(const Again& again, const std::string& list, const Right& right,
                    const After& after, WrittenBack& written);

  Database& crm_;
  Database& store_;
  const mapping::Resource& root_;
  std::vector<CompiledWrite> writes_;
  std::optional<std::size_t> row_bytes_max_;  // of the CRM; empty: not asked for yet
};

}  // namespace surveybridge::crm
