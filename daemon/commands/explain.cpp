// `explain`: one transaction from first sight to what came back, as the ledger's evidence tells it;
// by its key, the person's address or the customer's id.
#include <algorithm>
#include <charconv>
#include <iostream>

#include <fmt/format.h>

#include "connectors/crm/daemon_state/overview.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/people/people.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
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

void print_batch(crm::Ledger& ledger, const std::string& id) {
  const auto batch = ledger.batch(id);
  if (!batch) return;
  fmt::print("  {}  POST of {}{} by instance {}\n", millisecond_text(batch->sent_at),
             counted(batch->rows, "customer"),
             batch->service.empty() ? "" : " to " + batch->service, batch->owner);
  if (!batch->settled_at) return;
  const auto& answer = batch->answer;
  const std::string status = fmt::format("HTTP {}", answer.http_status);
  fmt::print(
      "  {}  answer: {}{}{}\n", millisecond_text(*batch->settled_at), to_string(answer.outcome),
      answer.http_status == 0 || answer.detail.starts_with(status) ? "" : " (" + status + ")",
      answer.detail.empty() ? "" : ": " + one_line(answer.detail));
}

void print_customer(crm::Database& database, std::int64_t id) {
  const auto found = database.query(
      {fmt::format("SELECT status_name, date_invited, open_date, survey_finished_date"
                   " FROM survey_customer WHERE id = {}",
                   id),
       {}});
  if (found.rows.empty()) return;
  static constexpr const char* kWords[] = {"status", "invited", "opened", "finished"};
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& cell = found.rows.front()[i];
    if (const auto* text = std::get_if<std::string>(&cell)) {
      fmt::print("  {:<10} {}\n", kWords[i], one_line(*text));
    } else if (const auto* at = std::get_if<TimePoint>(&cell)) {
      fmt::print("  {:<10} {}\n", kWords[i], millisecond_text(*at));
    }
  }
}

