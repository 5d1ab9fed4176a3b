// How a command reaches the daemon that runs with the same configuration on this machine: a line
// there, a line back, over a Unix socket without a file. Only the same user and root are heard.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <thread>

namespace surveybridge::daemon {

// Answers lines in a thread of its own, from construction to destruction.
class ControlSocket {
 public:
  // Called in the thread: the line without its end, at most 255 bytes; returns the answer, one
  // line of at most 1,000,000 bytes.
  using Handler = std::function<std::string(const std::string& line)>;

  // Throws std::runtime_error if another daemon of this user listens for this configuration.
  ControlSocket(const std::string& config_file, Handler handler);
  ~ControlSocket();
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;

 private:
  void serve();
  void answer(int client);

  Handler handler_;
  int listener_;
  std::thread thread_;
};

// What the daemon of this configuration answers; empty: there is none, it does not answer within
// ten seconds, or another user than this one and root has taken its name.
std::optional<std::string> ask_daemon(const std::string& config_file, const std::string& line);

}  // namespace surveybridge::daemon
