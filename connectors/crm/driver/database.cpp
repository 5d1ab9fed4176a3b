#include "connectors/crm/driver/database.hpp"

#include "connectors/crm/driver/soci_database.hpp"

namespace surveybridge::crm {

std::unique_ptr<Database> open_database(const std::string& connection) {
  return std::make_unique<SociDatabase>(parse_connection(connection));
}

}  // namespace surveybridge::crm
