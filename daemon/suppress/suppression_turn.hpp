// A push's turn to judge people and claim. Pushes that look at each other's contacts, or that count
// a quota, take turns among all instances of a database, so that two transactions of one person, or
// two last ones of a quota, cannot go out at the same moment. The turn is given back when it is
// destroyed.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "config/settings.hpp"
#include "connectors/crm/leases/lease.hpp"

namespace surveybridge::daemon {

class SuppressionTurn {
 public:
  // Empty: another push has its turn. Where no contact rule is configured and the push has no
  // quota no turn is needed, and there is always one to have.
  static std::optional<SuppressionTurn> take(crm::Database& database,
                                             const config::Settings& settings,
                                             const config::Push& push, std::string_view owner);
  SuppressionTurn(SuppressionTurn&& other) noexcept
      : database_(other.database_),
        lasts_(other.lasts_),
        lease_(std::exchange(other.lease_, std::nullopt)) {}
  SuppressionTurn& operator=(SuppressionTurn&&) = delete;
  ~SuppressionTurn();

  // After the people were judged, however long that took: the turn lasts as long as at first.
  // Throws LeaseLost if another push has had its turn since: then what was judged may no longer
  // hold.
  void renew();
  // To be confirmed within the claim; empty: no turn was needed.
  const std::optional<crm::Lease>& lease() const { return lease_; }
  void give_back();

 private:
  explicit SuppressionTurn(crm::Database& database) : database_(&database) {}

  crm::Database* database_;
  std::chrono::seconds lasts_{0};
  std::optional<crm::Lease> lease_;
};

}  // namespace surveybridge::daemon
