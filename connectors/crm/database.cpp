#include "connectors/crm/database.hpp"

#include "connectors/crm/soci_database.hpp"

namespace surveybridge::crm {

std::unique_ptr<Database> open_database(const std::string& connection) {
  return std::make_unique<SociDatabase>(parse_connection(connection));
}

}  // namespace surveybridge::crm
