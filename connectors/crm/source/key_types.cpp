#include "connectors/crm/source/key_types.hpp"

#include <charconv>
#include <cstdint>

namespace surveybridge::crm {

std::optional<std::vector<mapping::Value>> numbers(const std::vector<std::string>& keys) {
  std::vector<mapping::Value> all;
  for (const std::string& key : keys) {
    std::int64_t number = 0;
    std::from_chars(key.data(), key.data() + key.size(), number);
    if (std::to_string(number) != key) return std::nullopt;
    all.emplace_back(number);
  }
  return all;
}

bool is_uuid(const std::string& key) {
  if (key.size() != 36) return false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool digit = (key[i] >= '0' && key[i] <= '9') || (key[i] >= 'a' && key[i] <= 'f');
    if (dash ? key[i] != '-' : !digit) return false;
  }
  return true;
}

}  // namespace surveybridge::crm
