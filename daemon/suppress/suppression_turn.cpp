#include "daemon/suppress/suppression_turn.hpp"

#include <string>

namespace surveybridge::daemon {

namespace {

constexpr std::chrono::seconds kLasts{30};
// For each list of the operator's own: two statements, of which each may take a minute.
constexpr std::chrono::seconds kLastsForList{150};
constexpr const char* kName = "suppress";

}  // namespace

std::optional<SuppressionTurn> SuppressionTurn::take(crm::Database& database,
                                                     const config::Settings& settings,
                                                     const config::Push& push,
                                                     std::string_view owner) {
  SuppressionTurn turn(database);
  const auto& suppress = settings.suppress;
  if (!push.quota && (!suppress || suppress->contact.empty())) return turn;
  turn.lasts_ = kLasts + kLastsForList * (suppress ? suppress->lists.size() : 0);
  turn.lease_ = crm::Leases(database).take(kName, std::string(owner), turn.lasts_);
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

void SuppressionTurn::renew() {
  if (!lease_) return;
  const auto before = *std::exchange(lease_, std::nullopt);
  lease_ = crm::Leases(*database_).take(kName, before.owner, lasts_);
  if (lease_ && lease_->fence == before.fence) return;
  give_back();
  throw crm::LeaseLost("to judge who may be mailed took longer than " +
                       std::to_string(lasts_.count()) +
                       " s, and another push had its turn meanwhile");
}

void SuppressionTurn::give_back() {
  if (!lease_) return;
  const auto lease = *std::exchange(lease_, std::nullopt);
  crm::Leases(*database_).release(lease);
}

}  // namespace surveybridge::daemon
