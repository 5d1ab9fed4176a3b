#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sandbox/body/body.hpp"
#include "sandbox/operations.hpp"

namespace sandbox {
namespace {

// Content type and body of a refusal.
struct ErrorBody {
  std::string type, text;  // both empty: no body
};

std::string message_of(int status) {
  static const std::map<int, std::string> kMessages = {
      {400, "The request is invalid."},
      {401, "Authorization has been denied for this request."},
      {404, "No HTTP resource was found that matches the request."},
      {405, "The requested resource does not support this method."},
      {410, "The resource is gone."},
      {413, "The request is too large."},
      {414, "The request's target is too long."},
      {415, "The request's media type is not supported."},
      {429, "Too many requests."}};
  const auto found = kMessages.find(status);
  return found == kMessages.end() ? "An error has occurred." : found->second;
}

// The findings of one place, collected.
List& messages_at(Object& state, const std::string& place) {
  for (Member& member : state.members) {
    if (member.name == place) return std::get<List>(member.node.value);
  }
  put(state, place, List{"string", {}});
  return std::get<List>(state.members.back().node.value);
}

// Places as they are, or without "request.", which newer frameworks leave out.
Object by_place(const Outcome& outcome, bool short_places) {
  constexpr std::string_view kRequest = "request.";
  Object state;
  for (const Finding& finding : outcome.findings.all()) {
    const bool cut = short_places && finding.place.starts_with(kRequest);
    const std::string place = cut ? finding.place.substr(kRequest.size()) : finding.place;
    messages_at(state, place).items.push_back({finding.message});
  }
  return state;
}

// In XML the messages of a place are the text of its element.
Object as_text(const Outcome& outcome) {
  Object state;
  for (const Finding& finding : outcome.findings.all())
    put(state, finding.place, finding.message);
  return state;
}

Node model_state(const Outcome& outcome, Object state) {
  Object root;
  put(root, "Message", message_of(outcome.status));
  if (!state.members.empty()) put(root, "ModelState", std::move(state));
  return {std::move(root)};
}

Node problem(const Outcome& outcome) {
  Object root;
  put(root, "type", std::string("about:blank"));
  put(root, "title", message_of(outcome.status));
  put(root, "status", static_cast<std::int64_t>(outcome.status));
  Object errors = by_place(outcome, true);
  if (!errors.members.empty()) put(root, "errors", std::move(errors));
  return {std::move(root)};
}

std::string plain_text(const Outcome& outcome) {
  std::string text = message_of(outcome.status);
  for (const Finding& finding : outcome.findings.all()) {
    text += fmt::format(" {}: {}.", finding.place, finding.message);
  }
  return text;
}

ErrorBody xml_error(const Outcome& outcome, const Options& options) {
  WritingStyle style = options.style;
  style.xml = {"", "", false, "", false};  // the framework writes errors, not the contract
  return {options.style.xml_type,
          write_xml("Error", model_state(outcome, as_text(outcome)), style)};
}

// For an outcome with a status above 399, in the shape that the options choose.
ErrorBody write_error(const Outcome& outcome, Format format, const Options& options) {
  const WritingStyle& style = options.style;
  switch (options.errors) {
    case ErrorStyle::model_state:
      if (format == Format::xml) return xml_error(outcome, options);
      return {style.json_type, write_json(model_state(outcome, by_place(outcome, false)), style)};
    case ErrorStyle::problem:
      return {"application/problem+json", write_json(problem(outcome), style)};
    case ErrorStyle::string:
      return {style.json_type, write_json({plain_text(outcome)}, style)};
    case ErrorStyle::text:
      return {"text/plain; charset=utf-8", plain_text(outcome)};
    case ErrorStyle::html:
      return {"text/html", fmt::format("<!DOCTYPE html><html><head><title>{0}</title></head>"
                                       "<body><h1>Error {0}</h1><hr>gateway</body></html>",
                                       outcome.status)};
    case ErrorStyle::xml:
      return xml_error(outcome, options);
    case ErrorStyle::none:
      return {};
  }
  return {};
}

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
