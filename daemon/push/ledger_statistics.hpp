// When a push lets the database count the rows of the ledger anew. PostgreSQL does so by itself,
// but not before a minute has passed: until then it would plan for the empty table that a first run
// begins with, and read the whole ledger for each batch. Belongs to a push.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "connectors/crm/ledger/ledger.hpp"

namespace surveybridge::daemon {

class LedgerStatistics {
 public:
  // So many rows were claimed.
  void claimed(std::size_t rows, crm::Ledger& ledger) {
    rows_ += static_cast<std::int64_t>(rows);
    if (next_ == kAfter.size() || rows_ < kAfter[next_]) return;
    ++next_;
    ledger.renew_statistics();
  }

 private:
  static constexpr std::array<std::int64_t, 2> kAfter{1'000, 30'000};  // rows of this process
  std::int64_t rows_ = 0;
  std::size_t next_ = 0;
};

}  // namespace surveybridge::daemon
