#include "daemon/push/refusal_reason.hpp"

namespace surveybridge::daemon {

namespace {
constexpr std::string_view kColon = ": ";
}

std::string refusal_reason(std::string_view words) {
  return std::string(kRefusedByService).append(kColon).append(words);
}

std::string without_service_words(std::string_view reason) {
  const auto begin = reason.find(refusal_reason(""));
  return std::string(reason.substr(
      0, begin == std::string_view::npos ? reason.size() : begin + kRefusedByService.size()));
}

}  // namespace surveybridge::daemon
