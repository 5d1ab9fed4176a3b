// What a body is: by its Content-Type, and where that says nothing by its first bytes. Pure; the
// codecs' own. Follows docs/SERVICE.md 2.
#pragma once

#include <string_view>

namespace surveybridge::mapping {

enum class Media { nothing, json, xml, html, other };

// `body` without its byte order mark. JSON, XML and their +json and +xml kin are taken at their
// word, unless the body begins like HTML: gateways answer that under any name.
Media media_of(std::string_view body, std::string_view content_type);

// Without a UTF-8 byte order mark and the blanks around it.
std::string_view without_mark(std::string_view body);

}  // namespace surveybridge::mapping
