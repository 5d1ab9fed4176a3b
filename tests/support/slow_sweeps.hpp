// A database on which each statement of a push's sweep over its window takes a while: a test's
// clock is turned by so much. How long a sweep rests follows from that.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "tests/support/forwarding_database.hpp"

namespace support {

class SlowSweeps final : public ForwardingDatabase {
 public:
  // `turn`: called after each such statement.
  SlowSweeps(std::unique_ptr<Database> inner, std::function<void()> turn)
      : ForwardingDatabase(std::move(inner)), turn_(std::move(turn)) {}

  surveybridge::crm::Result query(const surveybridge::crm::Statement& statement) override {
    auto result = inner().query(statement);
    if (statement.sql.find("bridge_when") != std::string::npos) turn_();
    return result;
  }

 private:
  std::function<void()> turn_;
};

}  // namespace support
