#include "daemon/pull/retention.hpp"

namespace surveybridge::daemon {

const char* age_field(config::Pull::List list) {
  switch (list) {
    case config::Pull::List::customers:
      return "LastActivityDate";
    case config::Pull::List::ratings:
      return "ReviewApprovedDate";
    case config::Pull::List::bouncers:
      break;
  }
  return "DateSent";
}

bool is_old(const mapping::Record& record, config::Pull::List list, TimePoint before) {
  const auto* at = std::get_if<mapping::Instant>(&record.value(age_field(list)));
  return at != nullptr && *at < before;
}

}  // namespace surveybridge::daemon
