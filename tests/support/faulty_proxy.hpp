// A proxy on 127.0.0.1 before a TCP server of this machine. It delays what its clients say and cuts
// connections at random: before the server has heard, after it has heard, or instead of its answer.
// It may say other words than its clients. A thread a connection; all end with the object.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace support {

class FaultyProxy {
 public:
  struct Faults {  // of each piece of bytes that a client says
    double delay = 0, cut = 0;
    std::chrono::milliseconds longest_delay{200};
  };
  // What a client says, and what the server hears instead: as many bytes, in one piece.
  using OtherWords = std::vector<std::pair<std::string, std::string>>;
  FaultyProxy(int server_port, Faults faults, std::uint64_t seed, OtherWords other_words = {});
  ~FaultyProxy();
  FaultyProxy(const FaultyProxy&) = delete;
  FaultyProxy& operator=(const FaultyProxy&) = delete;

  int port() const { return port_; }
  // From now on it only forwards.
  void calm() { calm_ = true; }
  int faults() const { return faults_; }

 private:
  enum class Fate { pass, cut_before, cut_after };
  void accept_all();
  void serve(int client);
  Fate draw_fate();
  bool forward(int from, int to, bool from_client);

  const int server_port_;
  const Faults drawn_;
  const OtherWords other_words_;
  std::mutex mutex_;  // guards random_ and threads_
  std::mt19937_64 random_;
  std::list<std::thread> threads_;
  std::condition_variable ended_;  // a delay ends with the object
  std::atomic<bool> calm_{false}, ending_{false};
  std::atomic<int> faults_{0};
  int listener_ = -1, port_ = 0;
  std::thread acceptor_;
};

}  // namespace support
