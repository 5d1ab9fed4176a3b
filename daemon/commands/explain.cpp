// `explain`: one transaction from first sight to what came back, as the ledger's evidence tells it.
#include <iostream>

#include <fmt/format.h>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/pulled/stored_columns.hpp"
#include "connectors/crm/state/overview.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

std::string time_text(TimePoint at) {
  return mapping::write_instant(std::chrono::floor<std::chrono::milliseconds>(at));
}

void print_batch(crm::Ledger& ledger, const std::string& id) {
  const auto batch = ledger.batch(id);
  if (!batch) return;
  fmt::print("  {}  POST of {} customers by instance {}\n", time_text(batch->sent_at), batch->rows,
             batch->owner);
  if (!batch->settled_at) return;
  const auto& answer = batch->answer;
  fmt::print("  {}  answer: {}{}{}\n", time_text(*batch->settled_at), to_string(answer.outcome),
             answer.http_status == 0 ? "" : fmt::format(" (HTTP {})", answer.http_status),
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
      fmt::print("  {:<10} {}\n", kWords[i], time_text(*at));
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
  const auto sql = crm::in_dialect(database.dialect(),
                                   R"(SELECT MIN("customer_id") FROM "survey_customer_data" WHERE)"
                                   R"( "value" = {text} AND (LOWER("name") = LOWER({text}) OR)"
                                   R"( LOWER("name") = LOWER({text}) OR "name" IS NULL))");
  const auto column = crm::stored_column(database, correlate);
  const auto found = database.query({sql, {entry.key, column.name, column.display_name}});
  if (mapping::is_null(found.rows.front().front())) return std::nullopt;
  return std::get<std::int64_t>(found.rows.front().front());
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
  for (const auto& event : ledger.history(push, key)) {
    fmt::print("  {}  {}{}\n", time_text(event.at), to_string(event.state),
               event.detail.empty() ? "" : ": " + one_line(event.detail));
    if (!event.batch.empty() && event.batch != batch) print_batch(ledger, event.batch);
    batch = event.batch;
  }
  if (const auto customer = customer_of(database, *entry, settings.correlate)) {
    fmt::print("customer {} at the service\n", *customer);
    print_customer(database, *customer);
    print_second_feedback(database, *customer);
  }
  return true;
}

}  // namespace

ExitCode command_explain(const Invocation& invocation) {
  const auto command = open_command_context(invocation, nullptr);
  if (!command) return kConfiguration;
  try {
    const auto database = command->environment.open_database();
    const bool tables = crm::tables_to_read(*database) != crm::Tables::none;
    ExitCode code = kDone;
    for (const auto& key : invocation.keys) {
      bool known = false;
      for (const auto& push : command->settings.pushes) {
        if (!tables || (!invocation.push.empty() && invocation.push != push.name)) continue;
        known = explain(*database, push, key) || known;
      }
      if (known) continue;
      report_error(key + ": the ledger does not know this transaction");
      code = kNeedsPerson;
    }
    return code;
  } catch (const crm::DatabaseError& error) {
    return report_error(error);
  }
}

}  // namespace surveybridge::daemon
