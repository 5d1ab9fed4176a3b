#include "daemon/alert/delivery.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/ranges.h>

#include "config/keys/kinds.hpp"
#include "connectors/service/curl_transport.hpp"

namespace surveybridge::daemon {

namespace {

using Fault = JobStatus::Fault;
using Made = std::variant<service::Request, Undelivered>;

Undelivered wrong(const std::string& why) {
  return {why, Fault::configuration};
}

Made mail_request(const config::Receiver& receiver) {
  service::Request request{"MAIL", receiver.server, {}, {}};
  request.mail = service::Mail{receiver.from, receiver.mail};
  request.mail->plain =
      receiver.server.starts_with("smtp://") && config::goes_to_this_machine(receiver.server);
  if (receiver.user.empty()) return request;
  auto password = config::read(receiver.password);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&password))
    return wrong("password: " + unreadable->why);
  request.mail->user = receiver.user;
  request.mail->password = std::get<std::string>(std::move(password));
  return request;
}

Made web_request(const config::Receiver& receiver) {
  auto url = config::read(receiver.webhook);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&url))
    return wrong("webhook: " + unreadable->why);
  if (!config::is_web_address(std::get<std::string>(url)))
    return wrong("webhook: it must be one https address, or http to this machine");
  return service::Request{
      "POST", std::get<std::string>(std::move(url)), {{"Content-Type", "application/json"}}, {}};
}

Made request_to(const config::Receiver& receiver) {
  return receiver.mail.empty() ? web_request(receiver) : mail_request(receiver);
}

// A mail server's numbers from 500 on, and a webhook's from 400 on, last until somebody changes
// something.
Fault fault_of_status(int status, bool is_mail) {
  if (is_mail) return status >= 500 ? Fault::configuration : Fault::unreachable;
  const bool refused = status >= 300 && status < 500 && status != 408 && status != 429;
  return refused ? Fault::configuration : Fault::unreachable;
}

// Of a mail that others get.
Undelivered refused_in_part(const std::string& server, const std::vector<std::string>& refused) {
  const bool lasts =
      std::ranges::any_of(refused, [](const std::string& words) { return words.starts_with('5'); });
  return {fmt::format("{} answers {}", service::origin_of(server), fmt::join(refused, ", ")),
          fault_of_status(lasts ? 500 : 400, true), true, true};
}

// The last number of a mail server that has not answered to a text yet, of which it may have all.
constexpr int kTextIsAwaited = 354;

std::optional<Undelivered> outcome_of(const service::Request& request,
                                      const service::Exchange& exchange) {
  const auto* failure = std::get_if<service::Failure>(&exchange);
  // A webhook has answered with the number, whatever became of the rest.
  const bool has_number =
      failure != nullptr && failure->status != 0 && !request.mail && !request.only_connect;
  if (failure != nullptr && !has_number) {
    using Kind = service::Failure::Kind;
    const bool left = failure->kind == Kind::unknown || failure->kind == Kind::too_large;
    return Undelivered{failure->detail,
                       request.mail ? fault_of_status(failure->status, true) : Fault::unreachable,
                       left && (failure->status == 0 || failure->status == kTextIsAwaited)};
  }
  const auto* response = std::get_if<service::Response>(&exchange);
  if (response != nullptr && !response->refused.empty())
    return refused_in_part(request.url, response->refused);
  const int status = has_number ? failure->status : response->status;
  if (request.mail || request.only_connect || (status >= 200 && status < 300)) return std::nullopt;
  return Undelivered{service::origin_of(request.url) + " answers HTTP " + std::to_string(status),
                     fault_of_status(status, false), status < 200 || status >= 500};
}

}  // namespace

std::optional<Undelivered> deliver(const config::Receiver& receiver, const AlertMessage& message,
                                   service::Transport& transport, TimePoint now) {
  auto made = request_to(receiver);
  if (auto* undelivered = std::get_if<Undelivered>(&made)) return std::move(*undelivered);
  auto& request = std::get<service::Request>(made);
  request.body =
      request.mail ? mail_text(message, receiver, now) : webhook_text(message, receiver.form);
  return outcome_of(request, transport.send(request));
}

std::optional<Undelivered> try_receiver(const config::Receiver& receiver,
                                        service::Transport& transport) {
  auto made = request_to(receiver);
  if (auto* undelivered = std::get_if<Undelivered>(&made)) return std::move(*undelivered);
  auto& request = std::get<service::Request>(made);
  if (!request.mail) request.method = "GET";
  request.only_connect = true;
  return outcome_of(request, transport.send(request));
}

std::optional<Undelivered> secrets_fault(const config::Receiver& receiver) {
  auto made = request_to(receiver);
  if (auto* undelivered = std::get_if<Undelivered>(&made)) return std::move(*undelivered);
  return std::nullopt;
}

}  // namespace surveybridge::daemon
