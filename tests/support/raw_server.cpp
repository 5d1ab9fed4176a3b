#include "tests/support/raw_server.hpp"

#include <array>
#include <cstdlib>
#include <stdexcept>

#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/loopback.hpp"

namespace support {
namespace {

std::size_t length_said(const std::string& head) {
  const auto at = head.find("Content-Length: ");
  return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + 16, nullptr, 10);
}

bool read_more(int socket, std::string& buffer) {
  std::array<char, 65536> bytes;
  const ssize_t got = recv(socket, bytes.data(), bytes.size(), 0);
  if (got > 0) buffer.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0;
}

}  // namespace

RawServer::RawServer(Answer answer) : answer_(std::move(answer)) {
  const Listener made = listen_on_loopback();
  listener_ = made.socket;
  port_ = made.port;
  acceptor_ = std::thread([this] { accept_all(); });
}

RawServer::~RawServer() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    shutdown(listener_, SHUT_RDWR);
    for (Connection& connection : connections_)
      shutdown(connection.socket, SHUT_RDWR);
  }
  acceptor_.join();
  for (Connection& connection : connections_)
    connection.thread.join();
  close(listener_);
}

void RawServer::accept_all() {
  for (int number = 0;; ++number) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    if (ending_) {
      close(socket);
      return;
    }
    Connection& connection = connections_.emplace_back(Connection{socket, number, {}});
    connection.thread = std::thread([this, &connection] { serve(connection); });
  }
}

RawServer::Heard RawServer::hear(int socket, std::string& buffer) const {
  Heard heard;
  std::size_t end = std::string::npos;
  while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
    if (!read_more(socket, buffer)) return heard;
  }
  heard.head = buffer.substr(0, end + 4);
  buffer.erase(0, end + 4);
  const std::size_t length = length_said(heard.head);
  while (buffer.size() < length && read_more(socket, buffer)) {
  }
  heard.whole = buffer.size() >= length;
  heard.body = buffer.substr(0, length);
  buffer.erase(0, length);
  return heard;
}

RawServer::Said RawServer::answer_to(Heard heard) {
  const std::lock_guard lock(mutex_);
  heard_.push_back(heard);
  changed_.notify_all();
  return heard.whole ? answer_(heard) : Said{"", Said::Then::close};
}

void RawServer::serve(Connection& connection) {
  std::string buffer;
  for (;;) {
    Heard heard = hear(connection.socket, buffer);
    if (heard.head.empty()) break;
    heard.connection = connection.number;
    const Said said = answer_to(std::move(heard));
    send_all(connection.socket, said.bytes.data(), said.bytes.size());
    if (said.then == Said::Then::hang) {
      while (read_more(connection.socket, buffer)) {
      }
    }
    if (said.then == Said::Then::reset) reset_when_closed(connection.socket);
    if (said.then != Said::Then::listen) break;
  }
  const std::lock_guard lock(mutex_);
  close(connection.socket);
  connection.socket = -1;
}

std::vector<RawServer::Heard> RawServer::heard() const {
  const std::lock_guard lock(mutex_);
  return heard_;
}

bool RawServer::wait_for(std::size_t requests, std::chrono::milliseconds deadline) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, deadline, [&] { return heard_.size() >= requests; });
}

std::string ok(const std::string& body, const std::string& type, const std::string& headers) {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + type +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

}  // namespace support
