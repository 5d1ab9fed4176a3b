// Chooses the batch that goes next: rows of the CRM become customers, whoever must not be mailed is
// left out, and what is left is cut to one batch. Belongs to a push.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "connectors/crm/daemon_state/list_reading.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/push/batch_size.hpp"
#include "daemon/push/next_rows.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/push/quarantine.hpp"
#include "daemon/push/spare_rows.hpp"
#include "daemon/push/split_batches.hpp"
#include "daemon/suppress/suppression_check.hpp"

namespace surveybridge::daemon {

class BatchChoice {
 public:
  BatchChoice(const config::Push& push, JobContext& context, Quarantine& quarantine)
      : push_(push),
        context_(context),
        quarantine_(quarantine),
        next_rows_(push, context),
        suppression_(push.name, context.settings(), context.environment().uptime) {}

  struct Chosen {
    std::vector<BatchItem> items;  // empty: there were rows, and none of them can be sent now
    SplitBatches::Taken split;     // the split batch that they come from; none: from no such one
    bool more_wait = false;        // behind them
    bool lacks_rows = false;       // more of those that wait would make the batch larger
  };
  // Asked before anything is written of rows that were found. False: the brake holds, and nothing
  // is written.
  struct Next {
    std::int64_t sends = 0;      // would go in this batch
    std::int64_t set_aside = 0;  // would be suppressed, delayed or quarantined
    bool more = false;           // others wait behind them
  };
  using MayGo = std::function<bool(const Next& next)>;
  // At most `most` rows, and so many where enough can be sent. Nothing: no row is left.
  std::optional<Chosen> next(const mapping::Mapper& mapper, const BatchSize& size, std::size_t most,
                             TimePoint db_now, const MayGo& may_go);
  // The one place where people are judged: those of a batch who may be mailed now. The ledger is
  // told of the others. Asked when a batch is chosen, and again right before it is claimed.
  std::vector<BatchItem> mailable(std::vector<BatchItem> items, TimePoint db_now);

  NextRows& rows() { return next_rows_; }
  SplitBatches& splits() { return splits_; }
  SuppressionCheck& suppression() { return suppression_; }

 private:
  // Of the next `limit` rows.
  std::optional<Chosen> choose(const mapping::Mapper& mapper, const BatchSize& size,
                               std::size_t most, std::size_t limit, TimePoint db_now,
                               const MayGo& may_go);
  // Tells the ledger of those who may not be mailed now.
  void tell(const SuppressionCheck::Screened& screened);

  void keep_list_reading();

  const config::Push& push_;
  JobContext& context_;
  Quarantine& quarantine_;
  NextRows next_rows_;
  SplitBatches splits_;
  SuppressionCheck suppression_;
  std::optional<crm::ListReading> kept_reading_;
  SpareRows spare_rows_;
};

}  // namespace surveybridge::daemon
