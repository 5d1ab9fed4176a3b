#include "daemon/pull/page_effects.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "config/service_list.hpp"
#include "config/text.hpp"
#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/pulled/record_store.hpp"
#include "connectors/crm/pulled/stored_records.hpp"
#include "connectors/crm/schema/erased_keys.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "daemon/pull/emptyings.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/tables/tables.hpp"
#include "mapping/values/address_traces.hpp"

namespace surveybridge::daemon {

namespace {

// The texts that a rating's data show under one of `labels`.
std::vector<std::string> values_under(const mapping::Record& rating,
                                      const std::set<std::string>& labels) {
  std::vector<std::string> values;
  for (const auto& item : rating.at("Data").records) {
    const auto* label = std::get_if<std::string>(&item.value("DisplayName"));
    const auto* value = std::get_if<std::string>(&item.value("Value"));
    if (label && value && labels.contains(config::lower_case(*label))) values.push_back(*value);
  }
  return values;
}

// A rating has no address: whose it is says the key of a transaction in its data.
std::vector<bool> forgotten_among_ratings(JobContext& context,
                                          const std::vector<mapping::Record>& ratings) {
  std::vector<bool> theirs(ratings.size());
  crm::People people(context.database());
  for (const auto& push : context.settings().pushes) {
    const auto labels = crm::labels_of(context.database(), push.correlate);
    std::vector<std::vector<std::string>> values;
    for (const auto& rating : ratings)
      values.push_back(values_under(rating, labels));
    std::vector<std::string> all;
    for (const auto& of_one : values)
      all.insert(all.end(), of_one.begin(), of_one.end());
    const auto found = people.transactions_of(push.name, all, {crm::FactKind::forgotten});
    for (std::size_t i = 0; i < ratings.size(); ++i) {
      const bool one =
          std::any_of(values[i].begin(), values[i].end(), [&](const std::string& value) {
            return found.contains({push.name, value});
          });
      theirs[i] = theirs[i] || one;
    }
  }
  return theirs;
}

std::vector<bool> forgotten_among(JobContext& context, PagePersons& of_page,
                                  const std::vector<mapping::Record>& records) {
  if (records.empty()) return {};
  const bool no_address = records.front().resource->find("Email") == nullptr;
  if (no_address) return forgotten_among_ratings(context, records);
  std::vector<const mapping::Record*> all;
  std::vector<std::string> persons;
  for (const auto& record : records) {
    all.push_back(&record);
    persons.push_back(of_page.of(record));
  }
  // The service may mask the address of whoever was forgotten there, too.
  const bool ever = crm::People(context.database()).forgets() > 0;
  const auto by_transaction = ever ? persons_by_transaction(context, all) : PersonsOf();
  for (const auto& [record, owners] : by_transaction)
    persons.insert(persons.end(), owners.begin(), owners.end());
  const auto forgotten = crm::People(context.database()).forgotten(persons);
  std::vector<bool> theirs;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto owners = by_transaction.find(all[i]);
    theirs.push_back(forgotten.contains(persons[i]) ||
                     (owners != by_transaction.end() &&
                      std::ranges::any_of(owners->second, [&](const std::string& person) {
                        return forgotten.contains(person);
                      })));
  }
  return theirs;
}

// In other people's records only the address goes.
void erase_beside(JobContext& context, PagePersons& of_page,
                  std::vector<mapping::Record>& records) {
  if (records.empty() || records.front().resource->find("Email") == nullptr) return;
  std::map<std::string, std::vector<std::pair<mapping::Record*, std::string>>> written;
  std::vector<std::string> persons;
  for (auto& record : records) {
    if (of_page.all_of(record).size() < 2) continue;
    for (auto& address : mapping::addresses_meant(record.get<std::string>("Email").value())) {
      auto person = of_page.of_addresses({address}).front();
      written[person].emplace_back(&record, std::move(address));
      persons.push_back(std::move(person));
    }
  }
  if (persons.empty()) return;
  for (const auto& person : crm::People(context.database()).forgotten(persons))
    for (const auto& [record, address] : written[person])
      record->set("Email", mapping::without_address(record->get<std::string>("Email").value(),
                                                    address, crm::kErased));
}

// What a page has stored of the forgotten, with what it wrote back: `forget` finds that by what is
// stored. Where it cannot be emptied the records stay, for `forget` says so and is typed again.
void erase_stored(JobContext& context, const mapping::Resource& root,
                  const std::vector<mapping::Value>& keys) {
  crm::Database& store = context.database();
  const auto open_crm = [&]() -> crm::Database& { return context.crm(CrmUse::write); };
  if (crm::stored_records(store, root, keys).empty()) return;
  const Emptyings emptyings = emptyings_of(context.settings(), open_crm);
  if (!emptyings.problems.empty()) return;
  if (emptyings.all.empty()) {
    crm::Transaction transaction(store);
    crm::erase(store, root, keys);
    transaction.commit();
    return;
  }
  // Not the owner of this instance's own write-backs.
  WriteTurns turns(store, context.settings(), context.environment().owner + "-page");
  if (context.is_apart() && !turns.take([] { return false; }))
    throw crm::DatabaseError(crm::DatabaseError::Kind::busy,
                             "what a forgotten person wrote back is emptied after the write-backs");
  try {
    crm::erase_with_writes(store, open_crm(), root, keys, emptyings.all);
  } catch (const crm::NotEmptied&) {
    return;
  }
}

}  // namespace

