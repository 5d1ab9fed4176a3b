// `explain`: one transaction from first sight to what came back, as the ledger's evidence tells it;
// by its key, the person's address or the customer's id.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "config/text.hpp"
#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/print_json.hpp"
#include "daemon/commands/waiting_rows.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/job/length_text.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

std::string millisecond_text(TimePoint at) {
  return mapping::write_instant(std::chrono::floor<std::chrono::milliseconds>(at));
}

// A customer at the service, as the tables have it.
struct KnownCustomer {
  std::int64_t id;
  std::optional<std::int64_t> second_feedback_of = {};
  // Texts by kCustomerWords; empty: not known.
  std::array<std::string, 4> texts = {};
};
constexpr const char* kCustomerWords[] = {"status", "invited", "opened", "finished"};

struct KnownEvent {
  crm::Ledger::Event event;
  std::optional<crm::Ledger::Batch> batch;  // that the event before does not have
};

// What is known of one transaction.
struct History {
  std::string push, key;
  std::optional<crm::Entry> entry = {};  // empty: the ledger does not know it
  std::string place = {};                // then: where the query has it, as a clause
  std::vector<KnownEvent> events = {};
  std::optional<TimePoint> until = {};  // it is looked at again then
  std::vector<KnownCustomer> customers = {};
};

void print_batch(const crm::Ledger::Batch& batch) {
  fmt::print("  {}  POST of {}{} by instance {}\n", millisecond_text(batch.sent_at),
             counted(batch.rows, "customer"), batch.service.empty() ? "" : " to " + batch.service,
             batch.owner);
  if (!batch.settled_at) return;
  const auto& answer = batch.answer;
  const std::string status = fmt::format("HTTP {}", answer.http_status);
  fmt::print(
      "  {}  answer: {}{}{}\n", millisecond_text(*batch.settled_at), to_string(answer.outcome),
      answer.http_status == 0 || answer.detail.starts_with(status) ? "" : " (" + status + ")",
      answer.detail.empty() ? "" : ": " + one_line(answer.detail));
}

void print_customer(const KnownCustomer& customer) {
  fmt::print("customer {} at the service{}\n", customer.id,
             customer.second_feedback_of
                 ? fmt::format(": second feedback of {}", *customer.second_feedback_of)
                 : "");
  for (std::size_t i = 0; i < customer.texts.size(); ++i)
    if (!customer.texts[i].empty())
      fmt::print("  {:<10} {}\n", kCustomerWords[i], one_line(customer.texts[i]));
}

void print_history(const History& history) {
  fmt::print("push.{}: transaction {}: ", history.push, one_line(history.key));
  if (!history.entry) {
    fmt::print("not in the ledger: the query returns it, and it {}\n", history.place);
    return;
  }
  const crm::Entry& entry = *history.entry;
  fmt::print("{}{}\n", to_string(entry.state),
             entry.reason.empty() ? "" : ": " + one_line(entry.reason));
  for (const auto& [event, batch] : history.events) {
    fmt::print("  {}  {}{}\n", millisecond_text(event.at), to_string(event.state),
               event.detail.empty() ? "" : ": " + one_line(event.detail));
    if (batch) print_batch(*batch);
  }
  // [ledger] keep_events
  if (history.events.empty() || history.events.back().event.state != entry.state)
    fmt::print("  {}  {} (its events are no longer kept)\n", millisecond_text(entry.changed_at),
               to_string(entry.state));
  if (history.until) fmt::print("  looked at again at {}\n", millisecond_text(*history.until));
  for (const auto& customer : history.customers)
    print_customer(customer);
}

Json known_time_json(const std::optional<TimePoint>& at) {
  return at ? Json(millisecond_text(*at)) : Json();
}

Json known_batch_json(const crm::Ledger::Batch& batch) {
  const auto& answer = batch.answer;
  return {{"id", batch.id},
          {"rows", batch.rows},
          {"service", or_null(batch.service)},
          {"instance", batch.owner},
          {"sent_at", millisecond_text(batch.sent_at)},
          {"answered_at", known_time_json(batch.settled_at)},
          {"outcome", batch.settled_at ? Json(to_string(answer.outcome)) : Json()},
          {"http_status", answer.http_status == 0 ? Json() : Json(answer.http_status)},
          {"detail", or_null(answer.detail)}};
}

