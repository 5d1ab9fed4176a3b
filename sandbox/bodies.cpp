#include "sandbox/bodies.hpp"

#include <algorithm>

namespace sandbox {
namespace {

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

constexpr std::string_view content_type(Format format) {
  return format == Format::json ? "application/json; charset=utf-8"
                                : "application/xml; charset=utf-8";
}

std::string_view message_of(int status) {
  switch (status) {
    case 400:
      return "The request is invalid.";
    case 401:
      return "Authorization has been denied for this request.";
    case 403:
      return "The server refuses to authorize the request.";
    case 404:
      return "No HTTP resource was found that matches the request.";
    case 405:
      return "The requested resource does not support this method.";
    case 413:
      return "The request is too large.";
    case 415:
      return "The request's media type is not supported.";
    case 429:
      return "Too many requests.";
    default:
      return "An error has occurred.";
  }
}

// The findings of one place, gathered.
List& messages_at(Object& state, const std::string& place) {
  for (Member& member : state.members) {
    if (member.name == place) return std::get<List>(member.node.value);
  }
  put(state, place, List{"string", {}});
  return std::get<List>(state.members.back().node.value);
}

Node error_node(const Outcome& outcome) {
  Object state;
  for (const Finding& finding : outcome.findings.all()) {
    messages_at(state, finding.place).items.push_back({finding.message});
  }
  Object root;
  put(root, "Message", std::string(message_of(outcome.status)));
  if (!state.members.empty()) put(root, "ModelState", std::move(state));
  return {std::move(root)};
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

ParseResult read_body(std::string_view body, Format format) {
  if (format == Format::json) return read_json(body);
  return Malformed{"XML is not spoken here yet"};
}

Reply write_outcome(const Outcome& outcome, Format, const Options& options) {
  Reply reply;
  reply.status = outcome.status;
  const bool error = outcome.status >= 400;
  if (!error && !outcome.body) return reply;
  reply.headers.emplace_back("Content-Type", content_type(Format::json));
  reply.body = write_json(error ? error_node(outcome) : *outcome.body, options.style);
  return reply;
}

}  // namespace sandbox
