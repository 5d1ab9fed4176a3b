// The type of a body: by its Content-Type, otherwise by its first bytes (docs/SERVICE.md 2). Pure;
// used by the codecs only.
#pragma once

#include <string_view>

namespace surveybridge::mapping {

enum class Media { nothing, json, xml, html, other };

// `body` without its byte order mark. A Content-Type of JSON or XML (also +json, +xml) decides,
// unless the body begins like HTML: gateways send HTML with any Content-Type.
Media media_of(std::string_view body, std::string_view content_type);

// Without a UTF-8 byte order mark and the blanks around it.
std::string_view without_mark(std::string_view body);

}  // namespace surveybridge::mapping