Json known_event_json(const KnownEvent& known) {
  return {{"at", millisecond_text(known.event.at)},
          {"state", to_string(known.event.state)},
          {"detail", or_null(known.event.detail)},
          {"batch", known.batch ? known_batch_json(*known.batch) : Json()}};
}

Json known_customer_json(const KnownCustomer& customer) {
  const auto& original = customer.second_feedback_of;
  Json json{{"id", customer.id}, {"second_feedback_of", original ? Json(*original) : Json()}};
  for (std::size_t i = 0; i < customer.texts.size(); ++i)
    json[kCustomerWords[i]] = or_null(customer.texts[i]);
  return json;
}

Json history_json(const History& history) {
  const auto& entry = history.entry;
  return {{"push", history.push},
          {"key", history.key},
          {"state", entry ? Json(to_string(entry->state)) : Json()},
          {"since", entry ? Json(millisecond_text(entry->changed_at)) : Json()},
          {"reason", or_null(entry ? entry->reason : history.place)},
          {"until", known_time_json(history.until)},
          {"events", array_of(history.events, known_event_json)},
          {"customers", array_of(history.customers, known_customer_json)}};
}

KnownCustomer read_customer(crm::Database& database, std::int64_t id) {
  KnownCustomer customer{id};
  const auto found = database.query(
      {fmt::format("SELECT status_name, date_invited, open_date, survey_finished_date"
                   " FROM survey_customer WHERE id = {}",
                   id),
       {}});
  if (found.rows.empty()) return customer;
  const auto& cells = found.rows.front();
  customer.texts[0] = crm::text_in(cells[0]);
  for (std::size_t i = 1; i < customer.texts.size(); ++i)
    if (const auto at = crm::instant_in(cells[i])) customer.texts[i] = millisecond_text(*at);
  return customer;
}

// The customer, and second feedback: customers that the service made of this one.
std::vector<KnownCustomer> read_customers(crm::Database& database, std::int64_t original) {
  std::vector<KnownCustomer> customers{read_customer(database, original)};
  const auto found = database.query(
      {crm::in_dialect(database.dialect(),
                       R"(SELECT "id" FROM "survey_customer" WHERE)"
                       R"( "second_feedback_information_original_customer_id" = {integer})"
                       R"( AND "id" <> {integer} ORDER BY "id")"),
       {original, original}});
  for (const auto& row : found.rows) {
    customers.push_back(read_customer(database, std::get<std::int64_t>(row.front())));
    customers.back().second_feedback_of = original;
  }
  return customers;
}

// The customer's id: from read-back, else from the pulled customer that carries the key. A second
// feedback has a higher id than its original.
std::optional<std::int64_t> customer_of(crm::Database& database, const crm::Entry& entry,
                                        const std::string& correlate) {
  if (entry.customer_id || correlate.empty()) return entry.customer_id;
  const auto sql = crm::in_dialect(
      database.dialect(), R"(SELECT "customer_id", "value" FROM "survey_customer_data" WHERE)"
                          R"( "value" = {text} AND (LOWER("name") = LOWER({text}) OR)"
                          R"( LOWER("name") = LOWER({text}) OR "name" IS NULL) ORDER BY 1)");
  const auto column = crm::stored_column(database, correlate);
  const auto found = database.query({sql, {entry.key, column.name, column.display_name}});
  // The database's collation may take another key for the same.
  const auto row = std::ranges::find_if(
      found.rows, [&](const auto& cells) { return crm::text_in(cells.at(1)) == entry.key; });
  if (row == found.rows.end()) return std::nullopt;
  return crm::integer_in(row->at(0));
}

// The stored reason is from the last look.
std::optional<TimePoint> waits_until(crm::Database& database, const std::string& push,
                                     const std::string& key) {
  const auto found =
      database.query({crm::in_dialect(database.dialect(),
                                      R"(SELECT "not_before" FROM "survey_push" WHERE "push" =)"
                                      R"( {key} AND "key" = {key})"),
                      {push, key}});
  if (found.rows.empty()) return std::nullopt;
  const auto until = crm::instant_in(found.rows.front().front());
  return until && *until > database.now() ? until : std::nullopt;
}

