// The leases that a session has taken and not given back, read from the statements that it runs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/leases/lease.hpp"

namespace simulation {

class OwnLeases {
 public:
  // A statement that has been run.
  void see(const surveybridge::crm::Statement& statement);
  std::optional<surveybridge::crm::Lease> find(const std::string& name) const;
  const std::map<std::string, surveybridge::crm::Lease>& all() const { return held_; }

  // The lease that a statement reads; empty: it reads none.
  static std::string read_by(const surveybridge::crm::Statement& statement);

 private:
  std::map<std::string, surveybridge::crm::Lease> held_;
};

}  // namespace simulation
