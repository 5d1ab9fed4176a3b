#include "daemon/meeting.hpp"

#include <algorithm>

#include "connectors/crm/ledger.hpp"
#include "daemon/reconcile_plan.hpp"
#include "daemon/suppressor.hpp"
#include "mapping/person.hpp"

namespace surveybridge::daemon {

namespace {

using Mets = std::vector<crm::Ledger::Met>;

std::string person_on(const mapping::Record& record, const std::string& key) {
  const auto* email = std::get_if<std::string>(&record.value("Email"));
  return email == nullptr ? "" : mapping::person_of(key, *email);
}

Mets mets_of(const std::vector<mapping::Record>& customers, const std::string& correlate) {
  Mets mets;
  for (const auto& customer : customers) {
    const auto* id = std::get_if<std::int64_t>(&customer.value("Id"));
    auto key = data_value(customer, correlate, std::nullopt);
    if (id != nullptr && !key.empty()) mets.push_back({std::move(key), *id});
  }
  return mets;
}

bool alone(const config::Settings& settings, const std::string& correlate) {
  return std::ranges::count(settings.pushes, correlate, &config::Push::correlate) == 1;
}

void tell(Desk& desk, const std::string& job, const std::string& push,
          const crm::Ledger::Meeting& meeting) {
  if (meeting.arrived > 0) {
    desk.log().error(job + ": " + std::to_string(meeting.arrived) + " transactions of push \"" +
                     push + "\" are at the service although it said otherwise: see `explain`");
  }
  if (meeting.twice > 0) {
    desk.log().error(job + ": " + std::to_string(meeting.twice) + " transactions of push \"" +
                     push + "\" are at the service MORE THAN ONCE: see their reason");
  }
}

}  // namespace

void meet(Desk& desk, const std::string& job, const std::vector<mapping::Record>& customers) {
  for (const auto& push : desk.settings().pushes) {
    if (push.correlate.empty() || !alone(desk.settings(), push.correlate)) continue;
    const Mets mets = mets_of(customers, push.correlate);
    if (mets.empty()) continue;
    tell(desk, job, push.name, crm::Ledger(desk.database()).meet(push.name, mets));
  }
}

std::vector<mapping::Record> without_forgotten(Desk& desk, std::vector<mapping::Record> records) {
  const std::string key = person_key(desk.database());
  std::vector<std::string> persons;
  for (const auto& record : records)
    persons.push_back(person_on(record, key));
  const auto forgotten = crm::People(desk.database()).forgotten(persons);
  if (forgotten.empty()) return records;
  std::erase_if(records, [&](const mapping::Record& record) {
    return forgotten.count(person_on(record, key)) > 0;
  });
  return records;
}

void note_people(Desk& desk, const std::vector<mapping::Record>& records) {
  if (records.empty()) return;
  const auto& suppress = desk.settings().suppress;
  const auto words = suppress && suppress->bounced ? suppress->bounced->hard_words
                                                   : config::Suppress::Bounced{}.hard_words;
  const std::string key = person_key(desk.database());
  const TimePoint now = desk.database().now();
  std::vector<crm::Fact> facts;
  for (const auto& record : records) {
    const std::string person = person_on(record, key);
    if (person.empty()) continue;
    if (record.resource == &mapping::bouncer()) {
      facts.push_back(fact_of_bouncer(record, person, words, now));
      continue;
    }
    auto of_customer = facts_of_customer(record, person, now);
    facts.insert(facts.end(), of_customer.begin(), of_customer.end());
  }
  crm::People(desk.database()).note(facts);
}

}  // namespace surveybridge::daemon
