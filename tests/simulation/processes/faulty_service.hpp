// The stand-in on a port of its own, with a gateway before it that draws faults: connections that
// end before or after the service has heard, answers that come late, and answers that lie. Silent
// after calm(). Several threads serve it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "http/server.hpp"
#include "sandbox/service.hpp"
#include "tests/simulation/draw.hpp"

namespace simulation {

class FaultyService {
 public:
  FaultyService(double share, bool lies, double lives_speed, std::uint64_t seed);

  std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
  sandbox::Service& service() { return service_; }
  // Without faults until it begins, and once it is calm.
  void begin() { calm_ = false; }
  void calm() { calm_ = true; }
  int faults() const { return faults_; }
  int lies() const { return lies_; }

 private:
  sandbox::Reply answer(const sandbox::Request& request);
  sandbox::Reply go_wrong(const sandbox::Request& request, int kind);
  sandbox::Reply lie(const sandbox::Request& request, int kind);

  const double share_;
  const bool may_lie_;
  std::mutex mutex_;  // guards random_
  Random random_;
  std::atomic<bool> calm_{true};
  std::atomic<int> faults_{0}, lies_{0};
  sandbox::Service service_;
  http::Server server_;
};

}  // namespace simulation
