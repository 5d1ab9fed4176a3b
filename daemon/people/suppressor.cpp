#include "daemon/people/suppressor.hpp"

#include <random>

#include "connectors/crm/blocklist.hpp"
#include "daemon/pull_filters.hpp"
#include "mapping/person.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::chrono::seconds kTurn{30};
constexpr const char* kTurnName = "suppress";

// A secret must not be guessed from a seed: the one random number that no test needs again.
std::string drawn_key() {
  std::random_device device;
  std::string key;
  for (int i = 0; i < 8; ++i)
    key += std::to_string(device()) + ".";
  return mapping::person_of("surveybridge", key);
}

const config::Suppress* suppress_of(const config::Settings& settings) {
  return settings.suppress ? &*settings.suppress : nullptr;
}

}  // namespace

std::string person_key(crm::Database& database) {
  return crm::People(database).seal(drawn_key());
}

std::optional<std::string> Suppressor::stale(crm::Database& database, TimePoint today) {
  const auto* suppress = suppress_of(settings_);
  if (suppress == nullptr) return std::nullopt;
  crm::People people(database);
  const auto old = [&](const std::string& list) {
    const auto fed = people.fed(list, own_walks(settings_, list));
    return !fed || *fed + suppress->stale_after < today;
  };
  const bool customers = suppress->needs_customers() && old("customers");
  if (!customers && !(suppress->needs_bouncers() && old("bouncers"))) return std::nullopt;
  return std::string("[pull.") + (customers ? "customers" : "bouncers") +
         "] has not come to its end within stale_after: nobody knows whom not to mail";
}

bool Suppressor::take_turn(crm::Database& database, std::string_view owner) {
  const auto* suppress = suppress_of(settings_);
  if (suppress == nullptr || suppress->contact.empty()) return true;
  turn_ = crm::Leases(database).take(kTurnName, std::string(owner), kTurn);
  return turn_.has_value();
}

void Suppressor::end_turn(crm::Database& database) {
  if (turn_) crm::Leases(database).release(*turn_);
  turn_.reset();
}

Suppressor::Ruled Suppressor::rule(crm::Database& database, std::vector<Invitation> invitations,
                                   TimePoint today) {
  Ruled ruled;
  if (invitations.empty()) return ruled;
  const auto* suppress = suppress_of(settings_);
  const std::string key = person_key(database);
  std::vector<std::string> persons, addresses;
  for (auto& invitation : invitations) {
    auto& claim = invitation.claim;
    claim.person = mapping::person_of(key, claim.email);
    if (!claim.person.empty()) persons.push_back(claim.person);
    addresses.push_back(claim.email);
  }
  auto dossiers = crm::People(database).dossiers(persons);
  const auto listed = suppress == nullptr || suppress->query.empty()
                          ? std::set<std::string>{}
                          : crm::listed(database, suppress->query, addresses);
  for (auto& invitation : invitations) {
    const auto& claim = invitation.claim;
    Ruling ruling = rule_on({push_, claim.key}, dossiers[claim.person], suppress, today);
    const bool on_list = listed.count(crm::folded(claim.email)) > 0;
    if (on_list) ruling = {Ruling::What::suppress, "named by [suppress] query", {}};
    switch (ruling.what) {
      case Ruling::What::go:
        ruled.go.push_back(std::move(invitation));
        break;
      case Ruling::What::suppress:
        ruled.suppressed.emplace_back(claim.key, ruling.reason);
        break;
      case Ruling::What::delay:
        ruled.delayed.push_back({claim.key, ruling.reason, ruling.until});
        break;
    }
  }
  return ruled;
}

}  // namespace surveybridge::daemon
