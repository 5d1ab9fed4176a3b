// Which rows of the CRM a push looks at next: first those that were refused together and are sent
// as separate batches, then those that are pending, then new ones. Rows that can never be sent are
// quarantined. Belongs to a push.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/push/split_batches.hpp"
#include "daemon/push/sweeps.hpp"

namespace surveybridge::daemon {

// A sentence for people about rows whose key is missing or too long; empty where there are none.
std::string keyless_text(const config::Push& push, std::int64_t rows);
// The same of rows that share their key with one of another date.
std::string sharing_text(const config::Push& push, std::int64_t rows);

// Rows whose `when` has a place in no window: NULL, a zero date, text that is no date. No sweep
// finds them, so they are quarantined with that reason. The sweep finds those whose date can be
// read again.
class UndatedRows {
 public:
  explicit UndatedRows(const config::Push& push) : push_(push) {}

  // Once an hour, since look() reads the whole query.
  bool is_due(TimePoint db_now) const { return db_now >= next_look_; }
  // Quarantines such rows; how many.
  std::int64_t look(crm::Source& source, crm::Ledger& ledger, TimePoint db_now);
  // How long that took: after a slow one the next comes later, so that they take at most one
  // hundredth of the time.
  void lasted(Duration time) { next_look_ += time * 100; }
  // May the ledger have such rows, or others that the query did not find and may find again?
  bool some() const { return some_; }
  void met_gone() { some_ = true; }

 private:
  const config::Push& push_;
  TimePoint next_look_{};
  bool some_ = true;
};

class NextRows {
 public:
  NextRows(const config::Push& push, JobContext& context)
      : push_(push), context_(context), sweeps_(push, context), undated_rows_(push) {}

  struct Found {
    std::vector<mapping::Row> rows;  // empty: none of those that were looked at can be sent
    std::vector<crm::Ledger::SetAside> set_aside = {};  // those that are to be quarantined
    SplitBatches::Taken split = {};  // the split batch that they are; none: they are no such batch
    bool pending = false;            // they are in the ledger already
    bool more = false;               // others may wait behind them
    std::size_t looked_at = 0;       // keys, also those whose rows are gone or not unique
  };
  // At most `limit` rows, fewer where they are heavy. Nothing: no row is left.
  std::optional<Found> find(SplitBatches& split_batches, TimePoint db_now, int limit);

  crm::Source& source();
  // The new rows that wait, and the pending ones.
  std::int64_t count_waiting();
  // These rows are claimed.
  void claimed(const std::vector<std::string>& keys) { sweeps_.drop_first(keys); }
  // Other instances claim the same rows: see Sweeps.
  void go_on_behind(double share) { sweeps_.go_on_behind(share); }
  // No row is left: the next find() is another poll.
  void rest() { sweeps_.rest(); }
  // Is a sweep of the whole window under way?
  bool in_whole_sweep() const { return sweeps_.in_whole(); }
  // How many rows have no key, and share one with others, in a sentence; empty: none.
  std::string not_sent() const;

 private:
  static Found found_of(crm::Rows rows);
  std::optional<Found> pending(int limit);
  std::optional<Found> fresh(TimePoint db_now, int limit);
  std::optional<Found> of_sweep(std::size_t limit);
  void look_for_dates(TimePoint db_now);
  void retry_found();
  std::size_t bytes() const;

  const config::Push& push_;
  JobContext& context_;
  std::optional<crm::Source> source_;
  Sweeps sweeps_;
  UndatedRows undated_rows_;
};

}  // namespace surveybridge::daemon
