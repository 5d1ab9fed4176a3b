#include "daemon/suppress/persons.hpp"

#include <algorithm>
#include <iterator>

#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/ledger/sent_keys.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "daemon/lists/found_twice.hpp"
#include "daemon/suppress/brake_rule.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/interface/second_feedback.hpp"
#include "mapping/report/invitation.hpp"
#include "mapping/values/address_traces.hpp"

namespace surveybridge::daemon {

const std::string& PagePersons::of(const mapping::Record& record) {
  static const std::string nobody;
  const auto& all = all_of(record);
  return all.empty() ? nobody : all.front();
}

const std::vector<std::string>& PagePersons::all_of(const mapping::Record& record) {
  static const std::vector<std::string> nobody;
  const auto* email = std::get_if<std::string>(&record.value("Email"));
  if (email == nullptr) return nobody;
  const auto [found, is_new] = known_.try_emplace(*email);
  if (!is_new) return found->second;
  auto& persons = found->second;
  persons = of_addresses(mapping::addresses_meant(*email));
  if (auto whole = persons.empty() ? hash_.of(*email) : std::string(); !whole.empty())
    persons.push_back(std::move(whole));
  return persons;
}

std::vector<std::string> PagePersons::of_addresses(
    const std::vector<std::string>& addresses) const {
  std::vector<std::string> persons;
  std::set<std::string> known;
  for (const auto& address : addresses)
    if (auto person = hash_.of(address); known.insert(person).second)
      persons.push_back(std::move(person));
  return persons;
}

bool carries_alone(const config::Settings& settings, const std::string& correlate) {
  return std::ranges::count(settings.pushes, correlate, &config::Push::correlate) == 1;
}

namespace {

// Names that were configured once.
std::vector<std::string> former_pushes(JobContext& context) {
  auto names = crm::Brakes(context.database()).pushes();
  std::erase_if(names, [&](const std::string& name) {
    return std::ranges::count(context.settings().pushes, name, &config::Push::name) > 0;
  });
  return names;
}

// Which of these customers are of transactions of pushes, by the keys in one data column.
class ByKey {
 public:
  ByKey(JobContext& context, const std::string& correlate,
        const std::vector<const mapping::Record*>& customers)
      : context_(context),
        customers_(customers),
        column_(crm::stored_column(context.database(), correlate)) {
    for (const auto* customer : customers)
      if (auto key = data_value(*customer, column_); !key.empty()) keys_.push_back(std::move(key));
  }
  // `by_key`: the key alone tells.
  void look_in(const std::string& push, bool by_key, PersonsOf& found) const {
    if (keys_.empty()) return;
    const auto owners = crm::People(context_.database()).owners_of(push, keys_);
    for (const auto* customer : customers_) {
      const auto owner = owners.find(data_value(*customer, column_));
      if (owner == owners.end()) continue;
      const auto& id = owner->second.customer_id;
      const bool is_theirs = by_key || (id && customer->resource == &mapping::customer() &&
                                        id == mapping::imported_customer_id(*customer));
      if (is_theirs) found[customer].insert(owner->second.person);
    }
  }

