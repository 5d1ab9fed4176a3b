// Rows whose `when` has a place in no window: NULL, a zero date, text that is no date. They would
// never be found, so they are set aside with that reason, and are pending once their date can be
// read.
#pragma once

#include <string>

#include "config/settings.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/job/job.hpp"

namespace surveybridge::daemon {

class UndatedRows {
 public:
  explicit UndatedRows(const config::Push& push) : push_(push) {}

  // Looks for such rows once an hour, since that reads the whole query, and for those whose date
  // can be read now each time. How many were set aside just now.
  std::int64_t look(crm::Source& source, crm::Ledger& ledger, TimePoint since, TimePoint db_now);

 private:
  std::int64_t set_aside(crm::Source& source, crm::Ledger& ledger);

  const config::Push& push_;
  TimePoint next_look_{};
  bool some_ = true;  // the ledger may have such rows
};

}  // namespace surveybridge::daemon
