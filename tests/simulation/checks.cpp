#include "tests/simulation/checks.hpp"

#include <map>

#include <fmt/format.h>

#include "config/text.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/tables/tables.hpp"

namespace simulation {

using namespace surveybridge;

namespace {

using crm::State;

std::map<std::string, int> mailed(Life& life) {
  std::map<std::string, int> times;
  for (const auto& customer : life.service().customers()) {
    for (const auto& [name, value] : customer.data) {
      if (name == "OrderNumber") ++times[value];
    }
  }
  return times;
}

// What became of all the transactions of one person.
struct Person {
  bool out = false;  // forgotten, or opted out and known to be
  int mailed = 0, held = 0;
};

std::map<std::string, Person> people(Life& life, const Drawn& drawn) {
  crm::Ledger ledger(life.crm());
  std::map<std::string, Person> people;
  for (const auto& customer : life.service().customers())
    if (customer.original == 0) ++people[config::lower_case(customer.email)].mailed;
  for (const auto& order : drawn.orders) {
    Person& person = people[config::lower_case(order.email)];
    person.out =
        life.is_forgotten(order.email) || (drawn.opted_out && life.is_known_out(order.email));
    const auto entry = ledger.find("orders", order.key);
    person.held += entry && entry->state == State::held ? 1 : 0;
  }
  return people;
}

// What is wrong with one transaction; empty: nothing.
std::string fault_of(const Order& order, const std::optional<crm::Entry>& entry, int times,
                     const Person& person, bool contact) {
  const bool hopeless = order.poison || order.unmappable;
  if (times > 1) return fmt::format("mailed {} times", times);
  if (contact && person.mailed > 1) return "its person was mailed more than once";
  if (!entry) return "forgotten: the ledger does not know it";
  switch (entry->state) {
    case State::sent:
      if (times != 1) return "lost: sent, but not at the service";
      return hopeless ? "sent, though it cannot be" : "";
    case State::quarantined:
      if (times != 0) return "quarantined, but at the service";
      return hopeless ? "" : "quarantined without cause: " + entry->reason;
    case State::held:
      if (times != 0) return "held, but at the service: " + entry->reason;
      return order.unmappable ? "held, though it cannot be sent" : "";
    case State::suppressed:
      if (times != 0) return "suppressed, but at the service";
      if (person.out || (contact && person.mailed > 0)) return "";
      return "suppressed without cause: " + entry->reason;
    default:
      // Whoever may have been mailed already waits for a person to say.
      if (entry->state == State::pending && times == 0 && contact && person.held > 0) return "";
      return fmt::format("at rest it is still {}: {}", to_string(entry->state), entry->reason);
  }
}

std::vector<mapping::Record> listed(Life& life) {
  std::vector<mapping::Record> records;
  std::string cursor;
  do {
    const auto reply = life.service().handle(
        {"GET", "/external/api/v3/customer?Limit=100&Cursor=" + cursor, {}, ""});
    auto page =
        mapping::read_page(reply.body, "application/json", "Customers", mapping::customer(), {});
    auto& read = std::get<mapping::Page>(page);
    for (auto& record : read.records)
      records.push_back(std::move(record));
    cursor = read.next_cursor;
  } while (!cursor.empty());
  return records;
}

std::string address_of(const mapping::Record& record) {
  const auto* email = std::get_if<std::string>(&record.value("Email"));
  return email == nullptr ? "" : *email;
}

std::map<std::int64_t, std::string> stored_digests(Life& life) {
  std::map<std::int64_t, std::string> digests;
  for (const auto& row : life.crm().query({"SELECT id, digest FROM survey_customer", {}}).rows) {
    digests[std::get<std::int64_t>(row.at(0))] = std::get<std::string>(row.at(1));
  }
  return digests;
}

}  // namespace

void check_transactions(Life& life, const Drawn& drawn, Report& report) {
  crm::Ledger ledger(life.crm());
  const auto times = mailed(life);
  const auto persons = people(life, drawn);
  for (const auto& order : drawn.orders) {
    const auto entry = ledger.find("orders", order.key);
    const auto at = times.find(order.key);
    const std::string fault = fault_of(order, entry, at == times.end() ? 0 : at->second,
                                       persons.at(config::lower_case(order.email)), drawn.contact);
    if (!fault.empty()) report.faults.push_back(order.key + ": " + fault);
    if (entry && entry->state == State::sent) ++report.sent;
    if (entry && entry->state == State::held) ++report.held;
    for (const auto& event : ledger.history("orders", order.key)) {
      if (event.state == State::in_doubt) ++report.in_doubt;
    }
  }
}

void check_tables(Life& life, Report& report) {
  auto stored = stored_digests(life);
  for (const auto& record : listed(life)) {
    const auto id = std::get<std::int64_t>(mapping::key_of(record));
    const auto at = stored.find(id);
    if (life.is_forgotten(address_of(record))) {
      if (at != stored.end())
        report.faults.push_back(
            fmt::format("customer {}: in survey_customer, though forgotten", id));
    } else if (at == stored.end()) {
      report.faults.push_back(fmt::format("customer {}: not in survey_customer", id));
    } else if (at->second != mapping::digest_of(record)) {
      report.faults.push_back(fmt::format("customer {}: survey_customer differs", id));
    }
    if (at != stored.end()) stored.erase(at);
  }
  for (const auto& [id, digest] : stored) {
    report.faults.push_back(fmt::format("customer {}: the service does not list it", id));
  }
}

}  // namespace simulation
