#include "daemon/desk.hpp"

#include "connectors/crm/schema.hpp"

namespace surveybridge::daemon {

void Desk::open() {
  if (!database_) {
    auto opened = shared_.world.open_database();
    crm::make_schema(*opened);
    database_ = std::move(opened);
  }
  if (!api_) {
    transport_ = shared_.world.open_transport();
    api_ =
        std::make_unique<service::Api>(shared_.settings.service, *transport_, shared_.credentials);
  }
}

std::chrono::seconds lease_duration(const config::Settings& settings) {
  return std::chrono::ceil<std::chrono::seconds>(settings.service.timeout) * 2 +
         std::chrono::seconds{60};
}

}  // namespace surveybridge::daemon
