#include "daemon/suppress/suppression_check.hpp"

#include <random>

#include "config/text.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "mapping/values/person.hpp"

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
  return crm::People(database).hash_key(drawn_key());
}

std::optional<std::string> SuppressionCheck::stale(crm::Database& database, TimePoint db_now) {
  const auto* suppress = suppress_of(settings_);
  if (suppress == nullptr) return std::nullopt;
  crm::People people(database);
  const auto old = [&](const std::string& list) {
    const auto fed = people.fed(list, own_walks(settings_, list));
    return !fed || *fed + suppress->stale_after < db_now;
  };
  const bool customers = suppress->needs_customers() && old("customers");
  if (!customers && !(suppress->needs_bouncers() && old("bouncers"))) return std::nullopt;
  return std::string("[pull.") + (customers ? "customers" : "bouncers") +
         "] has not come to its end within stale_after: nobody knows whom not to mail";
}

bool SuppressionCheck::take_turn(crm::Database& database, std::string_view owner) {
  const auto* suppress = suppress_of(settings_);
  if (suppress == nullptr || suppress->contact.empty()) return true;
  turn_ = crm::Leases(database).take(kTurnName, std::string(owner), kTurn);
  return turn_.has_value();
}

void SuppressionCheck::end_turn(crm::Database& database) {
  if (turn_) crm::Leases(database).release(*turn_);
  turn_.reset();
}

SuppressionCheck::Screened SuppressionCheck::rule(crm::Database& database,
                                                  std::vector<BatchItem> items, TimePoint db_now) {
  Screened screened;
  if (items.empty()) return screened;
  const auto* suppress = suppress_of(settings_);
  const std::string key = person_key(database);
  std::vector<std::string> persons, addresses;
  for (auto& item : items) {
    auto& claim = item.claim;
    claim.person = mapping::person_of(key, claim.email);
    if (!claim.person.empty()) persons.push_back(claim.person);
    addresses.push_back(claim.email);
  }
  auto contact_histories = crm::People(database).contact_histories(persons);
  const auto listed = suppress == nullptr || suppress->query.empty()
                          ? std::set<std::string>{}
                          : crm::listed(database, suppress->query, addresses);
  for (auto& item : items) {
    const auto& claim = item.claim;
    Decision ruling = decide({push_, claim.key}, contact_histories[claim.person], suppress, db_now);
    const bool on_list = listed.count(config::lower_case(claim.email)) > 0;
    if (on_list) ruling = {Decision::What::suppress, "named by [suppress] query", {}};
    switch (ruling.what) {
      case Decision::What::go:
        screened.go.push_back(std::move(item));
        break;
      case Decision::What::suppress:
        screened.suppressed.emplace_back(claim.key, ruling.reason);
        break;
      case Decision::What::delay:
        screened.delayed.push_back({claim.key, ruling.reason, ruling.until});
        break;
    }
  }
  return screened;
}

}  // namespace surveybridge::daemon
