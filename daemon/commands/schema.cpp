#include "connectors/crm/schema/schema.hpp"

#include <iostream>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/schema_version.hpp"
#include "daemon/commands/commands.hpp"

namespace surveybridge::daemon {

std::vector<std::string> database_names() {
  std::vector<std::string> names;
  for (const crm::Dialect dialect : crm::all_dialects())
    if (crm::traits(dialect).keeps_our_tables) names.emplace_back(crm::traits(dialect).name);
  return names;
}

ExitCode command_schema(const Invocation& invocation) {
  for (const crm::Dialect dialect : crm::all_dialects()) {
    if (crm::traits(dialect).name != invocation.database) continue;
    for (const auto& statement : invocation.schema_from
                                     ? crm::schema_since(dialect, *invocation.schema_from)
                                     : crm::schema(dialect))
      std::cout << statement << ";\n\n";
  }
  return kDone;
}

}  // namespace surveybridge::daemon
