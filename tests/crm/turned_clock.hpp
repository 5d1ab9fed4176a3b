// A database whose clock a test turns and whose statements it counts; all else is the real one's.
#pragma once

#include <chrono>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

class TurnedClock final : public Database {
 public:
  explicit TurnedClock(Database& real) : real_(real) {}

  Instant time = Instant{std::chrono::sys_days{std::chrono::year{2026} / 11 / 2}};
  int written = 0;  // statements that changed rows
  void advance(std::chrono::microseconds by) { time += by; }

  Dialect dialect() const override { return real_.dialect(); }
  Result query(const Statement& statement) override { return real_.query(statement); }
  std::int64_t execute(const Statement& statement) override {
    return counted(real_.execute(statement));
  }
  std::int64_t execute_each(const std::string& sql,
                            const std::vector<std::vector<Value>>& rows) override {
    return counted(real_.execute_each(sql, rows));
  }
  void begin() override { real_.begin(); }
  void commit() override { real_.commit(); }
  void rollback() noexcept override { real_.rollback(); }
  Instant now() override { return time; }

 private:
  std::int64_t counted(std::int64_t changed) {
    if (changed > 0) ++written;
    return changed;
  }
  Database& real_;
};

}  // namespace surveybridge::crm
