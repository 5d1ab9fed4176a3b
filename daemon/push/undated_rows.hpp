// Rows whose `when` has a place in no window: NULL, a zero date, text that is no date. No sweep
// finds them, so they are quarantined with that reason. The sweep finds those whose date can be
// read again.
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

}  // namespace surveybridge::daemon
