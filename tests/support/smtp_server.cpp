#include "tests/support/smtp_server.hpp"

#include <array>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/loopback.hpp"

namespace support {

SmtpServer::SmtpServer(Answer answer) : answer_(std::move(answer)) {
  const Listener made = listen_on_loopback();
  listener_ = made.socket;
  port_ = made.port;
  thread_ = std::thread([this] { accept_all(); });
}

SmtpServer::~SmtpServer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    shutdown(listener_, SHUT_RDWR);
    if (socket_ >= 0) shutdown(socket_, SHUT_RDWR);
  }
  thread_.join();
  close(listener_);
}

void SmtpServer::accept_all() {
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    {
      const std::lock_guard lock(mutex_);
      if (!ending_) socket_ = socket;
    }
    if (socket_ == socket) serve(socket);
    const std::lock_guard lock(mutex_);
    socket_ = -1;
    close(socket);
  }
}

void SmtpServer::serve(int socket) {
  const auto say = [&](const std::string& line) {
    return send_all(socket, (line + "\r\n").data(), line.size() + 2);
  };
  bool in_mail = false;
  std::string buffer;
  std::array<char, 4096> bytes;
  for (bool goes_on = say("220 ready"); goes_on;) {
    const auto end = buffer.find("\r\n");
    if (end == std::string::npos) {
      const ssize_t got = recv(socket, bytes.data(), bytes.size(), 0);
      if (got <= 0) return;
      buffer.append(bytes.data(), static_cast<std::size_t>(got));
      continue;
    }
    const std::string line = buffer.substr(0, end);
    buffer.erase(0, end + 2);
    {
      const std::lock_guard lock(mutex_);
      heard_.push_back(line);
    }
    if (in_mail && line != ".") continue;
    in_mail = line == "DATA";
    goes_on = say(answer_to(line)) && line != "QUIT";
  }
}

std::string SmtpServer::answer_to(const std::string& line) const {
  const std::string said = answer_ ? answer_(line) : "";
  if (!said.empty()) return said;
  if (line.starts_with("EHLO")) return "250-here\r\n250 AUTH PLAIN";
  if (line == "AUTH PLAIN") return "334 ";
  if (line == "DATA") return "354 go on";
  if (line == "QUIT") return "221 bye";
  return line.find(' ') == std::string::npos && line != "." ? "235 known" : "250 ok";
}

std::vector<std::string> SmtpServer::heard() const {
  const std::lock_guard lock(mutex_);
  return heard_;
}

}  // namespace support
