// A transaction that reads the database as it is at one moment, where the database can, and changes
// nothing.
#pragma once

#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

class Snapshot {
 public:
  explicit Snapshot(Database& database);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  void tell(std::string_view statement);
  Database& database_;
};

}  // namespace surveybridge::crm
