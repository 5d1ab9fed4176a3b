#include "config/keys/key.hpp"

#include <algorithm>
#include <iterator>

namespace surveybridge::config {
namespace {

std::vector<std::string> known_names(const std::vector<KeyFacts>& keys) {
  std::vector<std::string> names;
  for (const KeyFacts& each : keys) {
    if (!each.refused) names.push_back(each.name);
  }
  return names;
}

// A key that is there, or that is misspelt and reported as such, is not reported as missing.
bool is_meant(const Node::Table& table, const std::string& name,
              const std::vector<std::string>& known) {
  return std::any_of(table.begin(), table.end(),
                     [&](const Entry& entry) { return closest(entry.key, known) == name; });
}

}  // namespace

std::string unknown_key(std::string_view name, const std::vector<std::string>& known) {
  const std::string meant = suggestion(name, known);
  if (!meant.empty()) return "unknown key" + meant;
  std::string names;
  for (const std::string& each : known)
    names += (names.empty() ? "" : ", ") + each;
  return "unknown key (known here: " + names + ")";
}

void read_entries(const Node::Table& table, const TextPlace& place,
                  const std::vector<KeyFacts>& keys, const Trail& trail,
                  const std::function<void(std::size_t, const Node&, const Trail&)>& read) {
  const std::vector<std::string> known = known_names(keys);
  for (const Entry& entry : table) {
    const auto key = std::ranges::find(keys, entry.key, &KeyFacts::name);
    const Trail at = trail.key(entry.key);
    if (key == keys.end()) {
      at.wrong(entry.place, unknown_key(entry.key, known));
    } else {
      read(static_cast<std::size_t>(key - keys.begin()), entry.node, at);
    }
  }
  for (const KeyFacts& each : keys) {
    if (each.required && !is_meant(table, each.name, known)) {
      trail.key(each.name).wrong(place, "is required: " + each.meaning);
    }
  }
}

void add_settings(std::vector<Setting>& all, std::vector<Setting> of_key, bool is_required) {
  if (is_required && of_key.size() == 1) {
    of_key.front().required = true;
    of_key.front().standard.clear();
  }
  std::ranges::move(of_key, std::back_inserter(all));
}

}  // namespace surveybridge::config
