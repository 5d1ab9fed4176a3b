// `preview`: shows the batch that would go out. Changes nothing, not even a cursor: missing tables
// of the bridge are created in a transaction that is rolled back.
#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "config/problem.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/context/databases.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/push/attachment_reader.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/runtime/real_environment.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

// The results for the next rows.
struct Seen {
  MappedRows mapped;
  SuppressionCheck::Screened screened;
  std::vector<std::string> twins;  // keys of several different rows
};

std::variant<Seen, std::vector<config::Problem>> look(
    const CommandContext& command, const config::Push& push, int limit,
    const std::vector<mapping::DataColumn>& data_columns) {
  Databases databases(command.environment);
  crm::Database& store = databases.store();
  const crm::Transaction never_committed(store);
  for (const auto& statement : crm::missing_schema_for_a_look(store))
    store.execute({statement, {}});
  const auto& zone = command.settings.crm.time_zone;
  crm::Source source(databases.crm(), store, {push.name, push.query, push.key, push.when, zone});
  std::vector<std::string> names;
  for (const auto& column : source.columns())
    names.push_back(column.name);
  auto made = mapping::Mapper::make(push, names, data_columns, zone, read_from_folder);
  if (auto* problems = std::get_if<std::vector<config::Problem>>(&made)) return *problems;
  const TimePoint db_now = databases.crm().now();
  const TimePoint since = std::max(mapping::instant_of(push.start, zone), db_now - push.look_back);
  crm::Rows rows = source.pending(limit).rows;
  if (rows.rows.empty()) rows = source.next(since, db_now, limit);
  Seen seen{map_rows(std::get<mapping::Mapper>(made), rows.rows, push.batch, db_now),
            {},
            rows.duplicate_keys};
  SuppressionCheck suppressor(push.name, command.settings);
  seen.screened = suppressor.rule(store, databases.crm(), seen.mapped.items, db_now);
  return seen;
}

void print(const config::Push& push, const Seen& seen, const std::vector<BatchItem>& batch,
           const std::string& body) {
  std::cout << "push." << push.name << ": " << batch.size() << " customers in the next batch\n";
  for (const auto& item : seen.screened.go) {
    const bool now = std::any_of(batch.begin(), batch.end(),
                                 [&](const auto& in) { return in.claim.key == item.claim.key; });
    fmt::print("  {:<24} {}\n", one_line(item.claim.key), now ? "goes out" : "in a later batch");
  }
  for (const auto& [key, reason, person] : seen.mapped.set_aside) {
    fmt::print("  {:<24} quarantined: {}\n", one_line(key), one_line(reason));
  }
  for (const auto& key : seen.twins) {
    fmt::print("  {:<24} quarantined: the query returns this key for several different rows\n",
               one_line(key));
  }
  for (const auto& [key, reason, person] : seen.screened.suppressed) {
    fmt::print("  {:<24} suppressed: {}\n", one_line(key), reason);
  }
  for (const auto& delay : seen.screened.delayed) {
    fmt::print("  {:<24} not before {}: {}\n", one_line(delay.key),
               mapping::write_instant(std::chrono::floor<std::chrono::seconds>(delay.until)),
               delay.reason);
  }
  if (seen.mapped.left > 0)
    fmt::print("  and {} more, not looked at: the files of those above fill a batch\n",
               seen.mapped.left);
  std::cout << "POST /external/api/v3/customer/add\n" << body << "\n";
}

ExitCode preview(const CommandContext& command, const config::Push& push, int limit) {
  const auto transport = command.environment.open_transport();
  service::Api api(command.settings.service, *transport, *command.credentials);
  auto columns = api.data_columns(system_now());
  if (const auto* trouble = std::get_if<service::Trouble>(&columns)) {
    report_error("service: data columns: " + trouble->detail);
    return is_temporary(fault_of(trouble->kind)) ? kUnreachable : kConfiguration;
  }
  const auto looked =
      look(command, push, limit,
           mapping::to_data_columns(std::get<std::vector<mapping::Record>>(columns)));
  if (const auto* problems = std::get_if<std::vector<config::Problem>>(&looked)) {
    for (const auto& problem : *problems)
      report_error(to_string(problem));
    return kConfiguration;
  }
  const Seen& seen = std::get<Seen>(looked);
  const auto batch = cut_batch(seen.screened.go, static_cast<std::size_t>(push.batch.size),
                               static_cast<std::size_t>(push.batch.bytes),
                               may_repeat_address(push, command.settings));
  std::vector<mapping::Record> customers;
  for (const auto& item : batch)
    customers.push_back(item.customer);
  const auto request = mapping::batch_of(push.batch, std::move(customers), system_now(),
                                         command.settings.crm.time_zone);
  print(push, seen, batch, api.body_of(request));
  return seen.mapped.set_aside.empty() && seen.twins.empty() ? kDone : kNeedsPerson;
}

}  // namespace

ExitCode command_preview(const Invocation& invocation) {
  const auto command = open_command_context(invocation, nullptr, Uses::service);
  if (!command) return kConfiguration;
  ExitCode code = kDone;
  std::vector<std::string> wanted = invocation.names;
  if (const auto refused = refused_tables(command->environment)) {
    report_error(*refused);
    return kConfiguration;
  }
  try {
    for (const auto& push : command->settings.pushes) {
      const auto at = std::find(wanted.begin(), wanted.end(), push.name);
      if (!invocation.names.empty() && at == wanted.end()) continue;
      if (at != wanted.end()) wanted.erase(at);
      code = std::max(code, preview(*command, push, invocation.rows));
    }
  } catch (const crm::DatabaseError& error) {
    // Any other error is an error of the query.
    return report_error(error) == kUnreachable ? kUnreachable : kConfiguration;
  }
  if (wanted.empty()) return code;
  std::vector<std::string> known;
  for (const auto& push : command->settings.pushes)
    known.push_back(push.name);
  report_error("preview: there is no push \"" + wanted.front() + "\" in the configuration" +
               config::suggestion(wanted.front(), known));
  return kUsage;
}

}  // namespace surveybridge::daemon
