// `forget`: erases a person from the bridge's tables. A keyed hash of the address stays, so that
// the person is not mailed again. The address is never printed.
#include "connectors/crm/erasure/forget.hpp"

#include <iostream>

#include <fmt/format.h>

#include "connectors/crm/schema/schema.hpp"
#include "daemon/commands/command_context.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/pull/pull_plan.hpp"
#include "daemon/suppress/suppression_check.hpp"
#include "mapping/values/address.hpp"
#include "mapping/values/person.hpp"

namespace surveybridge::daemon {

namespace {

// Every [[pull.LIST.write]] with `forget = true`, checked against its table; empty: the problems
// were reported.
std::optional<std::vector<crm::Emptying>> emptyings(crm::Database& database,
                                                    const config::Settings& settings) {
  std::vector<crm::Emptying> all;
  bool wrong = false;
  for (const auto& pull : settings.pulls) {
    const auto& root = service::operation_of(pull.list).item;
    for (const auto& write : pull.writes) {
      if (!write.forget) continue;
      auto compiled = crm::compile(database, root, write, settings.crm.time_zone);
      if (const auto* problems = std::get_if<std::vector<config::Problem>>(&compiled)) {
        for (const auto& problem : *problems)
          std::cerr << one_line(to_string(problem)) << "\n";
        wrong = true;
      } else {
        all.push_back({&root, std::get<crm::CompiledWrite>(std::move(compiled)),
                       "pull." + pull.name + ".write, the table \"" + write.table + "\""});
      }
    }
  }
  if (wrong) return std::nullopt;
  return all;
}

void tell(const crm::Erased& erased) {
  if (erased.customers + erased.bouncers + erased.ratings + erased.transactions == 0)
    fmt::print("nothing of this address was there: is it written as the CRM has it?\n");
  fmt::print("erased: {} customers, {} bouncers, {} ratings, with all that hung on them\n",
             erased.customers, erased.bouncers, erased.ratings);
  for (const auto& emptied : erased.emptied)
    fmt::print("emptied: {} rows of {}\n", emptied.rows, emptied.table);
  fmt::print(
      "{} transactions stay in the ledger, without a name; no push mails this person again\n",
      erased.transactions);
  if (erased.under_way != 0)
    fmt::print("{} of them were on their way or in doubt: the service may mail those still\n",
               erased.under_way);
  fmt::print(
      "{} the survey service are not touched\n",
      erased.emptied.empty() ? "the CRM's own tables and" : "all else in the CRM's own tables and");
}

ExitCode forget(const CommandContext& command, const std::string& address,
                const std::string& decided_by) {
  std::vector<std::string> correlates;
  for (const auto& push : command.settings.pushes)
    correlates.push_back(push.correlate);
  const auto database = command.environment.open_database();
  crm::make_schema(*database);
  const auto also = emptyings(*database, command.settings);
  if (!also) return kConfiguration;
  const std::string person = mapping::person_of(person_key(*database), address);
  tell(crm::forget(*database, person, address, correlates, *also, decided_by));
  return kDone;
}

}  // namespace

ExitCode command_forget(const Invocation& invocation) {
  const auto command = open_command_context(invocation, nullptr);
  if (!command) return kConfiguration;
  const std::string& address = invocation.keys.front();
  if (const auto fault = mapping::fault_in_address(address)) {
    report_error("forget: this is no e-mail address: " + std::string(*fault));
    return kUsage;
  }
  try {
    return forget(*command, address, invocation.decided_by);
  } catch (const crm::DatabaseError& error) {
    report_error(std::string("forget: nothing is erased: database: ") + error.what());
    const bool later = error.kind == crm::DatabaseError::Kind::connection ||
                       error.kind == crm::DatabaseError::Kind::busy;
    return later ? kUnreachable : kNeedsPerson;
  }
}

}  // namespace surveybridge::daemon
