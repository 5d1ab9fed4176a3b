#include "sandbox/operations/errors.hpp"

#include <fmt/format.h>

#include "sandbox/body/xml.hpp"

namespace sandbox {
namespace {

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

Node model_state(const Outcome& outcome) {
  Object state = by_place(outcome, false);
  Object root;
  put(root, "Message", std::string(message_of(outcome.status)));
  if (!state.members.empty()) put(root, "ModelState", std::move(state));
  return {std::move(root)};
}

// The same for XML, where the messages of a place are the text of its element.
Node model_state_of_text(const Outcome& outcome) {
  Object state;
  for (const Finding& finding : outcome.findings.all())
    put(state, finding.place, finding.message);
  Object root;
  put(root, "Message", std::string(message_of(outcome.status)));
  if (!state.members.empty()) put(root, "ModelState", std::move(state));
  return {std::move(root)};
}

Node problem(const Outcome& outcome) {
  Object root;
  put(root, "type", std::string("about:blank"));
  put(root, "title", std::string(message_of(outcome.status)));
  put(root, "status", static_cast<std::int64_t>(outcome.status));
  Object errors = by_place(outcome, true);
  if (!errors.members.empty()) put(root, "errors", std::move(errors));
  return {std::move(root)};
}

std::string plain_text(const Outcome& outcome) {
  std::string text(message_of(outcome.status));
  for (const Finding& finding : outcome.findings.all()) {
    text += fmt::format(" {}: {}.", finding.place, finding.message);
  }
  return text;
}

ErrorBody xml(const Outcome& outcome, const Options& options) {
  WritingStyle style = options.style;
  style.xml = {"", "", false, "", false};  // the framework writes errors, not the contract
  return {options.style.xml_type, write_xml("Error", model_state_of_text(outcome), style)};
}

}  // namespace

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
    case 410:
      return "The resource is gone.";
    case 413:
      return "The request is too large.";
    case 414:
      return "The request's target is too long.";
    case 415:
      return "The request's media type is not supported.";
    case 429:
      return "Too many requests.";
    default:
      return "An error has occurred.";
  }
}

ErrorBody write_error(const Outcome& outcome, Format format, const Options& options) {
  const WritingStyle& style = options.style;
  switch (options.errors) {
    case ErrorStyle::model_state:
      if (format == Format::xml) return xml(outcome, options);
      return {style.json_type, write_json(model_state(outcome), style)};
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
      return xml(outcome, options);
    case ErrorStyle::none:
      return {};
  }
  return {};
}

}  // namespace sandbox
