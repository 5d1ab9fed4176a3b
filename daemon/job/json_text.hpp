// JSON for programs that read our output: members stay in their order.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace surveybridge::daemon {

using Json = nlohmann::ordered_json;

// One line. Bytes that are no UTF-8 are replaced.
inline std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// An array of what `make` says of each.
template <typename All, typename Make>
Json array_of(const All& all, Make make) {
  Json array = Json::array();
  for (const auto& each : all)
    array.push_back(make(each));
  return array;
}

}  // namespace surveybridge::daemon
