#include "connectors/crm/driver.hpp"

namespace surveybridge::crm {

std::unique_ptr<Driver> make_postgresql_driver() {
  throw DatabaseError(DatabaseError::Kind::other, "postgresql is not built yet");
}

}  // namespace surveybridge::crm
