#include "config/keys/key.hpp"

namespace surveybridge::config {

std::string unknown_key(std::string_view name, const std::vector<std::string>& known) {
  const std::string meant = suggestion(name, known);
  if (!meant.empty()) return "unknown key" + meant;
  std::string names;
  for (const std::string& each : known)
    names += (names.empty() ? "" : ", ") + each;
  return "unknown key (known here: " + names + ")";
}

bool is_meant(const Node::Table& table, const std::string& name,
              const std::vector<std::string>& known) {
  return std::any_of(table.begin(), table.end(),
                     [&](const Entry& entry) { return closest(entry.key, known) == name; });
}

}  // namespace surveybridge::config
