// A database whose clock a test sets and whose statements are counted; everything else is real.
#pragma once

#include <chrono>

#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {

class TurnedClock final : public support::ForwardingDatabase {
 public:
  explicit TurnedClock(Database& real) : ForwardingDatabase(real) {}

  Instant time = Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 2}};
  int written = 0;  // statements that changed rows
  void advance(std::chrono::microseconds by) { time += by; }

  std::int64_t execute(const Statement& statement) override {
    return counted(inner().execute(statement));
  }
  std::int64_t execute_each(const std::string& sql, const Rows& rows) override {
    return counted(inner().execute_each(sql, rows));
  }
  Instant now() override { return time; }

 private:
  std::int64_t counted(std::int64_t changed) {
    if (changed > 0) ++written;
    return changed;
  }
};

}  // namespace surveybridge::crm