 private:
  JobContext& context_;
  const std::vector<const mapping::Record*>& customers_;
  mapping::DataColumn column_;
  std::vector<std::string> keys_;
};

bool shows_data(const mapping::Record* customer) {
  return !customer->at("Data").records.empty();
}

// By data columns that carried keys once: of pushes that are configured no more, or have another
// `correlate` now.
void look_in_former_columns(JobContext& context,
                            const std::vector<const mapping::Record*>& customers,
                            PersonsOf& found) {
  if (std::ranges::none_of(customers, shows_data)) return;
  const auto carriers = crm::key_carriers(context.database());
  for (const auto& carrier : carriers) {
    const std::string& correlate = carrier.second;
    const auto has_it = [&](const auto& other) { return other.second == correlate; };
    const bool is_alone =
        std::ranges::count_if(carriers, has_it) == 1 &&
        std::ranges::count(context.settings().pushes, correlate, &config::Push::correlate) == 0;
    ByKey(context, correlate, customers).look_in(carrier.first, is_alone, found);
  }
}

}  // namespace

PersonsOf persons_by_transaction(JobContext& context,
                                 const std::vector<const mapping::Record*>& customers) {
  PersonsOf found;
  if (customers.empty()) return found;
  const auto former = former_pushes(context);
  for (const auto& push : context.settings().pushes) {
    if (push.correlate.empty()) continue;
    const ByKey by_key(context, push.correlate, customers);
    by_key.look_in(push.name, carries_alone(context.settings(), push.correlate), found);
    for (const auto& name : former)
      by_key.look_in(name, false, found);
  }
  auto others = customers;
  std::erase_if(others, [&](const auto* customer) { return found.contains(customer); });
  look_in_former_columns(context, others, found);
  return found;
}

std::vector<mapping::DataColumn> key_columns(JobContext& context) {
  std::vector<mapping::DataColumn> columns;
  for (const auto& push : context.settings().pushes)
    if (!push.correlate.empty())
      columns.push_back(crm::stored_column(context.database(), push.correlate));
  return columns;
}

std::vector<crm::Ledger::Sighting> sightings_of(const std::vector<mapping::Record>& customers,
                                                const mapping::DataColumn& correlate,
                                                const std::vector<mapping::DataColumn>& all,
                                                PagePersons& persons) {
  std::vector<crm::Ledger::Sighting> sightings;
  for (const auto& customer : customers) {
    const auto id = mapping::imported_customer_id(customer);
    auto key = data_value(customer, correlate);
    const auto* at = std::get_if<mapping::Instant>(&customer.value("TransactionDate"));
    const auto shows = [&](const auto& column) { return !data_value(customer, column).empty(); };
    const bool is_keyless = key.empty() && std::ranges::none_of(all, shows);
    if (!id || (key.empty() && !(is_keyless && at != nullptr))) continue;
    if (is_keyless) key = "(no key) " + std::to_string(*id);
    sightings.push_back({std::move(key), *id, persons.of(customer)});
    sightings.back().opted_out = is_opted_out(customer);
    sightings.back().test = mapping::is_of_test_batch(customer);
    if (at != nullptr) sightings.back().transaction_date = *at;
  }
  return sightings;
}

void settle_listed(JobContext& context, PagePersons& persons, const std::string& job,
                   const std::vector<mapping::Record>& customers, const config::Push* left_out) {
  if (customers.empty()) return;
  const auto all = key_columns(context);
  for (const auto& push : context.settings().pushes) {
    if (&push == left_out || push.correlate.empty() ||
        !carries_alone(context.settings(), push.correlate))
      continue;
    const auto column = crm::stored_column(context.database(), push.correlate);
    const auto sightings = sightings_of(customers, column, all, persons);
    if (sightings.empty()) continue;
    tell_sightings(context.log(), job, push.name,
                   crm::Ledger(context.database())
                       .settle_listed(push.name, sightings,
                                      {service_of(push, context.settings()), push.correlate}),
                   context.settings().file);
  }
}

namespace {

// Of customers that show no key of a transaction any more: by what was stored of them before.
PersonsOf persons_as_stored(JobContext& context,
                            const std::vector<const mapping::Record*>& customers) {
  std::map<std::int64_t, const mapping::Record*> by_number;
  std::vector<std::int64_t> numbers;
  for (const auto* customer : customers) {
    const auto id = mapping::imported_customer_id(*customer);
    if (id && by_number.emplace(*id, customer).second) numbers.push_back(*id);
  }
  std::map<std::string, std::map<std::string, std::int64_t>> of_pushes;  // keys, each with whose
  for (const auto& [number, transaction] :
       crm::Ledger(context.database()).stored_transactions(numbers))
    of_pushes[transaction.first].emplace(transaction.second, number);
  PersonsOf found;
  for (const auto& [push, whose] : of_pushes) {
    std::vector<std::string> keys;
    for (const auto& [key, number] : whose)
      keys.push_back(key);
    for (const auto& [key, owner] : crm::People(context.database()).owners_of(push, keys))
      if (const auto of = whose.find(key); of != whose.end())
        found[by_number.at(of->second)].insert(owner.person);
  }
  return found;
}

}  // namespace

std::vector<crm::Fact> opt_outs_by_transaction(JobContext& context, PagePersons& persons,
                                               const std::vector<mapping::Record>& customers,
                                               TimePoint db_now) {
  std::vector<const mapping::Record*> out;
  for (const auto& customer : customers)
    if (is_opted_out(customer)) out.push_back(&customer);
  auto owners = persons_by_transaction(context, out);
  std::erase_if(out, [&](const auto* customer) { return owners.contains(customer); });
  owners.merge(persons_as_stored(context, out));
  std::vector<crm::Fact> facts;
  for (const auto& [customer, theirs] : owners) {
    for (const auto& person : theirs) {
      if (person == persons.of(*customer)) continue;
      for (auto& fact : facts_of_customer(*customer, person, db_now))
        if (fact.kind == crm::FactKind::opted_out) facts.push_back(std::move(fact));
    }
  }
  return facts;
}

std::vector<crm::Fact> opt_outs_of(JobContext& context, PagePersons& persons,
                                   const std::vector<mapping::Record>& customers,
                                   TimePoint db_now) {
  std::vector<crm::Fact> shown;
  for (const auto& customer : customers) {
    if (!is_opted_out(customer)) continue;
    for (const auto& person : persons.all_of(customer))
      for (auto& fact : facts_of_customer(customer, person, db_now))
        if (fact.kind == crm::FactKind::opted_out) shown.push_back(std::move(fact));
  }
  auto facts = opt_outs_by_transaction(context, persons, customers, db_now);
  std::ranges::move(
      without_persons_with(context, {crm::FactKind::opted_out, crm::FactKind::forgotten},
                           std::move(shown)),
      std::back_inserter(facts));
  return facts;
}

std::vector<crm::Fact> without_persons_with(JobContext& context,
                                            const std::vector<crm::FactKind>& known,
                                            std::vector<crm::Fact> facts) {
  std::vector<std::string> all;
  for (const auto& fact : facts)
    all.push_back(fact.person);
  const auto persons = crm::People(context.database()).with_facts(all, known);
  std::erase_if(facts, [&](const crm::Fact& fact) { return persons.contains(fact.person); });
  return facts;
}

}  // namespace surveybridge::daemon
