#include "daemon/suppress/suppression_turn.hpp"

#include <algorithm>
#include <string>

namespace surveybridge::daemon {

namespace {

constexpr std::chrono::seconds kLasts{30};
// For each list that the push asks: two statements, of which each may take a minute. A lease that
// ends further ahead than kLeaseAhead would hold nothing.
constexpr std::chrono::seconds kLastsForList{150};
constexpr std::chrono::seconds kLastsMost = std::chrono::seconds{crm::kLeaseAhead} / 2;
constexpr const char* kName = "suppress";

}  // namespace

std::optional<SuppressionTurn> SuppressionTurn::take(crm::Database& database,
                                                     const config::Settings& settings,
                                                     const config::Push& push,
                                                     std::string_view owner) {
  SuppressionTurn turn(database);
  const auto& suppress = settings.suppress;
  if (!push.quota && (!suppress || suppress->contact.empty())) return turn;
  turn.lasts_ = kLasts;
  if (suppress)
    for (const auto& list : suppress->lists)
      if (list.is_for(push.name)) turn.lasts_ = std::min(turn.lasts_ + kLastsForList, kLastsMost);
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
