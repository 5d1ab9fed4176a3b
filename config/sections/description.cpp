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

std::string heading_of(const std::string& section) {
  if (section.empty()) return "At the top";
  if (section.find(' ') != std::string::npos) return section;
  const bool repeats =
      section.ends_with(".walk") || section.ends_with(".write") || section == "report.question";
  return repeats ? "[[" + section + "]]" : "[" + section + "]";
}

}  // namespace surveybridge::config
