// Error bodies and what became of a POST (docs/SERVICE.md 7).
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

// The refusal names its row in another notation: `index` stands for its number.
Line notation_line(const std::string& what, const std::string& body) {
  Line line = error_line(what, sandbox::ErrorStyle::model_state);
  line.change = [change = line.change, body](Variant& variant, Format format) {
    change(variant, format);
    variant.on_post = [body](const service::Request& request,
                             const std::function<service::Exchange()>& send,
                             sandbox::Service& service) {
      service::Exchange exchange = spoil_one(request, send, service);
      auto* response = std::get_if<service::Response>(&exchange);
      if (response == nullptr || response->status != 400) return exchange;
      const auto at = response->body.find("Customers");
      const auto digits = response->body.find_first_of("0123456789", at + 9);
      const auto end = response->body.find_first_not_of("0123456789", digits);
      response->headers = {{"content-type", "application/json"}};
      response->body = replaced(body, "index", response->body.substr(digits, end - digits));
      return exchange;
    };
  };
  return json_only(std::move(line));
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

// The first add is stored, or not, and answered so.
Line answered_line(const std::string& what, bool stored, const service::Response& answer,
                   std::function<std::string(const Kept&, const Plain&, Format)> judge) {
  return {what,
          [=](Variant& variant, Format) {
            const auto done = std::make_shared<bool>(false);
            variant.on_exchange = [=](const service::Request& request,
                                      const auto& send) -> service::Exchange {
              if (request.method != "POST" || *done) return send();
              *done = true;
              if (stored) send();
              return answer;
            };
          },
          std::move(judge)};
}

// The rows of the refused batch wait for a person, and all others are sent.
std::string judge_held(const Kept& kept, const Plain&, Format) {
  int states = 0;
  for (const auto& [state, rows] : kept.states)
    states += state == "sent" || state == "held" ? rows : 0;
  if (states != kOrders || !kept.states.contains("held")) return "not all others are sent";
  if (kept.states.at("held") + static_cast<int>(kept.held.size()) != kOrders)
    return "what is held has arrived";
  return kept.said("names a refusal") ? "" : "nothing was said";
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
          notation_line("an index as a number", R"({"errors":[{"RowIndex":index,"text":"bad"}]})"),
          notation_line("a JSON pointer", R"({"errors":[{"pointer":"/Customers/index/Email"}]})"),
          notation_line("a path", R"({"detail":[{"loc":["body","Customers",index,"Email"]}]})"),
          notation_line("a number of which nobody knows where it begins",
                        R"({"errors":[{"row":index,"text":"bad"}]})"),
          notation_line("an index among those of other rows",
                        R"({"results":[{"RowIndex":0,"valid":true},{"RowIndex":index}]})"),
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
      answered_line("stored, then 200 that names `errors`: read back, not resent", true,
                    {200,
                     {{"content-type", "application/json"}},
                     R"({"imported":3,"failed":1,"errors":[{"index":1}]})"},
                    judge_whole),
      answered_line("not stored, and 200 with `success: false`: not taken for sent", false,
                    {200, {{"content-type", "application/json"}}, R"({"success":false})"},
                    judge_held),
      answered_line(
          "not stored, and 200 with `FailedItems`: not taken for sent", false,
          {200, {{"content-type", "application/json"}}, R"({"FailedItems":[{"Email":"x"}]})"},
          judge_held),
      answered_line("not stored, and 200 that says so in words: not taken for sent", false,
                    {200, {{"content-type", "text/plain"}}, "Import failed"}, judge_held),
      answered_line("stored, and 201 with `Location` on an inner host: read back, not resent", true,
                    {201, {{"location", "http://survey-7.internal:8080/batch/9"}}, ""},
                    judge_whole),
      unsent_line("429: goes again", service::Response{429, {}, ""}),
      {"413: goes again, smaller",
       [](Variant& variant, Format) { variant.options.largest_body = 1600; }, judge_whole},
  };
  for (Line& line : unknown_lines())
    lines.push_back(std::move(line));
  return lines;
}

}  // namespace tolerance