std::vector<mapping::Record> without_forgotten(JobContext& context, PagePersons& persons,
                                               std::vector<mapping::Record> records,
                                               std::vector<mapping::Record>& theirs) {
  const auto is_theirs = forgotten_among(context, persons, records);
  std::vector<mapping::Value> keys;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!is_theirs[i]) continue;
    keys.push_back(mapping::key_of(records[i]));
    theirs.push_back(records[i]);
  }
  if (!keys.empty()) erase_stored(context, *records.front().resource, keys);
  std::size_t at = 0;
  std::erase_if(records, [&](const mapping::Record&) { return is_theirs.at(at++); });
  erase_beside(context, persons, records);
  return records;
}

std::vector<mapping::Unreadable> without_forgotten(JobContext& context, PagePersons& persons,
                                                   std::vector<mapping::Unreadable> records,
                                                   std::vector<mapping::Record>& theirs) {
  if (records.empty()) return records;
  std::vector<mapping::Record> partial;
  for (const auto& record : records)
    partial.push_back(record.partial);
  const auto is_theirs = forgotten_among(context, persons, partial);
  for (std::size_t i = 0; i < partial.size(); ++i)
    if (is_theirs[i]) theirs.push_back(std::move(partial[i]));
  std::size_t at = 0;
  std::erase_if(records, [&](const mapping::Unreadable&) { return is_theirs.at(at++); });
  return records;
}

namespace {

std::vector<std::string> hard_words_of(const config::Settings& settings) {
  const auto& suppress = settings.suppress;
  return suppress && suppress->bounced ? suppress->bounced->hard_words
                                       : config::Suppress::Bounced{}.hard_words;
}

// Those whose the record is, or may be.
std::set<std::string> persons_of_unread(PagePersons& persons, const mapping::Unreadable& record) {
  const auto* email = std::get_if<std::string>(&record.partial.value("Email"));
  auto meant = email == nullptr ? std::vector<std::string>() : mapping::addresses_meant(*email);
  if (meant.empty() || record.hides("Email"))
    std::ranges::move(mapping::traces_in(record.raw, mapping::Beside::marks).addresses,
                      std::back_inserter(meant));
  const auto found = persons.of_addresses(meant);
  return {found.begin(), found.end()};
}

// What [suppress] asks for and the record hides, or says of nobody who is known.
std::optional<crm::FactKind> hidden_of(const config::Settings& settings,
                                       const std::vector<crm::Fact>& facts, bool is_known) {
  using enum crm::FactKind;
  if (!settings.suppress) return std::nullopt;
  const auto found = std::ranges::find_if(facts, [&](const crm::Fact& fact) {
    const bool is_unread =
        fact.kind == unread_opt_out || fact.kind == unread_bounce || fact.kind == unread_contact;
    return (is_unread || !is_known) && asks_for(*settings.suppress, fact.kind);
  });
  return found == facts.end() ? std::nullopt : std::optional(found->kind);
}

}  // namespace

UnreadPage effects_of_unread(JobContext& context, PagePersons& persons, config::Pull::List list,
                             std::vector<mapping::Unreadable> records, TimePoint db_now) {
  using People = config::ServiceList::People;
  const People people = config::description_of(list).people;
  const auto words = hard_words_of(context.settings());
  UnreadPage page;
  for (auto& record : records) {
    std::vector<crm::Fact> facts;
    std::set<std::string> theirs;
    if (people != People::nothing) theirs = persons_of_unread(persons, record);
    if (people == People::customer)
      theirs.merge(persons_by_transaction(context, {&record.partial})[&record.partial]);
    const std::string name = crm::name_of(record);
    if (people == People::bouncer)
      facts.push_back(fact_of_unread_bouncer(record, "", name, words, db_now));
    if (people == People::customer) facts = facts_of_unread_customer(record, "", name, db_now);
    const auto hidden = hidden_of(context.settings(), facts, !theirs.empty());
    for (const auto& person : theirs) {
      for (auto& fact : facts) {
        fact.person = person;
        page.facts.push_back(fact);
      }
    }
    page.records.push_back(
        {std::move(record), theirs.empty() ? std::string() : *theirs.begin(), hidden});
  }
  return page;
}

std::vector<crm::Fact> facts_of(JobContext& context, PagePersons& persons, config::Pull::List list,
                                const std::vector<mapping::Record>& records, TimePoint db_now) {
  using People = config::ServiceList::People;
  const People people = config::description_of(list).people;
  if (records.empty() || people == People::nothing) return {};
  const auto words = hard_words_of(context.settings());
  std::vector<crm::Fact> facts;
  for (const auto& record : records) {
    const std::string& first = persons.of(record);
    for (const auto& person : persons.all_of(record)) {
      if (people == People::bouncer) {
        facts.push_back(fact_of_bouncer(record, person, words, db_now));
        continue;
      }
      // The mail went to each of them; one has answered.
      for (auto& fact : facts_of_customer(record, person, db_now))
        if (person == first || fact.kind != crm::FactKind::answered)
          facts.push_back(std::move(fact));
    }
  }
  if (people == People::customer)
    std::ranges::move(opt_outs_by_transaction(context, persons, records, db_now),
                      std::back_inserter(facts));
  return facts;
}

std::vector<crm::Fact> facts_beside_forgotten(JobContext& context, PagePersons& persons,
                                              config::Pull::List list,
                                              const std::vector<mapping::Record>& theirs,
                                              TimePoint db_now) {
  if (theirs.empty()) return {};
  return without_persons_with(context, {crm::FactKind::forgotten},
                              facts_of(context, persons, list, theirs, db_now));
}

}  // namespace surveybridge::daemon
