#include "tests/simulation/receivers.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace simulation {

using namespace surveybridge::service;

namespace {

constexpr double kGoesWrong = 0.5;

// Refused, while there are faults, however often it is tried.
bool is_refused(const std::string& customer) {
  return customer.ends_with('9');
}

Exchange lost() {
  return Failure{Failure::Kind::unknown, "connection reset", 0};
}

Exchange arrive(Message& message, Exchange answer) {
  message.has_arrived = message.may_be_there = true;
  return answer;
}

bool is_taken(const Exchange& exchange) {
  const auto* response = std::get_if<Response>(&exchange);
  return response != nullptr && response->status == 200;
}

}  // namespace

std::string to_string(const Telling& telling) {
  return fmt::format("follow-up {} of customer {} to {}", telling.follow_up, telling.customer,
                     telling.receiver);
}

Exchange Receivers::take(std::size_t host, const std::string& receiver, const std::string& body,
                         bool stood_still) {
  const auto said = nlohmann::json::parse(body);
  if (!said.contains("follow_up")) {
    complain_(receiver + " was told what is no follow-up");
    return Response{200, {}, ""};
  }
  const Telling telling{said.at("follow_up").get<std::string>(), receiver,
                        said.at("fields").at("Customer").get<std::string>()};
  const auto id = said.at("id").get<std::string>();
  auto& messages = told_[telling];
  if (!stood_still) look(telling, messages, id, said.at("again").get<bool>());
  messages.push_back({clock_.now, id});
  auto exchange = deliver(telling, messages.back());
  if (is_taken(exchange)) taken_[host] = telling;
  return exchange;
}

// May it be told now?
void Receivers::look(const Telling& telling, const std::vector<Message>& earlier,
                     const std::string& id, bool again) const {
  const auto complain = [&](const char* what) { complain_(to_string(telling) + ": " + what); };
  if (is_forgotten_(telling.customer)) complain("told after the person was forgotten");
  for (const auto& message : earlier) {
    if (message.is_settled) return complain("told twice");
    if (message.may_be_there && !again) return complain("told again, and does not say so");
    if (message.id != id) return complain("told again under another id");
  }
}

Exchange Receivers::deliver(const Telling& telling, Message& message) {
  if (!calm_ && is_refused(telling.customer)) return Response{403, {}, ""};
  if (!calm_ && happens(random_, kGoesWrong)) return go_wrong(message);
  return arrive(message, Response{200, {}, ""});
}

// Of a lost answer and of 5xx nobody knows whether the message is there.
Exchange Receivers::go_wrong(Message& message) {
  switch (between(random_, 0, 8)) {
    case 0:
      return Failure{Failure::Kind::not_connected, "connection refused", 0};
    case 1:
      return Response{429, {}, ""};
    case 2:
      return Response{400, {}, ""};
    case 3:
      message.may_be_there = true;
      return Response{503, {}, ""};
    case 4:
      message.may_be_there = true;
      return lost();
    case 5:
      return arrive(message, lost());
    case 6:
      return arrive(message, Response{504, {}, ""});
    case 7:
      throw in_process::Died{};
    default:
      arrive(message, lost());
      throw in_process::Died{};
  }
}

void Receivers::settle(std::size_t host) {
  const auto taken = taken_.find(host);
  if (taken != taken_.end()) told_[taken->second].back().is_settled = true;
}

void Receivers::back_up() {
  for (auto& [telling, messages] : told_)
    for (auto& message : messages)
      message.is_backed_up = true;
}

void Receivers::restore() {
  for (auto& [telling, messages] : told_)
    std::erase_if(messages, [](const Message& message) { return !message.is_backed_up; });
}

}  // namespace simulation
