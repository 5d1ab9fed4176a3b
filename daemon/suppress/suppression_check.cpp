#include "daemon/suppress/suppression_check.hpp"

#include <algorithm>
#include <random>

#include "config/text.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "daemon/suppress/feeding_walks.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

// A secret must not be guessed from a seed: the one random number that no test needs again.
std::string drawn_key() {
  std::random_device device;
  std::string key;
  for (int i = 0; i < 8; ++i)
    key += std::to_string(device()) + ".";
  return std::string(mapping::kShortPersons) + mapping::person_of("surveybridge", key);
}

constexpr const char* kUnfed =
    "[suppress] needs a list that nothing pulls: nobody knows whom not to mail";

// What the rules look at. Who was forgotten is a fact.
crm::Asked asked_of(const config::Suppress* suppress) {
  using Of = config::Suppress::Contact::Of;
  if (suppress == nullptr || suppress->contact.empty()) return crm::Asked::facts;
  const bool by_push =
      std::ranges::any_of(suppress->contact, [](const auto& rule) { return rule.of == Of::same; });
  return by_push ? crm::Asked::customers : crm::Asked::transactions;
}

const config::Suppress* suppress_of(const config::Settings& settings) {
  return settings.suppress ? &*settings.suppress : nullptr;
}

}  // namespace

std::string person_key(crm::Database& database) {
  crm::People people(database);
  if (auto stored = people.stored_hash_key()) return *std::move(stored);
  return people.hash_key(drawn_key());
}

std::optional<SuppressionCheck::Stale> SuppressionCheck::stale(crm::Database& database,
                                                               TimePoint db_now) {
  const auto* suppress = suppress_of(settings_);
  if (suppress == nullptr) return std::nullopt;
  const auto walks = feeding_walks(settings_);
  const auto fed_by_none = [&](const char* list) {
    return std::ranges::find(walks, list, &FeedingWalk::list) == walks.end();
  };
  if (suppress->needs_customers() && fed_by_none("customers")) return Stale{kUnfed};
  if (suppress->needs_bouncers() && fed_by_none("bouncers")) return Stale{kUnfed};
  crm::People people(database);
  for (const auto& walk : walks) {
    const auto fed = people.fed(walk.list, {walk.name});
    if (fed && *fed + walk.stale_after >= db_now) continue;
    return Stale{
        "[pull." + walk.list + "], the walk by " + walk.by + " has not " +
            (fed ? "come to its end within stale_after" : "been read to its end once yet") +
            ": nobody knows whom not to mail" +
            (fed ? "" : " (`sync` without the name of a job reads the list first)"),
        !fed};
  }
  return std::nullopt;
}

SuppressionCheck::Screened SuppressionCheck::rule(crm::Database& database, crm::Database& crm,
                                                  std::vector<BatchItem> items, TimePoint db_now) {
  return rule(database, crm, std::move(items), db_now, Before::nothing);
}

SuppressionCheck::Screened SuppressionCheck::rule_after_another(crm::Database& database,
                                                                crm::Database& crm,
                                                                std::vector<BatchItem> items,
                                                                TimePoint db_now) {
  return rule(database, crm, std::move(items), db_now, Before::another);
}

SuppressionCheck::Screened SuppressionCheck::rule(crm::Database& database, crm::Database& crm,
                                                  std::vector<BatchItem> items, TimePoint db_now,
                                                  Before before) {
  Screened screened;
  if (items.empty()) return screened;
  const auto* suppress = suppress_of(settings_);
  const mapping::PersonHash hash(person_key(database));
  std::vector<std::string> persons, addresses;
  for (auto& item : items) {
    auto& claim = item.claim;
    claim.person = hash.of(claim.email);
    if (!claim.person.empty()) persons.push_back(claim.person);
    addresses.push_back(claim.email);
  }
  auto histories = crm::People(database).contact_histories(persons, asked_of(suppress));
  const auto listed = suppress == nullptr || suppress->query.empty()
                          ? std::set<std::string>{}
                          : crm::listed(crm, suppress->query, addresses);
  for (auto& item : items) {
    const auto& claim = item.claim;
    crm::ContactHistory& history = histories[claim.person];
    if (before == Before::another) {
      history.pushes[push_].latest[crm::State::sent] = db_now;
      history.pushes[push_].customers[crm::FactKind::invited] = db_now;
    }
    Decision ruling = decide({push_}, history, suppress, db_now);
    const bool on_list = listed.count(config::lower_case(claim.email)) > 0;
    if (on_list) ruling = {Decision::What::suppress, "named by [suppress] query", {}};
    switch (ruling.what) {
      case Decision::What::go:
        screened.go.push_back(std::move(item));
        break;
      case Decision::What::suppress:
        screened.suppressed.push_back({claim.key, ruling.reason, claim.person});
        break;
      case Decision::What::delay:
        screened.delayed.push_back({claim.key, ruling.reason, ruling.until, claim.person});
        break;
    }
  }
  return screened;
}

}  // namespace surveybridge::daemon
