#include "config/description.hpp"

#include "config/sections.hpp"

namespace surveybridge::config {

std::vector<Setting> description() {
  std::vector<Setting> settings = root_section().inside("", Settings{});
  for (Setting& setting : source().inside("a source", Source{})) {
    settings.push_back(std::move(setting));
  }
  return settings;
}

}  // namespace surveybridge::config
