// `forget`: a person's right. Erases them from the bridge's tables; a keyed hash of the address
// stays so that they are never mailed again. The address is never repeated.
#include "connectors/crm/forget.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "connectors/crm/schema.hpp"
#include "daemon/commands/commands.hpp"
#include "daemon/commands/office.hpp"
#include "daemon/suppressor.hpp"
#include "mapping/address.hpp"
#include "mapping/person.hpp"

namespace surveybridge::daemon {

ExitCode command_forget(const Invocation& invocation) {
  const auto office = open_office(invocation, nullptr);
  if (!office) return kConfiguration;
  const std::string& address = invocation.keys.front();
  if (const auto fault = mapping::fault_in_address(address)) {
    complain("forget: this is no e-mail address: " + std::string(*fault));
    return kUsage;
  }
  std::vector<std::string> correlates;
  for (const auto& push : office->settings.pushes)
    correlates.push_back(push.correlate);
  try {
    const auto database = office->world.open_database();
    crm::make_schema(*database);
    const std::string person = mapping::person_of(person_key(*database), address);
    const auto erased = crm::forget(*database, person, address, correlates);
    fmt::print("erased: {} customers, {} bouncers, {} ratings, with all that hung on them\n",
               erased.customers, erased.bouncers, erased.ratings);
    fmt::print(
        "{} transactions stay in the ledger, without a name; no push mails this person"
        " again\n",
        erased.transactions);
    fmt::print("the CRM's own tables and the survey service are not touched\n");
    return kDone;
  } catch (const crm::DatabaseError& error) {
    complain(std::string("database: ") + error.what());
    return kUnreachable;
  }
}

}  // namespace surveybridge::daemon
