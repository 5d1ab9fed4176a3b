#include "connectors/crm/schema/schema.hpp"

#include <iostream>
#include <map>

#include "daemon/commands/commands.hpp"

namespace surveybridge::daemon {

ExitCode command_schema(const Invocation& invocation) {
  static const std::map<std::string, crm::Dialect> kDialects{
      {"postgresql", crm::Dialect::postgresql},
      {"mariadb", crm::Dialect::mariadb},
      {"sqlserver", crm::Dialect::sqlserver},
      {"sqlite", crm::Dialect::sqlite}};
  for (const auto& statement : crm::schema(kDialects.at(invocation.database))) {
    std::cout << statement << ";\n\n";
  }
  return kDone;
}

}  // namespace surveybridge::daemon
