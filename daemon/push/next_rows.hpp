// Which rows of the CRM a push looks at next: first those that were refused together and are sent
// as separate batches, then those that are pending, then new ones. Rows that can never be sent are
// quarantined. Belongs to a push.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/job/job.hpp"
#include "daemon/push/batch.hpp"
#include "daemon/push/sweeps.hpp"

namespace surveybridge::daemon {

// A sentence for people about rows whose key is missing or too long; empty where there are none.
std::string keyless_text(const config::Push& push, std::int64_t rows);

// Takes out the rows that can never be sent as they are, with their reasons.
std::vector<crm::Ledger::SetAside> take_unsendable(crm::Rows& rows);
// Takes out the rows whose `when` is from before the push's `start`. A row that the ledger has is
// read by its key alone, and `start` may have been raised since it came. `zone`: of the CRM.
std::vector<crm::Ledger::SetAside> take_before_start(const config::Push& push,
                                                     const std::string& zone, crm::Rows& rows);

// Those of the keys whose rows were set aside and have other mapped cells now: the CRM has changed
// them, or the map reads others. Each with the digest of before.
using DigestOf = std::function<std::string(const mapping::Row&)>;
std::vector<crm::Ledger::Mendable> mended_rows(const config::Push& push,
                                               const config::Settings& settings,
                                               crm::Database& store, crm::Source& source,
                                               const std::vector<std::string>& keys,
                                               const DigestOf& digest_of);

class NextRows {
 public:
  NextRows(const config::Push& push, JobContext& context)
      : push_(push), context_(context), sweeps_(push, context) {}

  // A batch with its rows and those that are to be quarantined: at most `limit` rows, fewer where
  // they are heavy, and none where none of those that were looked at can be sent. nullptr: no row
  // is left. Rows that are set aside become pending where `digest_of` (push_plan.hpp) tells that
  // the CRM has changed them.
  std::unique_ptr<Batch> find(SplitBatches& splits, const DigestOf& digest_of, TimePoint db_now,
                              int limit);

  crm::Source& source();
  // The new rows that wait and are drawn, and the pending ones.
  std::int64_t count_waiting();
  // These rows are claimed.
  void claimed(const std::vector<std::string>& keys) { sweeps_.drop_first(keys); }
  // Other instances claim the same rows: see Sweeps.
  void go_on_behind(double share) { sweeps_.go_on_behind(share); }
  // No row is left: the next find() is another poll.
  void rest() { sweeps_.rest(); }
  // Rows were set aside that the CRM may mend: the next sweeps look at them.
  void look_again() { may_find_again_ = true; }
  // Is a sweep of the whole window under way?
  bool in_whole_sweep() const { return sweeps_.in_whole(); }
  // How many rows have no key, and share one with others, in a sentence; empty: none.
  std::string not_sent() const;

 private:
  std::unique_ptr<Batch> pending(int limit);
  std::unique_ptr<Batch> fresh(const DigestOf& digest_of, TimePoint db_now, int limit);
  std::unique_ptr<Batch> of_sweep(std::size_t limit);
  void quarantine_undated(TimePoint db_now);
  void retry_found();
  bool retry_mended(const DigestOf& digest_of);

  const config::Push& push_;
  JobContext& context_;
  std::optional<crm::Source> source_;
  Sweeps sweeps_;
  TimePoint undated_at_{};  // when rows without a date are looked for next
  // May the ledger have rows without a date, others that the query did not find and may find again,
  // or such that the CRM may have mended?
  bool may_find_again_ = true;
  std::vector<std::string> mendable_;  // keys of rows that are looked at again, in turn
};

}  // namespace surveybridge::daemon
