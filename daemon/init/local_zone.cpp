#include "daemon/init/local_zone.hpp"

#include <stdexcept>

#include <date/tz.h>

#include "config/keys/zone.hpp"

namespace surveybridge::daemon {

std::string local_zone() {
  try {
    const std::string name = date::current_zone()->name();
    return config::is_zone(name) ? name : "UTC";
  } catch (const std::runtime_error&) {
    return "UTC";
  }
}

}  // namespace surveybridge::daemon
