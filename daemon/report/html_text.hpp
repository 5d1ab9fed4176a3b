// Text inside HTML. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::daemon {

// Text as HTML shows it, also between quotation marks; a control character becomes a blank.
std::string escaped(std::string_view text);

}  // namespace surveybridge::daemon
