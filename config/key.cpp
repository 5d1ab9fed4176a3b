#include "config/key.hpp"

namespace surveybridge::config {

std::string unknown_key(std::string_view name, const std::vector<std::string>& known) {
  const std::string meant = suggestion(name, known);
  if (!meant.empty()) return "unknown key" + meant;
  std::string names;
  for (const std::string& each : known)
    names += (names.empty() ? "" : ", ") + each;
  return "unknown key (known here: " + names + ")";
}

}  // namespace surveybridge::config