// Empty: this push does not know the key.
std::optional<History> read_history(crm::Database& database, const config::Push& push,
                                    const std::string& key) {
  crm::Ledger ledger(database);
  History history{push.name, key, ledger.find(push.name, key)};
  if (!history.entry) return std::nullopt;
  std::string batch;
  for (auto& event : ledger.history(push.name, key)) {
    const bool is_new = !event.batch.empty() && event.batch != batch;
    batch = event.batch;
    history.events.push_back({std::move(event), is_new ? ledger.batch(batch) : std::nullopt});
  }
  if (history.entry->state == crm::State::pending)
    history.until = waits_until(database, push.name, key);
  if (const auto customer = customer_of(database, *history.entry, push.correlate))
    history.customers = read_customers(database, *customer);
  return history;
}

// Keys that a stored customer carries for this push.
std::vector<std::string> keys_of_customer(crm::Database& database, const config::Push& push,
                                          std::int64_t id) {
  std::vector<std::string> keys;
  if (push.correlate.empty()) return keys;
  const auto column = crm::stored_column(database, push.correlate);
  const auto sql =
      crm::in_dialect(database.dialect(), R"(SELECT "value" FROM "survey_customer_data" WHERE)"
                                          R"( "customer_id" = {integer} AND (LOWER("name") =)"
                                          R"( LOWER({text}) OR LOWER("name") = LOWER({text})))");
  for (const auto& row : database.query({sql, {id, column.name, column.display_name}}).rows)
    if (const auto* key = std::get_if<std::string>(&row.front())) keys.push_back(*key);
  return keys;
}

// At most so many transactions of one person are explained.
constexpr int kExplained = 100;

// Why the ledger does not know a row that the query returns: where its `when` lies.
std::string place_in_time(const config::Settings& settings, const config::Push& push,
                          crm::Database& store, crm::Source& source, const std::string& key,
                          TimePoint now) {
  using namespace std::chrono;
  const TimePoint start = mapping::instant_of(push.start, settings.crm.time_zone);
  const TimePoint since = found_since(push, settings.crm.time_zone, store, now);
  const auto in = [&](TimePoint from, TimePoint until) {
    return from < until && !source.whole_rows({key}, {{from, until}}, SIZE_MAX).rows.empty();
  };
  if (in(since, now))
    return "waits to be sent; `" + with_file("surveybridge status", settings.file) +
           "` says for what, and `" +
           with_file("surveybridge preview " + push.name, settings.file) +
           "` whether a rule forbids it";
  if (in(start, since)) return "is older than look_back, and is not sent";
  if (in(sys_days{1900y / January / 1}, start)) return "was before start, and is not sent";
  if (in(now, sys_days{9000y / January / 1})) return "lies in the future, and is sent then";
  return "has a date that cannot be read";
}

// What is found of a key, an address or a customer's id.
class Explanation {
 public:
  Explanation(Databases& databases, const CommandContext& command, const Invocation& invocation)
      : databases_(databases), settings_(command.settings), only_(invocation.push) {}

  // The transaction with this key, in the ledger or in a query; else those of the person with this
  // address, or of the customer with this id. False: there is none.
  bool find(const std::string& value) {
    const bool has_tables = crm::tables_to_read(databases_.store()) != crm::Tables::none;
    const bool is_address = value.find('@') != std::string::npos;
    if (has_tables) find_in_ledger(value, is_address);
    if (is_found()) return true;
    add_of_queries(only_, value);
    if (!is_found() && has_tables && is_address)
      for (const auto& row : waiting_rows_of(databases_, settings_, only_, value, kExplained))
        add_of_queries(row.push, row.key);
    return is_found();
  }
  const std::vector<History>& transactions() const { return transactions_; }
  // When the person with this address was forgotten; empty: they were not.
  std::string forgotten_at() const { return forgotten_ ? millisecond_text(*forgotten_) : ""; }

