#include "daemon/suppress/suppression_check.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "daemon/lists/pull_filters.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

using List = config::Pull::List;
using Since = config::Suppress::Contact::Since;

bool counts(const config::Suppress& suppress, Since since) {
  return std::ranges::any_of(suppress.contact,
                             [=](const auto& rule) { return rule.since == since; });
}

bool feeds(const config::Suppress& suppress, List list, const std::string& by) {
  if (list == List::bouncers) return true;
  return by == "LastActivityDate" || (by == "OptedOutDate" && suppress.opted_out) ||
         (by == "DateInvited" && counts(suppress, Since::invitation)) ||
         (by == "SurveyFinishedDate" && counts(suppress, Since::answer));
}

// A secret must not be guessed from a seed: the one random number that no test needs again.
std::string drawn_key() {
  std::random_device device;
  std::string key;
  for (int i = 0; i < 8; ++i)
    key += std::to_string(device()) + ".";
  return mapping::person_of("surveybridge", key);
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

std::vector<FeedingWalk> feeding_walks(const config::Settings& settings) {
  std::vector<FeedingWalk> feeding;
  if (!settings.suppress) return feeding;
  const auto& suppress = *settings.suppress;
  for (const auto& pull : settings.pulls) {
    const bool needed = (pull.list == List::customers && suppress.needs_customers()) ||
                        (pull.list == List::bouncers && suppress.needs_bouncers());
    if (!needed) continue;
    const auto own = own_walks(settings, pull.name);
    for (const auto& walk : plan_walks(pull, settings.service.dialect)) {
      const bool is_own = std::ranges::find(own, walk.name) != own.end();
      if (!is_own && !feeds(suppress, pull.list, walk.by)) continue;
      const Duration longer =
          !is_own && walk.every > suppress.stale_after ? walk.every : Duration{0};
      feeding.push_back({pull.name, walk.name, walk.by, suppress.stale_after + longer, walk.every});
    }
  }
  return feeding;
}

std::string person_key(crm::Database& database) {
  crm::People people(database);
  if (auto stored = people.stored_hash_key()) return *std::move(stored);
  return people.hash_key(drawn_key());
}

std::optional<SuppressionCheck::Stale> SuppressionCheck::stale(crm::Database& database,
                                                               TimePoint db_now,
                                                               std::optional<TimePoint> start) {
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
    const bool is_fresh = fed && *fed + walk.stale_after >= db_now;
    const bool was_due = start && fed && *fed < *start && *fed + walk.every <= *start;
    if (is_fresh && !was_due) continue;
    if (is_fresh)
      return Stale{"[pull." + walk.list + "], the walk by " + walk.by +
                       " was due at the start and is read first: nobody knows yet who has opted"
                       " out since",
                   true};
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
                                                  std::vector<BatchItem> items, TimePoint db_now,
                                                  When when) {
  Screened screened;
  if (items.empty()) return screened;
  const auto* suppress = suppress_of(settings_);
  const mapping::PersonHash hash(person_key(database));
  std::vector<std::string> persons, keys;
  for (auto& item : items) {
    auto& claim = item.claim;
    keys.push_back(claim.key);
    claim.person = hash.of(claim.email);
    if (!claim.person.empty()) persons.push_back(claim.person);
  }
  const crm::Asked asked = asked_of(suppress);
  auto histories = crm::People(database).contact_histories(persons, asked);
  std::set<std::string> listed;
  if (asked != crm::Asked::facts) listed = crm::Ledger(database).listed(push_.name, keys);
  const auto lists = read_lists(crm);
  QuotaLeft quota = quota_left(database, items, db_now);
  for (auto& item : items) {
    const auto& claim = item.claim;
    crm::ContactHistory& history = histories[claim.person];
    // The claim puts it in doubt, and nobody is mailed for it. Of whoever was forgotten the ledger
    // keeps no address.
    if (listed.contains(claim.key) && !history.facts.contains(crm::FactKind::forgotten)) {
      screened.go.push_back(std::move(item));
      continue;
    }
    if (when == When::after_another) {
      history.pushes[push_.name].latest[crm::State::sent] = db_now;
      history.pushes[push_.name].customers[crm::FactKind::invited] = db_now;
    }
    const bool drawn = is_drawn(push_, claim.key, claim.person);
    Decision ruling = decide({push_.name, drawn}, history, suppress, db_now);
    const auto names = [&](const auto& list) { return list.second->has(claim.email); };
    if (const auto list = std::ranges::find_if(lists, names); list != lists.end())
      ruling = {Decision::What::suppress, "named by [" + list->first + "] query", {}};
    if (push_.quota && ruling.what == Decision::What::go) {
      const auto says = quota.take(claim.quota);
      if (says == QuotaLeft::Says::wait) {
        screened.behind.push_back(claim.key);
        continue;
      }
      if (says == QuotaLeft::Says::full)
        ruling = {Decision::What::suppress, over_quota_text(*push_.quota), {}};
    }
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

// Counted under the turn (suppression_turn.hpp) it holds until the rows are claimed.
QuotaLeft SuppressionCheck::quota_left(crm::Database& database, const std::vector<BatchItem>& items,
                                       TimePoint db_now) const {
  if (!push_.quota) return {0, {}};
  std::set<std::string> values;
  for (const auto& item : items)
    values.insert(item.claim.quota);
  const TimePoint since =
      quota_since(push_.quota->per, settings_.report.week_starts, settings_.crm.time_zone, db_now);
  return {push_.quota->most,
          crm::Ledger(database).taken(push_.name, {values.begin(), values.end()}, since),
          foreseen_};
}

void SuppressionCheck::foresee(const std::vector<BatchItem>& go) {
  for (const auto& item : go)
    ++foreseen_[item.claim.quota];
}

std::map<std::string, const crm::Blocklist*> SuppressionCheck::read_lists(crm::Database& crm) {
  std::map<std::string, const crm::Blocklist*> read;
  if (!settings_.suppress) return read;
  for (const auto& list : settings_.suppress->lists)
    if (list.is_for(push_.name)) read[list.section()] = &read_list(list, crm);
  return read;
}

const crm::Blocklist& SuppressionCheck::read_list(const config::Suppress::List& list,
                                                  crm::Database& crm) {
  const Duration begun = uptime_();
  auto& [addresses, read_at, took] = own_lists_[list.section()];
  if (addresses && begun - read_at < took * kReadingShare) return *addresses;
  addresses.reset();  // not beside the next one in memory
  addresses.emplace(crm, list);
  read_at = uptime_();
  took = read_at - begun;
  return *addresses;
}

std::optional<std::string> SuppressionCheck::lost(crm::Database& database) const {
  for (const auto& [section, reading] : own_lists())
    if (auto why = lost_text(database, push_.name, section, reading.addresses)) return why;
  return std::nullopt;
}

void SuppressionCheck::note_lost(crm::Database& database) const {
  for (const auto& [section, reading] : own_lists())
    if (lost_text(database, push_.name, section, reading.addresses))
      crm::note_list_loss(database, push_.name, section);
}

bool SuppressionCheck::is_loss_noted(crm::Database& database) const {
  return std::ranges::any_of(own_lists(), [&](const auto& list) {
    return crm::list_lost_since(database, push_.name, list.first).has_value();
  });
}

std::optional<std::string> SuppressionCheck::lost_unreleased(crm::Database& database) const {
  auto why = lost(database);
  if (!why) return why;
  crm::Brakes brakes(database);
  const auto brake = brakes.load(push_.name);
  const auto released = brakes.releases(push_.name, 1);
  if (!brake || brake->allowance == 0 || released.empty()) return why;
  for (const auto& [section, reading] : own_lists()) {
    if (!lost_text(database, push_.name, section, reading.addresses)) continue;
    const auto since = crm::list_lost_since(database, push_.name, section);
    if (!since || released.front().at < *since) return why;
  }
  return std::nullopt;
}

std::optional<std::string> lost_text(crm::Database& database, const std::string& push,
                                     const std::string& section, std::int64_t addresses) {
  constexpr std::int64_t kMany = 20;
  const auto before = crm::addresses_before(database, push, section);
  const bool is_lost = crm::list_lost_since(database, push, section).has_value();
  const bool is_believed = is_lost          ? 10 * addresses >= 9 * before
                           : addresses == 0 ? before == 0
                                            : before < kMany || 2 * addresses >= before;
  if (is_believed) return std::nullopt;
  return fmt::format("{}[{}] query lists {}, and listed {} {} before", kListLost, section,
                     addresses == 0 ? "nobody" : std::to_string(addresses), before,
                     before == 1 ? "address" : "addresses");
}

crm::ListReadings SuppressionCheck::own_lists() const {
  crm::ListReadings readings;
  for (const auto& [section, list] : own_lists_)
    if (list.addresses)
      readings[section] = {static_cast<std::int64_t>(list.addresses->addresses()),
                           list.addresses->unread()};
  return readings;
}

}  // namespace surveybridge::daemon