// Second feedback: customers that the service made of this one, each with its state.
void print_second_feedback(crm::Database& database, std::int64_t original) {
  const auto found = database.query(
      {crm::in_dialect(database.dialect(),
                       R"(SELECT "id" FROM "survey_customer" WHERE)"
                       R"( "second_feedback_information_original_customer_id" = {integer})"
                       R"( AND "id" <> {integer} ORDER BY "id")"),
       {original, original}});
  for (const auto& row : found.rows) {
    const auto id = std::get<std::int64_t>(row.front());
    fmt::print("customer {} at the service: second feedback of {}\n", id, original);
    print_customer(database, id);
  }
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
void print_wait(crm::Database& database, const std::string& push, const std::string& key) {
  const auto found =
      database.query({crm::in_dialect(database.dialect(),
                                      R"(SELECT "not_before" FROM "survey_push" WHERE "push" =)"
                                      R"( {key} AND "key" = {key})"),
                      {push, key}});
  if (found.rows.empty()) return;
  const auto until = crm::instant_in(found.rows.front().front());
  if (until && *until > database.now())
    fmt::print("  looked at again at {}\n", millisecond_text(*until));
}

// True when this push knows the key.
bool explain(crm::Database& database, const config::Push& settings, const std::string& key) {
  const std::string& push = settings.name;
  crm::Ledger ledger(database);
  const auto entry = ledger.find(push, key);
  if (!entry) return false;
  fmt::print("push.{}: transaction {}: {}{}\n", push, one_line(key), to_string(entry->state),
             entry->reason.empty() ? "" : ": " + one_line(entry->reason));
  std::string batch;
  const auto history = ledger.history(push, key);
  for (const auto& event : history) {
    fmt::print("  {}  {}{}\n", millisecond_text(event.at), to_string(event.state),
               event.detail.empty() ? "" : ": " + one_line(event.detail));
    if (!event.batch.empty() && event.batch != batch) print_batch(ledger, event.batch);
    batch = event.batch;
  }
  if (history.empty() || history.back().state != entry->state) {  // [ledger] keep_events
    fmt::print("  {}  {} (its events are no longer kept)\n", millisecond_text(entry->changed_at),
               to_string(entry->state));
  }
  if (entry->state == crm::State::pending) print_wait(database, push, key);
  if (const auto customer = customer_of(database, *entry, settings.correlate)) {
    fmt::print("customer {} at the service\n", *customer);
    print_customer(database, *customer);
    print_second_feedback(database, *customer);
  }
  return true;
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

std::optional<std::int64_t> integer_in(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// At most so many transactions of one person are explained.
constexpr int kExplained = 100;

class Explanation {
 public:
  Explanation(crm::Database& database, const CommandContext& command, const Invocation& invocation)
      : database_(database), settings_(command.settings), only_(invocation.push) {}

  // The transaction with this key; else those of the person with this address, or of the customer
  // with this id. False: there is none.
  bool of(const std::string& value) {
    for (const auto& push : settings_.pushes)
      explain_key(push, value);
    if (found_) return true;
    if (value.find('@') != std::string::npos) {
      of_address(value);
    } else if (const auto id = integer_in(value)) {
      of_customer(*id);
    }
    return found_;
  }

 private:
  void explain_key(const config::Push& push, const std::string& key) {
    if (only_.empty() || only_ == push.name) found_ = explain(database_, push, key) || found_;
  }
  void explain_entries(const std::vector<crm::Entry>& entries) {
    for (const auto& entry : entries) {
      const auto push = std::ranges::find(settings_.pushes, entry.push, &config::Push::name);
      if (push != settings_.pushes.end()) explain_key(*push, entry.key);
    }
  }
  void of_address(const std::string& address) {
    const auto hash_key = crm::People(database_).stored_hash_key();
    if (!hash_key) return;
    const std::string person = mapping::person_of(*hash_key, address);
    // The ledger still knows them by the hash, so that nobody mails them again.
    const auto facts =
        crm::People(database_).contact_histories({person}, crm::Asked::facts)[person].facts;
    if (const auto forgotten = facts.find(crm::FactKind::forgotten); forgotten != facts.end()) {
      fmt::print(
          "the person with this address was forgotten on {}: only a keyed hash of the address is"
          " kept, so that nobody mails it again\n",
          millisecond_text(forgotten->second.latest));
      found_ = true;
      return;
    }
    explain_entries(crm::Ledger(database_).of_person(person, kExplained));
  }
  void of_customer(std::int64_t id) {
    explain_entries(crm::Ledger(database_).of_customer(id, kExplained));
    if (found_) return;
    for (const auto& push : settings_.pushes)
      for (const auto& key : keys_of_customer(database_, push, id))
        explain_key(push, key);
  }

  crm::Database& database_;
  const config::Settings& settings_;
  const std::string& only_;  // this push; empty: any
  bool found_ = false;
};

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

// True where a push's query returns the key.
bool explain_unknown(Databases& databases, const config::Settings& settings,
                     const std::string& only, const std::string& key) {
  bool found = false;
  for (const auto& push : settings.pushes) {
    if (!only.empty() && only != push.name) continue;
    const auto& zone = settings.crm.time_zone;
    crm::Source source(databases.crm(), databases.store(), crm::source_query(push, zone));
    if (source.by_key({key}).empty()) continue;
    fmt::print(
        "push.{}: transaction {}: not in the ledger: the query returns it, and it {}\n", push.name,
        one_line(key),
        place_in_time(settings, push, databases.store(), source, key, databases.crm().now()));
    found = true;
  }
  return found;
}

// The same for the rows that have this address and wait to be sent.
bool explain_waiting(Databases& databases, const config::Settings& settings,
                     const std::string& only, const std::string& address) {
  bool found = false;
  for (const auto& row : waiting_rows_of(databases, settings, only, address, kExplained))
    found = explain_unknown(databases, settings, row.push, row.key) || found;
  return found;
}

// An address is not repeated.
std::string not_found(const std::string& value) {
  if (value.find('@') != std::string::npos)
    return "the ledger knows no transaction of this key or address, and no query returns one that "
           "waits to be sent";
  return value + ": the ledger does not know this transaction, and no query returns it";
}

}  // namespace

ExitCode command_explain(const Invocation& invocation) {
  return with_context(invocation, [&](const CommandContext& command) {
    Databases databases(command.looking);
    crm::Database& store = databases.store();
    const bool tables = crm::tables_to_read(store) != crm::Tables::none;
    ExitCode code = kDone;
    for (const auto& key : invocation.keys) {
      if (tables && Explanation(store, command, invocation).of(key)) continue;
      if (explain_unknown(databases, command.settings, invocation.push, key)) continue;
      const bool is_address = key.find('@') != std::string::npos;
      if (tables && is_address &&
          explain_waiting(databases, command.settings, invocation.push, key))
        continue;
      report_error(not_found(key));
      code = kNeedsPerson;
    }
    return code;
  });
}

}  // namespace surveybridge::daemon
