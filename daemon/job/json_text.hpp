// JSON for programs that read our output: members stay in their order.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "config/text.hpp"

namespace surveybridge::daemon {

using Json = nlohmann::ordered_json;

// One line. Bytes that are no UTF-8 are replaced. What a terminal would obey or hide is escaped: a
// person may look at it there, and some of these texts others have written.
inline std::string json_text(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t hidden = config::hidden_at(std::string_view(text).substr(at));
    if (hidden == 0) {
      shown += text[at++];
      continue;
    }
    const std::string quoted = Json(text.substr(at, hidden)).dump(-1, ' ', true);
    shown.append(quoted, 1, quoted.size() - 2);
    at += hidden;
  }
  return shown;
}

// The text, or null where there is none.
inline Json or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
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
