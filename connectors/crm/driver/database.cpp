#include "connectors/crm/driver/database.hpp"

#include "connectors/crm/driver/soci_database.hpp"

namespace surveybridge::crm {

std::unique_ptr<Database> open_database(const std::string& connection, const std::string& zone,
                                        const SessionUse& use) {
  return std::make_unique<SociDatabase>(parse_connection(connection), zone, use);
}

}  // namespace surveybridge::crm
