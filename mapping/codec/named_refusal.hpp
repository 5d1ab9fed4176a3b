// Whether an answer that says "done" names something that was refused, in the usual notations of
// services: "success": false, "errors" with an entry, a "status" of 400 or more, "false" alone.
// Pure.
#pragma once

#include <string>
#include <string_view>

namespace surveybridge::mapping {

struct NamedRefusal {
  std::string words;     // what it names, in our words, safe to log; empty: nothing
  bool is_read = false;  // false: a body that claims or begins as JSON or XML has no end as such
};
// A text that is the whole body may hold JSON itself, which is read too.
NamedRefusal named_refusal(std::string_view body, std::string_view content_type);

// Does the text of a member like "success" deny it?
bool reads_false(std::string_view text);
// Does the text of a member like "error" say that there is none?
bool says_nothing(std::string_view text);

}  // namespace surveybridge::mapping
