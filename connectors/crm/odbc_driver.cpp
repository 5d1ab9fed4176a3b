#include "connectors/crm/driver.hpp"

namespace surveybridge::crm {

std::unique_ptr<Driver> make_odbc_driver() {
  throw DatabaseError(DatabaseError::Kind::other, "odbc is not built yet");
}

}  // namespace surveybridge::crm
