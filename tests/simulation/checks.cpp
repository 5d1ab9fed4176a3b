#include "tests/simulation/checks.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

#include "config/text.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/source/blocklist.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/tables/tables.hpp"
#include "tests/simulation/configuration.hpp"
#include "tests/simulation/faulty_transport.hpp"
#include "tests/simulation/follow_up_checks.hpp"

namespace simulation {

using namespace surveybridge;

namespace {

using crm::State;

struct Mailed {
  int times = 0;
  std::string email, first_name;  // of the last
  bool is_poisoned = false;
  TimePoint arrived;
};

std::map<std::string, Mailed> mailed(ScheduleRun& run, const Drawn& drawn) {
  std::map<std::string, Mailed> all;
  for (const auto& customer : run.service().customers()) {
    std::map<std::string, std::string> data(customer.data.begin(), customer.data.end());
    Mailed& mailed =
        all[data[data.contains(kReturns.correlate) ? kReturns.correlate : kOrders.correlate]];
    ++mailed.times;
    mailed.email = customer.email;
    mailed.is_poisoned = is_poisoned(drawn, std::to_string(customer.id));
    mailed.first_name = data["FirstName"];
    mailed.arrived = customer.created;
  }
  return all;
}

// What became of all the transactions of one person.
struct Person {
  bool out = false;  // forgotten, on the operator's list, or known to have opted out or bounced
  int mailed = 0, held = 0;
};

std::map<std::string, Person> people(ScheduleRun& run, const Drawn& drawn) {
  crm::Ledger ledger(run.store());
  std::map<std::string, Person> people;
  for (const auto& customer : run.service().customers())
    if (customer.original == 0) ++people[config::lower_case(customer.email)].mailed;
  for (const auto& order : drawn.orders) {
    Person& person = people[config::lower_case(order.email)];
    person.out = run.is_forgotten(order.email) || run.is_known_out(order.email);
    const auto entry = ledger.find(order.push, order.key);
    person.held += entry && entry->state == State::held ? 1 : 0;
  }
  return people;
}

// The rows of a push that share a quota: push and branch.
using Group = std::pair<std::string, std::string>;

Group group_of(const Order& order) {
  return {order.push, order.branch};
}

// How many rows of each were in a batch.
std::map<Group, int> tried(ScheduleRun& run, const Drawn& drawn) {
  crm::Ledger ledger(run.store());
  std::map<Group, int> tried;
  for (const auto& order : drawn.orders) {
    const auto entry = ledger.find(order.push, order.key);
    tried[group_of(order)] += entry && entry->attempts > 0 ? 1 : 0;
  }
  return tried;
}

// Does the service list other keys than it was given?
bool changes_keys(const Drawn& drawn) {
  return drawn.has(Extra::cut_keys) || drawn.has(Extra::upper_keys);
}

// May a row be suppressed for this reason, whoever its person is?
bool is_left_out(const Order& order, const std::string& reason, int tried, const Drawn& drawn) {
  if (reason.starts_with("not drawn")) return drawn.has(Extra::sample);
  if (reason.starts_with("over the quota")) return drawn.has(Extra::quota) && tried >= drawn.quota;
  if (reason.find("skipped, the column \"first_name\"") == std::string::npos) return false;
  // What was mended is found by a sweep of the whole window, which may take long, and by none where
  // the query was another one.
  const bool waits = drawn.has(Extra::changed_settings) || drawn.has(Extra::slow_sweep);
  return order.is_never_named() || (order.named_at > TimePoint::min() && waits);
}

// What is wrong with one transaction; empty: nothing.
std::string fault_of(const Order& order, const std::optional<crm::Entry>& entry,
                     const Mailed& mailed, const Person& person, int tried, const Drawn& drawn) {
  const bool hopeless = order.poison || order.unmappable || order.rejected != 0;
  const bool left_out = entry && is_left_out(order, entry->reason, tried, drawn);
  const bool contact = drawn.contact;
  const int times = mailed.times;
  if (times > 0 && mailed.email != order.email) return "mailed to another address";
  const auto as_stored = [&](const std::string& name) {
    return drawn.has(Extra::upper_keys) ? config::lower_case(name) : name;
  };
  if (times > 0 && as_stored(mailed.first_name) != as_stored(order.first_name))
    return "mailed under another name";
  if (times > 1) return fmt::format("mailed {} times", times);
  if (contact && person.mailed > 1) return "its person was mailed more than once";
  if (!entry) return "forgotten: the ledger does not know it";
  switch (entry->state) {
    case State::sent:
      if (times != 1) return "lost: sent, but not at the service";
      return hopeless || order.is_never_named() ? "sent, though it cannot be" : "";
    case State::quarantined:
      if (times != 0) return "quarantined, but at the service";
      // A person retries what only a changed query finds.
      if (hopeless || entry->reason.starts_with("the query that did not find")) return "";
      return "quarantined without cause: " + entry->reason;
    case State::held:
      if (times != 0 && !order.is_changed() && !mailed.is_poisoned)
        return "held, but at the service: " + entry->reason;
      return order.unmappable ? "held, though it cannot be sent" : "";
    case State::suppressed:
      // A restored ledger may have forgotten the person before it looked at the service, or sees
      // the row's own invitation under a key that the service has changed, or judges the row anew.
      if (times != 0 &&
          !(drawn.restore_at && (person.out || left_out || (contact && changes_keys(drawn)))))
        return "suppressed, but at the service: " + entry->reason;
      if (left_out || person.out || (contact && person.mailed > 0)) return "";
      return "suppressed without cause: " + entry->reason;
    default:
      // Nothing was accepted after its last refusal: it may not be the row's fault.
      if (entry->state == State::pending && times == 0 && order.rejected == 403) return "";
      // What the person's record says cannot be read. After a restore it may be the row's own,
      // under a key that the service has cut.
      if (entry->state == State::pending && drawn.has(Extra::unread_opt_outs) && person.out &&
          (times == 0 || (drawn.restore_at && order.is_changed())))
        return "";
      // A person who may have been mailed already: the row waits for `doubt`.
      if (entry->state == State::pending && (times == 0 || order.is_changed()) && contact &&
          (person.held > 0 || (drawn.has(Extra::delay) && person.mailed > 0)))
        return "";
      return fmt::format("at rest it is still {}: {}", to_string(entry->state), entry->reason);
  }
}

// Each day gives every branch of a push so many: of the rows that came since one day began, no more
// can have arrived when another one ends. A restored ledger does not know all that went out.
void check_quotas(ScheduleRun& run, const Drawn& drawn,
                  const std::map<std::string, Mailed>& all_mailed, Report& report) {
  if (!drawn.has(Extra::quota) || drawn.restore_at) return;
  const auto day_of = [](TimePoint at) {
    return std::chrono::floor<std::chrono::days>(at - kMidnight).count();
  };
  struct Days {
    std::int64_t came, arrived;
  };
  std::map<Group, std::vector<Days>> groups;
  for (const auto& order : drawn.orders)
    if (const auto at = all_mailed.find(order.stored); at != all_mailed.end())
      groups[group_of(order)].push_back({day_of(order.committed_at), day_of(at->second.arrived)});
  // For a database whose clock lags, what came on the second day may have come on the first.
  const auto latest = day_of(drawn.has(Extra::clock_steps) ? kBegin : kMidnight);
  for (const auto& [group, rows] : groups) {
    for (auto since = day_of(kBegin); since <= latest; ++since) {
      for (auto until = since; until <= day_of(run.clock().now); ++until) {
        const auto went = std::ranges::count_if(
            rows, [=](const Days& row) { return row.came >= since && row.arrived <= until; });
        if (went > drawn.quota * (until - since + 1))
          report.faults.push_back(fmt::format("over the quota: {} of the branch \"{}\" in {} days",
                                              went, group.second, until - since + 1));
      }
    }
  }
}

// A list of the service and the table that it is pulled into.
struct List {
  const char* name;
  const mapping::Resource& resource;
  const char* target;  // with the query, but for the cursor
  const char* collection;
  const char* age;  // the date that `keep` looks at
};

std::vector<mapping::Record> listed(ScheduleRun& run, const List& list) {
  std::vector<mapping::Record> records;
  std::string cursor;
  do {
    const auto reply =
        run.service().handle({"GET", std::string(list.target) + "&Cursor=" + cursor, {}, ""});
    auto page =
        mapping::read_page(reply.body, "application/json", list.collection, list.resource, {});
    auto& read = std::get<mapping::Page>(page);
    for (auto& record : read.records)
      records.push_back(std::move(record));
    cursor = read.next_cursor;
  } while (!cursor.empty());
  return records;
}

// The order that a customer, rating or bouncer is about: of its data column, where it has one.
const Order* order_of(const mapping::Record& record, const Drawn& drawn) {
  for (const auto& item : record.at("Data").records) {
    for (const auto& order : drawn.orders) {
      const auto* value = std::get_if<std::string>(&item.value("Value"));
      if (value != nullptr && *value == order.stored) return &order;
    }
  }
  return nullptr;
}

std::string key_text(const mapping::Value& key) {
  const auto* number = std::get_if<std::int64_t>(&key);
  return number != nullptr ? std::to_string(*number) : std::get<std::string>(key);
}

std::map<std::string, std::string> stored_digests(ScheduleRun& run, const List& list) {
  const auto& table = mapping::tables_of(list.resource).front();
  std::map<std::string, std::string> digests;
  for (const auto& row :
       run.store()
           .query({"SELECT " + table.columns.front().name + ", digest FROM " + table.name, {}})
           .rows) {
    digests[key_text(row.at(0))] = std::get<std::string>(row.at(1));
  }
  return digests;
}

bool is_old(const mapping::Record& record, const List& list, mapping::Instant before) {
  const auto* at = std::get_if<mapping::Instant>(&record.value(list.age));
  return at != nullptr && *at < before;
}

// The customers that could not be read.
std::set<std::string> set_aside(ScheduleRun& run) {
  std::set<std::string> keys;
  for (const auto& row :
       run.store()
           .query({"SELECT record FROM survey_unreadable WHERE list = 'customers'", {}})
           .rows)
    keys.insert(std::get<std::string>(row.at(0)));
  return keys;
}

using Addresses = std::set<std::string>;

bool has_date_since(const mapping::Record& record, const char* date, mapping::Instant since) {
  const auto* at = std::get_if<mapping::Instant>(&record.value(date));
  return at != nullptr && *at >= since;
}

// Of the customers that were active after the tables caught up.
Addresses late_addresses(const std::vector<mapping::Record>& customers, const ScheduleRun& run) {
  Addresses late;
  for (const auto& customer : customers)
    if (has_date_since(customer, "LastActivityDate", run.caught_up_at()))
      late.insert(customer.get<std::string>("Email").value_or(""));
  return late;
}

// Was this customer active, or this rating approved or answered, after the tables caught up? A
// bouncer has no date of its bounce: its customer has.
bool was_active(const mapping::Record& record, const ScheduleRun& run, const Addresses& late) {
  if (record.resource == &mapping::bouncer())
    return late.contains(record.get<std::string>("Email").value_or(""));
  const bool customer = record.resource == &mapping::customer();
  if (!customer && record.resource != &mapping::rating()) return false;
  if (!customer) {
    const auto& reactions = record.at("Reactions").records;
    const auto is_late = [&](const mapping::Record& reaction) {
      const auto at = reaction.get<mapping::Instant>("Date");
      return at && *at >= run.caught_up_at();
    };
    if (std::ranges::any_of(reactions, is_late)) return true;
  }
  return has_date_since(record, customer ? "LastActivityDate" : "ReviewApprovedDate",
                        run.caught_up_at());
}

using Dates = std::vector<mapping::Instant>;

// When the customers were active that the service cannot list.
Dates poisoned_dates(const std::vector<mapping::Record>& records, const Drawn& drawn) {
  Dates dates;
  for (const auto& record : records) {
    if (record.resource != &mapping::customer()) continue;
    const auto* at = std::get_if<mapping::Instant>(&record.value("LastActivityDate"));
    if (at != nullptr && is_poisoned(drawn, key_text(mapping::key_of(record))))
      dates.push_back(*at);
  }
  return dates;
}

// May the walks by activity miss this customer, or what became of it? A part of a window that is
// left out is a second long.
bool is_missed(const mapping::Record& record, const Drawn& drawn, const Dates& poisoned) {
  if (record.resource != &mapping::customer()) return false;
  const auto* active = std::get_if<mapping::Instant>(&record.value("LastActivityDate"));
  for (const auto& date : poisoned)
    if (active != nullptr && std::chrono::abs(*active - date) <= std::chrono::seconds{1})
      return true;
  const auto* out = std::get_if<bool>(&record.value("OptedOut"));
  return drawn.has(Extra::undated) && (active == nullptr || (out != nullptr && *out));
}

void check_list(ScheduleRun& run, const Drawn& drawn, const List& list, const Addresses& late,
                Report& report) {
  auto stored = stored_digests(run, list);
  const auto complain = [&](const std::string& key, const char* what) {
    report.faults.push_back(fmt::format("{} {}: {}", list.name, key, what));
  };
  const auto aside = set_aside(run);
  const bool keep = drawn.has(Extra::keep) && list.name == std::string("customer");
  const auto old = keep ? run.clock().now - kKeep : mapping::Instant::min();
  // Removal may have looked at any time since the tables began to catch up, or since the last pull
  // before: slow sweeps leave the last `sync` no time for another.
  const auto pulled =
      run.caught_up_at() - (drawn.slow_sweep > Duration{0} ? kPullEvery : Duration{0});
  const auto removed = keep ? pulled - kKeep : mapping::Instant::min();
  const auto records = listed(run, list);
  const auto poisoned = poisoned_dates(records, drawn);
  for (const auto& record : records) {
    const std::string id = key_text(mapping::key_of(record));
    const auto at = stored.find(id);
    const Order* order = order_of(record, drawn);
    // A rating has no address: it is known by its key, which such a service changes.
    const bool is_unknown = changes_keys(drawn) && record.resource == &mapping::rating();
    const bool forgotten = order != nullptr && run.is_forgotten(order->email);
    // It has the score with which it was listed last.
    const bool has_turned = record.resource == &mapping::customer() && changes_score(drawn, id);
    if (forgotten || is_old(record, list, old)) {
      if (at != stored.end() && !is_unknown && (forgotten || is_old(record, list, removed)))
        complain(id, forgotten ? "stored, though forgotten" : "stored, though old");
    } else if (is_missed(record, drawn, poisoned)) {
      // as it was when it was listed last
    } else if (list.name == std::string("customer") && is_bad(drawn, id)) {
      if (at != stored.end()) complain(id, "stored, though it cannot be read");
      if (!aside.contains(id) && !was_active(record, run, late))
        complain(id, "neither stored nor set aside");
    } else if (was_active(record, run, late)) {
      // as it was before, or not at all yet
    } else if (at == stored.end()) {
      complain(id, "not stored");
    } else if (!has_turned && at->second != mapping::digest_of(record)) {
      complain(id, "what is stored differs");
    }
    if (at != stored.end()) stored.erase(at);
  }
  for (const auto& [id, digest] : stored)
    complain(id, "the service does not list it");
}

// The status of each customer must be in the row of its order.
void check_write_back(ScheduleRun& run, const Drawn& drawn, const List& list, Report& report) {
  std::map<std::string, mapping::Value> written;
  for (const auto& row : run.crm().query({"SELECT id, survey_status FROM orders", {}}).rows)
    written[std::get<std::string>(row.at(0))] = row.at(1);
  const auto old = drawn.has(Extra::keep) ? run.clock().now - kKeep : mapping::Instant::min();
  const auto records = listed(run, list);
  const auto poisoned = poisoned_dates(records, drawn);
  for (const auto& record : records) {
    const Order* order = order_of(record, drawn);
    if (is_old(record, list, old)) continue;  // changed while the hosts were suspended
    if (order == nullptr || run.is_forgotten(order->email) || was_active(record, run, {})) continue;
    if (is_missed(record, drawn, poisoned) || is_bad(drawn, key_text(mapping::key_of(record))))
      continue;
    if (order->is_changed()) continue;          // no row has that key
    if (order->push != kOrders.name) continue;  // only that push writes
    const auto& status = record.at("Status").records;
    const auto* name =
        status.empty() ? nullptr : std::get_if<std::string>(&status.front().value("StatusName"));
    const auto* found = std::get_if<std::string>(&written[order->key]);
    if (name == nullptr || found == nullptr || *name != *found)
      report.faults.push_back(order->key + ": its status was not written back");
  }
}

}  // namespace

void check_transactions(ScheduleRun& run, const Drawn& drawn, Report& report) {
  crm::Ledger ledger(run.store());
  const auto all_mailed = mailed(run, drawn);
  const auto persons = people(run, drawn);
  const auto tries = tried(run, drawn);
  check_quotas(run, drawn, all_mailed, report);
  for (const auto& order : drawn.orders) {
    const auto entry = ledger.find(order.push, order.key);
    const auto at = all_mailed.find(order.stored);
    Person person = persons.at(config::lower_case(order.email));
    person.out = person.out || run.is_blocked(order);
    const int group_tried = tries.at(group_of(order));
    const std::string fault = fault_of(order, entry, at == all_mailed.end() ? Mailed{} : at->second,
                                       person, group_tried, drawn);
    if (!fault.empty()) report.faults.push_back(order.key + ": " + fault);
    if (run.was_not_drawn(order) && at != all_mailed.end())
      report.faults.push_back(order.key + ": mailed, though it was not drawn");
    const bool left_out = entry && entry->state == State::suppressed &&
                          is_left_out(order, entry->reason, group_tried, drawn);
    if (left_out) ++report.left_out;
    if (entry && entry->state == State::sent) ++report.sent;
    if (entry && entry->state == State::held && order.rejected == 0) ++report.held;
    int doubts = 0;
    for (const auto& event : ledger.history(order.push, order.key)) {
      if (event.state == State::in_doubt) ++doubts;
    }
    report.in_doubt += doubts;
    if (entry && entry->state == State::held && order.rejected == 0 && doubts == 0)
      report.faults.push_back(order.key + ": held, though it was never in doubt");
  }
  // Each row that is held was in a batch that met a fault.
  if (report.held > run.held_max())
    report.faults.push_back(fmt::format("{} rows are held, and what happened explains {}",
                                        report.held, run.held_max()));
}

void check_tables(ScheduleRun& run, const Drawn& drawn, Report& report) {
  const List customers{"customer", mapping::customer(),
                       drawn.has(Extra::walks)
                           ? "/external/api/v3/customer?Limit=100&IncludeNotes=true"
                           : "/external/api/v3/customer?Limit=100",
                       "Customers", "LastActivityDate"};
  const auto known = listed(run, customers);
  const Addresses late = late_addresses(known, run);
  check_list(run, drawn, customers, late, report);
  if (drawn.has(Extra::write_back)) check_write_back(run, drawn, customers, report);
  if (drawn.has(Extra::follow_ups)) check_follow_ups(run, drawn, known, report);
  if (!drawn.has(Extra::lists)) return;
  check_list(run, drawn,
             {"rating", mapping::rating(),
              "/external/api/v3/rating?Limit=100&ReviewApprovedDateFilter.From=2026-01-01",
              "Ratings", "ReviewApprovedDate"},
             late, report);
  check_list(run, drawn,
             {"bouncer", mapping::bouncer(), "/external/api/v3/customer/getbouncers?Limit=100",
              "Bouncers", "DateSent"},
             late, report);
}

}  // namespace simulation
