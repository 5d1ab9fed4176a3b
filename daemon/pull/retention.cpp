#include "daemon/pull/retention.hpp"

#include "config/service_list.hpp"

namespace surveybridge::daemon {

std::string age_field(config::Pull::List list) {
  return std::string(config::description_of(list).age);
}

bool is_old(const mapping::Record& record, config::Pull::List list, TimePoint before) {
  const auto* at = std::get_if<mapping::Instant>(&record.value(age_field(list)));
  return at != nullptr && *at < before;
}

}  // namespace surveybridge::daemon
