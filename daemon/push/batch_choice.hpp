// Chooses the batch that goes next: rows of the CRM become customers, whoever must not be mailed is
// left out, and what is left is cut to one batch. Belongs to a push.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "connectors/crm/daemon_state/list_reading.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/push/batch.hpp"
#include "daemon/push/batch_size.hpp"
#include "daemon/push/next_rows.hpp"
#include "daemon/push/quarantine.hpp"
#include "daemon/suppress/brake.hpp"
#include "daemon/suppress/suppression_check.hpp"

namespace surveybridge::daemon {

class BatchChoice {
 public:
  BatchChoice(const config::Push& push, JobContext& context, Quarantine& quarantine, Brake& brake)
      : push_(push),
        context_(context),
        quarantine_(quarantine),
        brake_(brake),
        next_rows_(push, context),
        size_(push),
        suppression_(push, context.settings(), context.environment().uptime) {}

  // Asks the brake before anything is written of rows that were found; where it holds, nothing is.
  // nullptr: no row is left.
  std::unique_ptr<Batch> next(const mapping::Mapper& mapper, TimePoint db_now);
  // The one place where people are judged: those of a batch who may be mailed now. The ledger is
  // told of the others. Asked when a batch is chosen, and again right before it is claimed.
  std::vector<BatchItem> mailable(std::vector<BatchItem> items, TimePoint db_now);
  // What an answer says of the next batches.
  void learn(const PushDecision& decision);
  // Nothing is left to send.
  void rest();
  // Reads the operator's own lists: do those that had lost addresses have them again?
  bool lists_are_back();

  NextRows& rows() { return next_rows_; }
  SuppressionCheck& suppression() { return suppression_; }

 private:
  std::unique_ptr<Batch> choose(const mapping::Mapper& mapper, std::size_t limit, TimePoint db_now);
  std::optional<std::string> ask_brake(const Batch& batch, std::int64_t aside, TimePoint db_now);
  void delay(const std::vector<crm::Ledger::Delay>& rows);
  void tell(const SuppressionCheck::Screened& screened);
  std::optional<std::string> lost_list();
  void keep_list_readings();

  const config::Push& push_;
  JobContext& context_;
  Quarantine& quarantine_;
  Brake& brake_;
  NextRows next_rows_;
  SplitBatches splits_;
  BatchSize size_;
  SpareRows spare_rows_;
  SuppressionCheck suppression_;
  crm::ListReadings kept_readings_;
};

}  // namespace surveybridge::daemon
