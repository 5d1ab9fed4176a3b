// The reason of a row that the service refused. It ends with the service's words, which may quote
// the row; whoever shows reasons to more than the person at the row's command cuts them off. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::daemon {

inline constexpr std::string_view kRefusedByService = "refused by the service";

std::string refusal_reason(std::string_view words);
std::string without_service_words(std::string_view reason);

}  // namespace surveybridge::daemon
