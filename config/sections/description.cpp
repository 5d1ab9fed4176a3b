#include "config/sections/description.hpp"

#include "config/sections/sections.hpp"

namespace surveybridge::config {

std::vector<Setting> description() {
  std::vector<Setting> settings = root_section().inside("", Settings{});
  for (Setting& setting : source().inside("a source", FieldSource{})) {
    settings.push_back(std::move(setting));
  }
  for (Setting& setting : cell_section().inside("a cell", Write::Cell{})) {
    settings.push_back(std::move(setting));
  }
  return settings;
}

}  // namespace surveybridge::config
