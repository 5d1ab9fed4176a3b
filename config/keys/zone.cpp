#include "config/keys/zone.hpp"

#include <stdexcept>

#include <date/tz.h>

namespace surveybridge::config {

bool is_zone(const std::string& name) {
  try {
    date::locate_zone(name);
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::vector<std::string> zones() {
  std::vector<std::string> names;
  for (const auto& zone : date::get_tzdb().zones)
    names.push_back(zone.name());
  return names;
}

}  // namespace surveybridge::config
