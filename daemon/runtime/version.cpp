#include "daemon/runtime/version.hpp"

#include <fmt/format.h>

#include "connectors/crm/driver/database.hpp"
#include "connectors/service/curl_transport.hpp"

namespace surveybridge::daemon {

const char* const kVersion = SURVEYBRIDGE_VERSION;

std::string version_text() {
  return fmt::format("surveybridge {}\nbuild: {}\nHTTP: {}\ndatabases: {}", kVersion,
                     SURVEYBRIDGE_BUILD, service::transport_libraries(), crm::driver_libraries());
}

}  // namespace surveybridge::daemon
