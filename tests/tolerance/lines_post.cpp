// "Error bodies" and "What became of a POST" of docs/TOLERANCE.md.
#include <memory>

#include "tests/tolerance/line.hpp"

namespace tolerance {

namespace service = surveybridge::service;

namespace {

using AddReply = sandbox::Options::AddReply;

// One order is changed on its way, so that the service refuses it.
service::Exchange spoil_one(const service::Request& request,
                            const std::function<service::Exchange()>& send,
                            sandbox::Service& service) {
  std::string body = replaced(request.body, "\"Priority\":105", "\"Priority\":\"x\"");
  body = replaced(body, "<Priority>105</Priority>", "<Priority>x</Priority>");
  if (request.method != "POST" || body == request.body) return send();
  const auto reply =
      service.handle({"POST", "/external/api/v3/customer/add", request.headers, body});
  service::Response response{reply.status, {}, reply.body};
  for (const auto& [name, value] : reply.headers)
    if (name == "Content-Type") response.headers.emplace_back("content-type", value);
  return response;
}

std::string judge_all_but_one(const Kept& kept, const Plain&, Format) {
  const std::map<std::string, int> states = {{"quarantined", 1}, {"sent", kOrders - 1}};
  if (kept.states != states) return "not all others are sent";
  for (const auto& [order, times] : kept.held)
    if (times != 1) return order + " is held " + std::to_string(times) + " times";
  return kept.held.contains("o-5") || kept.held.size() != kOrders - 1 ? "the wrong one" : "";
}

Line error_line(const std::string& what, sandbox::ErrorStyle errors) {
  return {what,
          [=](Variant& variant, Format) {
            variant.options.errors = errors;
            variant.on_post = spoil_one;
          },
          judge_all_but_one};
}

Line reply_line(const std::string& what, AddReply reply) {
  return {"2xx, " + what, [=](Variant& variant, Format) { variant.options.add_reply = reply; },
          judge_same};
}

// The first add meets `fault`.
Line fault_line(const std::string& what, const std::string& fault) {
  return {what,
          [=](Variant& variant, Format) {
            variant.before = [=](sandbox::Service& service) {
              service.inject(*sandbox::read_fault(fault));
            };
          },
          judge_whole};
}

// A request that did not reach the service.
Line unsent_line(const std::string& what, const service::Exchange& instead) {
  return {what,
          [=](Variant& variant, Format) {
            const auto done = std::make_shared<bool>(false);
            variant.on_exchange = [=](const service::Request& request,
                                      const auto& send) -> service::Exchange {
              if (request.method != "POST" || *done) return send();
              *done = true;
              return instead;
            };
          },
          judge_whole};
}

Line renewed_line() {
  Line line = unsent_line("401: goes again with a new token", service::Response{401, {}, ""});
  line.change = [change = line.change](Variant& variant, Format format) {
    change(variant, format);
    variant.auth = oauth2();
  };
  return line;
}

Lines unknown_lines() {
  Lines lines = {
      fault_line("stored, then the connection was reset: read back, not resent",
                 "after:reset:customer/add:1"),
      fault_line("stored, then the answer was cut off", "after:cut:customer/add:1"),
      fault_line("stored, then silence until the time-out", "after:hang:customer/add:1")};
  for (const char* status : {"408", "500", "502", "503", "504"})
    lines.push_back(fault_line(std::string("stored, then ") + status,
                               std::string("after:") + status + ":customer/add:1"));
  return lines;
}

}  // namespace

Lines error_lines() {
  using Style = sandbox::ErrorStyle;
  return {error_line("`ModelState`, which names the row", Style::model_state),
          error_line("problem+json with `errors`", Style::problem),
          error_line("a bare string", Style::string),
          error_line("plain text", Style::text),
          error_line("a gateway's HTML", Style::html),
          error_line("`<Error>` in XML", Style::xml),
          error_line("nothing", Style::none)};
}

Lines post_lines() {
  Lines lines = {
      reply_line("an empty body", AddReply::empty),
      reply_line("a string", AddReply::string),
      reply_line("JSON", AddReply::json),
      reply_line("202", AddReply::accepted),
      unsent_line("not connected: goes again",
                  service::Failure{service::Failure::Kind::not_connected, "nobody", 0}),
      renewed_line(),
      unsent_line("429: goes again", service::Response{429, {}, ""}),
      {"413: goes again, smaller",
       [](Variant& variant, Format) { variant.options.largest_body = 1600; }, judge_whole},
  };
  for (Line& line : unknown_lines())
    lines.push_back(std::move(line));
  return lines;
}

}  // namespace tolerance
