#include "daemon/suppress/suppression_turn.hpp"

#include <string>

namespace surveybridge::daemon {

namespace {

constexpr std::chrono::seconds kLasts{30};
constexpr const char* kName = "suppress";

}  // namespace

std::optional<SuppressionTurn> SuppressionTurn::take(crm::Database& database,
                                                     const config::Settings& settings,
                                                     std::string_view owner) {
  SuppressionTurn turn(database);
  if (!settings.suppress || settings.suppress->contact.empty()) return turn;
  turn.lease_ = crm::Leases(database).take(kName, std::string(owner), kLasts);
  if (!turn.lease_) return std::nullopt;
  return turn;
}

SuppressionTurn::~SuppressionTurn() {
  try {
    give_back();
  } catch (...) {
    // It ends by itself.
  }
}

void SuppressionTurn::give_back() {
  if (!lease_) return;
  const auto lease = *std::exchange(lease_, std::nullopt);
  crm::Leases(*database_).release(lease);
}

}  // namespace surveybridge::daemon
