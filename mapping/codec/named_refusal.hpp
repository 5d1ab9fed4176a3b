// Whether an answer that says "done" names something that was refused, in the usual notations of
// services: "success": false, "errors" with an entry, a "status" of 400 or more. Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

// What it names, in our words, safe to log; empty: nothing, or the body is neither JSON nor XML.
std::string named_refusal(std::string_view body, std::string_view content_type);

}  // namespace surveybridge::mapping
