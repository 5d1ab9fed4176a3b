// Asks before a batch goes out: may these people be mailed? Holds what that takes: the key of the
// hash, the facts, the operator's own list, and how fresh all of it is. Belongs to a push.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "connectors/crm/ledger.hpp"
#include "daemon/people/suppression.hpp"
#include "daemon/push_plan.hpp"

namespace surveybridge::daemon {

class Suppressor {
 public:
  Suppressor(std::string push, const config::Settings& settings)
      : push_(std::move(push)), settings_(settings) {}

  // Why nobody may be mailed at all: a pull that feeds this has not come to its end lately. Empty:
  // ask about each.
  std::optional<std::string> stale(crm::Database& database, TimePoint today);
  // One after the other among all pushes of a database, so that two transactions of one person
  // cannot go out at the same moment. False: it is another's turn.
  bool take_turn(crm::Database& database, std::string_view owner);
  void end_turn(crm::Database& database);
  const std::optional<crm::Lease>& turn() const { return turn_; }

  struct Ruled {
    std::vector<Invitation> go;
    std::vector<std::pair<std::string, std::string>> suppressed;  // key, reason
    std::vector<crm::Ledger::Delay> delayed;
  };
  // Also tells each invitation's claim whose it is.
  Ruled rule(crm::Database& database, std::vector<Invitation> invitations, TimePoint today);

 private:
  std::string push_;
  const config::Settings& settings_;
  std::optional<crm::Lease> turn_;
};

// The key of the hash, made the first time.
std::string person_key(crm::Database& database);

}  // namespace surveybridge::daemon
