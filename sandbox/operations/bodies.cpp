#include "sandbox/operations/bodies.hpp"

#include <algorithm>

#include "sandbox/body/xml.hpp"
#include "sandbox/operations/errors.hpp"

namespace sandbox {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool names(std::string_view type, std::string_view format) {
  return type == "application/" + std::string(format) || type == "text/" + std::string(format) ||
         type.ends_with("+" + std::string(format));
}

// "application/json" of " application/json; charset=utf-8".
std::string media_type(std::string_view value) {
  value = value.substr(0, value.find(';'));
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return lower_case(value.substr(0, value.find_last_not_of(' ') + 1));
}

}  // namespace

std::optional<Format> format_of_body(const Request& request) {
  const std::string type = media_type(header(request.headers, "Content-Type"));
  if (names(type, "json")) return Format::json;
  if (names(type, "xml")) return Format::xml;
  if (!type.empty()) return std::nullopt;
  const auto first = request.body.find_first_not_of(" \t\r\n");
  const bool xml = first != std::string::npos && request.body[first] == '<';
  return xml ? Format::xml : Format::json;
}

Format format_of_answer(const Request& request) {
  std::string_view rest = header(request.headers, "Accept");
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const std::string type = media_type(rest.substr(0, comma));
    if (names(type, "json")) return Format::json;
    if (names(type, "xml")) return Format::xml;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return Format::json;
}

ParseResult read_body(std::string_view body, Format format, const Options& options) {
  if (format == Format::xml) return read_xml(body, "ImportCustomersRequest", options.style.xml);
  if (body.starts_with(kByteOrderMark)) body.remove_prefix(kByteOrderMark.size());
  return read_json(body);
}

Reply write_outcome(const Outcome& outcome, Format format, const Options& options) {
  const WritingStyle& style = options.style;
  Reply reply;
  reply.status = outcome.status;
  std::string type;
  if (outcome.status >= 400) {
    ErrorBody error = write_error(outcome, format, options);
    type = std::move(error.type);
    reply.body = std::move(error.text);
  } else if (outcome.body) {
    const bool xml = format == Format::xml;
    type = xml ? style.xml_type : style.json_type;
    reply.body =
        xml ? write_xml(outcome.root, *outcome.body, style) : write_json(*outcome.body, style);
  }
  if (!type.empty()) reply.headers.emplace_back("Content-Type", type);
  if (style.byte_order_mark && !reply.body.empty()) reply.body.insert(0, kByteOrderMark);
  return reply;
}

}  // namespace sandbox
