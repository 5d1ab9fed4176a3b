// Which rows of the CRM a push looks at next: first those that were refused together and go apart,
// then those that are pending, then new ones. Rows that can never go are set aside on the way.
// Belongs to a push.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "connectors/crm/source/source.hpp"
#include "daemon/context/job_context.hpp"
#include "daemon/push/quarantine.hpp"
#include "daemon/push/split_batches.hpp"
#include "daemon/push/undated_rows.hpp"

namespace surveybridge::daemon {

class NextRows {
 public:
  NextRows(const config::Push& push, JobContext& context, Quarantine& quarantine)
      : push_(push), context_(context), quarantine_(quarantine), undated_rows_(push) {}

  struct Found {
    std::vector<mapping::Row> rows;  // empty: there were rows, and none of them can go
    SplitBatches::Taken split;       // the batch apart that they are; none: they are no such batch
  };
  // About `limit` rows. Nothing: no row is left.
  std::optional<Found> find(SplitBatches& split_batches, TimePoint db_now, int limit);

  crm::Source& source();
  // How many rows have no key, in a sentence; empty: none.
  const std::string& keyless() const { return keyless_; }

 private:
  std::vector<mapping::Row> without_duplicates(crm::Rows rows);
  std::optional<std::vector<mapping::Row>> pending(int limit);
  std::optional<std::vector<mapping::Row>> fresh(TimePoint db_now, int limit);

  const config::Push& push_;
  JobContext& context_;
  Quarantine& quarantine_;
  std::optional<crm::Source> source_;
  UndatedRows undated_rows_;
  std::string keyless_;
};

}  // namespace surveybridge::daemon
