#include "tests/simulation/processes/faulty_receiver.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace simulation {

using http::Reply;
using Delivery = Reply::Delivery;

namespace {

Reply say(int status, Delivery delivery = Delivery::whole) {
  Reply reply;
  reply.status = status;
  reply.delivery = delivery;
  return reply;
}

}  // namespace

FaultyReceiver::FaultyReceiver(std::uint64_t seed)
    : random_(seed ^ 0x70D1ULL),
      server_({}, [this](const http::Request& request) { return answer(request); }) {}

std::map<std::string, bool> FaultyReceiver::told() {
  const std::lock_guard lock(mutex_);
  std::map<std::string, bool> all;
  for (const auto& [customer, telling] : told_)
    all[customer] = telling.has_arrived;
  return all;
}

std::vector<std::string> FaultyReceiver::faults() {
  const std::lock_guard lock(mutex_);
  return faults_;
}

Reply FaultyReceiver::answer(const http::Request& request) {
  const auto said = nlohmann::json::parse(request.body);
  const auto customer = said.at("fields").at("Customer").get<std::string>();
  const auto id = said.at("id").get<std::string>();
  const std::lock_guard lock(mutex_);
  auto& telling = told_[customer];
  look(telling, customer, id, said.at("again").get<bool>());
  telling.id = id;
  repeated_ += std::exchange(telling.was_taken, false) ? 1 : 0;
  return deliver(telling);
}

// May it be told now?
void FaultyReceiver::look(const Telling& telling, const std::string& customer,
                          const std::string& id, bool again) {
  const auto complain = [&](const char* what) {
    faults_.push_back(fmt::format("follow-up of customer {}: {}", customer, what));
  };
  if (telling.may_be_there && !again) complain("told again, and does not say so");
  if (!telling.id.empty() && telling.id != id) complain("told again under another id");
}

Reply FaultyReceiver::deliver(Telling& telling) {
  const int kind = calm_ ? 0 : between(random_, 0, 9);
  in_vain_ += kind == 0 || kind == 9 ? 0 : 1;
  if (kind == 1) return say(400);
  if (kind == 2) return say(429);
  telling.may_be_there = true;
  telling.has_arrived = telling.has_arrived || kind == 0 || kind > 5;
  switch (kind) {
    case 3:
    case 6:
      return say(503);
    case 4:
    case 7:
      return say(200, Delivery::reset);
    case 5:
    case 8:
      kill_ = true;
      return say(200, Delivery::hang);
    default:
      telling.was_taken = true;
      return say(200);
  }
}

}  // namespace simulation