 private:
  bool is_found() const { return !transactions_.empty() || forgotten_; }
  void find_in_ledger(const std::string& value, bool is_address) {
    for (const auto& push : settings_.pushes)
      add(push, value);
    if (is_found()) return;
    if (is_address) {
      find_person(value);
    } else if (const auto id = config::to_number<std::int64_t>(value)) {
      find_customer(*id);
    }
  }
  void add(const config::Push& push, const std::string& key) {
    if (!only_.empty() && only_ != push.name) return;
    if (auto history = read_history(databases_.store(), push, key))
      transactions_.push_back(*std::move(history));
  }
  void add(const std::vector<crm::Entry>& entries) {
    for (const auto& entry : entries) {
      const auto push = std::ranges::find(settings_.pushes, entry.push, &config::Push::name);
      if (push != settings_.pushes.end()) add(*push, entry.key);
    }
  }
  void find_person(const std::string& address) {
    crm::Database& store = databases_.store();
    const auto hash_key = crm::People(store).stored_hash_key();
    if (!hash_key) return;
    const std::string person = mapping::person_of(*hash_key, address);
    // The ledger still knows them by the hash, so that nobody mails them again.
    const auto facts =
        crm::People(store).contact_histories({person}, crm::Asked::facts)[person].facts;
    if (const auto forgotten = facts.find(crm::FactKind::forgotten); forgotten != facts.end())
      forgotten_ = forgotten->second.latest;
    else
      add(crm::Ledger(store).of_person(person, kExplained));
  }
  void find_customer(std::int64_t id) {
    crm::Database& store = databases_.store();
    add(crm::Ledger(store).of_customer(id, kExplained));
    if (is_found()) return;
    for (const auto& push : settings_.pushes)
      for (const auto& key : keys_of_customer(store, push, id))
        add(push, key);
  }
  // Of the pushes whose queries return the key: all, or `only`.
  void add_of_queries(const std::string& only, const std::string& key) {
    for (const auto& push : settings_.pushes) {
      if (!only.empty() && only != push.name) continue;
      crm::Source source(databases_.crm(), databases_.store(),
                         crm::source_query(push, settings_.crm.time_zone));
      if (source.by_key({key}).empty()) continue;
      transactions_.push_back({push.name, key});
      transactions_.back().place =
          place_in_time(settings_, push, databases_.store(), source, key, databases_.crm().now());
    }
  }

  Databases& databases_;
  const config::Settings& settings_;
  const std::string& only_;  // this push; empty: any
  std::vector<History> transactions_;
  std::optional<TimePoint> forgotten_;
};

void print_explanation(const Explanation& explanation) {
  if (const auto at = explanation.forgotten_at(); !at.empty())
    fmt::print(
        "the person with this address was forgotten on {}: only a keyed hash of the address is"
        " kept, so that nobody mails it again\n",
        at);
  for (const auto& history : explanation.transactions())
    print_history(history);
}

// An address is not repeated.
std::string not_found(const std::string& value) {
  if (value.find('@') != std::string::npos)
    return "the ledger knows no transaction of this key or address, and no query returns one that "
           "waits to be sent";
  return value + ": the ledger does not know this transaction, and no query returns it";
}

}  // namespace

ExitCode command_explain(const Invocation& typed) {
  Invocation invocation = typed;
  if (!read_from_input(invocation, "explain")) return kUsage;
  return with_context(invocation, [&](const CommandContext& command) {
    Databases databases(command.looking);
    ExitCode code = kDone;
    Json transactions = Json::array(), forgotten = Json::array();
    for (const auto& key : invocation.keys) {
      Explanation explanation(databases, command, invocation);
      if (!explanation.find(key)) {
        report_error(not_found(key));
        code = kNeedsPerson;
      }
      if (!invocation.json) {
        print_explanation(explanation);
        continue;
      }
      for (const auto& history : explanation.transactions())
        transactions.push_back(history_json(history));
      if (const auto at = explanation.forgotten_at(); !at.empty()) forgotten.push_back(at);
    }
    if (invocation.json) print_json({{"transactions", transactions}, {"forgotten", forgotten}});
    return code;
  });
}

}  // namespace surveybridge::daemon
