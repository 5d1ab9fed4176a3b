// Sessions that outlive the daemon that used them: thousands of simulated starts need not read the
// schema anew each time. What a daemon leaves open is rolled back, as the end of its session does.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/driver/database.hpp"
#include "tests/support/forwarding_database.hpp"

namespace in_process {

class KeptSessions {
 public:
  using Database = surveybridge::crm::Database;

  // A free session, or a new one. It outlives neither this nor the database's file.
  std::unique_ptr<Database> open(const std::string& connection,
                                 const surveybridge::crm::SessionUse& use) {
    auto& free = free_[{connection, use.reads_only}];
    std::unique_ptr<Database> session;
    if (free.empty()) {
      session = surveybridge::crm::open_database(connection, "UTC", use);
    } else {
      session = std::move(free.back());
      free.pop_back();
    }
    return std::make_unique<Lent>(std::move(session), free);
  }
  // Closes the free ones: before their file goes.
  void close() {
    for (auto& [use, sessions] : free_)
      sessions.clear();
  }

 private:
  using Free = std::vector<std::unique_ptr<Database>>;

  class Lent final : public support::ForwardingDatabase {
   public:
    Lent(std::unique_ptr<Database> session, Free& free)
        : ForwardingDatabase(*session), session_(std::move(session)), free_(free) {}
    ~Lent() override {
      session_->rollback();
      free_.push_back(std::move(session_));
    }

   private:
    std::unique_ptr<Database> session_;
    Free& free_;
  };

  std::map<std::pair<std::string, bool>, Free> free_;
};

}  // namespace in_process
