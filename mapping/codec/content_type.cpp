#include "mapping/codec/content_type.hpp"

#include <algorithm>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

std::string_view from_first_sign(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// "application/json" of "application/json; charset=utf-8".
std::string_view type_of(std::string_view content_type) {
  const auto type = from_first_sign(content_type.substr(0, content_type.find(';')));
  return type.substr(0, type.find_last_not_of(kBlanks) + 1);
}

bool begins(std::string_view text, std::string_view start) {
  return same_name(text.substr(0, start.size()), start);
}

bool ends(std::string_view text, std::string_view end) {
  return text.size() > end.size() && same_name(text.substr(text.size() - end.size()), end);
}

bool is_one_of(std::string_view type, std::string_view format) {
  return (begins(type, "application/") && same_name(type.substr(12), format)) ||
         (begins(type, "text/") && same_name(type.substr(5), format)) ||
         (ends(type, format) && type[type.size() - format.size() - 1] == '+');
}

// HTML, possibly after an XML declaration and comments, as gateways write it.
bool begins_like_html(std::string_view body) {
  while (body.starts_with("<?") || body.starts_with("<!--")) {
    const std::string_view close = body.starts_with("<?") ? "?>" : "-->";
    const auto end = body.find(close);
    if (end == body.npos) return false;
    body = from_first_sign(body.substr(end + close.size()));
  }
  return begins(body, "<!doctype html") ||
         (begins(body, "<html") && body.find_first_of("> \t\r\n") == 5);
}

}  // namespace

std::string_view without_mark(std::string_view body) {
  body = from_first_sign(body);
  return body.starts_with("\xEF\xBB\xBF") ? from_first_sign(body.substr(3)) : body;
}

Media media_of(std::string_view body, std::string_view content_type) {
  if (body.empty()) return Media::nothing;
  if (begins_like_html(body)) return Media::html;
  const auto type = type_of(content_type);
  if (is_one_of(type, "json")) return Media::json;
  if (body.front() == '<' &&
      (is_one_of(type, "html") || same_name(type, "application/xhtml+xml"))) {
    return Media::html;
  }
  if (is_one_of(type, "xml")) return Media::xml;
  if (body.front() == '<') return Media::xml;
  return body.front() == '{' || body.front() == '[' || body.front() == '"' ? Media::json
                                                                           : Media::other;
}

}  // namespace surveybridge::mapping
