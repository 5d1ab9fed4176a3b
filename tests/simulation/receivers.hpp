// The receivers of follow-ups: webhooks that refuse a message, lose it or its answer, or meet a
// daemon that dies. They keep what they are told, and look whether it may be told then
// (docs/GUARANTEES.md, 10). Random numbers of their own; after calm() nothing goes wrong.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "connectors/service/transport.hpp"
#include "tests/in_process/virtual_world.hpp"
#include "tests/simulation/draw.hpp"

namespace simulation {

// What is told once: a customer's number, by a follow-up, to a receiver.
struct Telling {
  std::string follow_up, receiver, customer;
  auto operator<=>(const Telling&) const = default;
};
std::string to_string(const Telling& telling);

struct Message {
  TimePoint at;
  std::string id;
  bool has_arrived = false;
  bool may_be_there = false;  // as far as the daemon can know
  bool is_settled = false;    // the daemon knows that it is there, and has noted it
  bool is_backed_up = false;  // the backup of the store knows of it
};

class Receivers {
 public:
  // `is_forgotten`: a customer's person. `complain` is called with what is wrong.
  Receivers(const in_process::TurnedClock& clock, std::uint64_t seed,
            std::function<bool(const std::string& customer)> is_forgotten,
            std::function<void(const std::string&)> complain)
      : clock_(clock),
        random_(seed),
        is_forgotten_(std::move(is_forgotten)),
        complain_(std::move(complain)) {}

  // The message of the daemon on this host. `stood_still`: within this step, so that others may
  // have told the same meanwhile. Throws Died.
  surveybridge::service::Exchange take(std::size_t host, const std::string& receiver,
                                       const std::string& body, bool stood_still);
  // The host's step begins; it has ended, and the daemon could note what was taken within it.
  void begin_step(std::size_t host) { taken_.erase(host); }
  void settle(std::size_t host);

  void back_up();
  // What was told since the backup is told again.
  void restore();
  void calm() { calm_ = true; }
  const std::map<Telling, std::vector<Message>>& told() const { return told_; }

 private:
  using Exchange = surveybridge::service::Exchange;
  void look(const Telling& telling, const std::vector<Message>& earlier, const std::string& id,
            bool again) const;
  Exchange deliver(const Telling& telling, Message& message);
  Exchange go_wrong(Message& message);

  const in_process::TurnedClock& clock_;
  Random random_;
  std::function<bool(const std::string&)> is_forgotten_;
  std::function<void(const std::string&)> complain_;
  std::map<Telling, std::vector<Message>> told_;
  std::map<std::size_t, Telling> taken_;  // by host, within its step
  bool calm_ = false;
};

}  // namespace simulation
