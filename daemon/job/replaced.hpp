// Signs of a text in another form. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::daemon {

// With `by` for each `what`, which is not empty.
inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace surveybridge::daemon
