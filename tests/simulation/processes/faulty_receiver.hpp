// A receiver of follow-ups on a port of its own: it refuses messages, loses them or their answers,
// and asks for the kill of the daemon that waits for its answer. It looks whether each message may
// be told then (docs/GUARANTEES.md, 10). Silent after calm(). Several threads serve it.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "http/server.hpp"
#include "tests/simulation/draw.hpp"

namespace simulation {

class FaultyReceiver {
 public:
  explicit FaultyReceiver(std::uint64_t seed);

  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
  // Without faults until it begins, and once it is calm.
  void begin() { calm_ = false; }
  void calm() { calm_ = true; }
  // Since the last call: a daemon waits for an answer that does not come.
  bool asks_for_kill() { return kill_.exchange(false); }
  // By the customer's number: has a message arrived?
  std::map<std::string, bool> told();
  // Messages about what had been answered 200, and those that are not.
  int repeated() const { return repeated_; }
  int in_vain() const { return in_vain_; }
  std::vector<std::string> faults();

 private:
  struct Telling {
    std::string id;
    bool has_arrived = false;
    bool may_be_there = false;  // as far as the daemon can know
    bool was_taken = false;
  };
  http::Reply answer(const http::Request& request);
  void look(const Telling& telling, const std::string& customer, const std::string& id, bool again);
  http::Reply deliver(Telling& telling);

  std::mutex mutex_;  // guards what follows
  Random random_;
  std::map<std::string, Telling> told_;
  std::vector<std::string> faults_;
  std::atomic<int> repeated_{0}, in_vain_{0};
  std::atomic<bool> calm_{true}, kill_{false};
  http::Server server_;
};

}  // namespace simulation
