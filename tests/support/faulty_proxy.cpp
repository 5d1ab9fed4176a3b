#include "tests/support/faulty_proxy.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/loopback.hpp"

namespace support {
namespace {

constexpr int kLookMs = 50;  // how often a thread looks whether all is over

int connect_to(int port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto address = loopback(port);
  if (connect(made, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    close(made);
    return -1;
  }
  const int yes = 1;
  setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  return made;
}

void replace_words(char* bytes, std::size_t size, const FaultyProxy::OtherWords& words) {
  for (const auto& [said, heard] : words) {
    char* const end = bytes + size;
    for (char* at = bytes; (at = std::search(at, end, said.begin(), said.end())) != end;)
      at = std::copy(heard.begin(), heard.end(), at);
  }
}

}  // namespace

FaultyProxy::FaultyProxy(int server_port, Faults faults, std::uint64_t seed, OtherWords other_words)
    : server_port_(server_port),
      drawn_(faults),
      other_words_(std::move(other_words)),
      random_(seed) {
  for (const auto& [said, heard] : other_words_)
    if (said.size() != heard.size()) throw std::logic_error("other words of another length");
  const Listener made = listen_on_loopback();
  listener_ = made.socket;
  port_ = made.port;
  acceptor_ = std::thread([this] { accept_all(); });
}

FaultyProxy::~FaultyProxy() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ended_.notify_all();
  acceptor_.join();
  for (auto& thread : threads_)
    thread.join();
  close(listener_);
}

void FaultyProxy::accept_all() {
  pollfd one{listener_, POLLIN, 0};
  while (!ending_) {
    if (poll(&one, 1, kLookMs) <= 0) continue;
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    const std::lock_guard lock(mutex_);
    threads_.emplace_back([this, client] { serve(client); });
  }
}

void FaultyProxy::serve(int client) {
  const int server = connect_to(server_port_);
  std::array<pollfd, 2> both{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
  bool open = server >= 0;
  while (open && !ending_) {
    if (poll(both.data(), both.size(), kLookMs) <= 0) continue;
    if (both[0].revents != 0) open = forward(client, server, true);
    if (open && both[1].revents != 0) open = forward(server, client, false);
  }
  close(client);
  if (server >= 0) close(server);
}

FaultyProxy::Fate FaultyProxy::draw_fate() {
  std::chrono::milliseconds delay{0};
  Fate fate = Fate::pass;
  std::unique_lock lock(mutex_);
  std::uniform_real_distribution<> unit(0, 1);
  if (unit(random_) < drawn_.delay) {
    delay = std::chrono::milliseconds(
        static_cast<int>(unit(random_) * static_cast<double>(drawn_.longest_delay.count())));
  }
  if (unit(random_) < drawn_.cut) fate = unit(random_) < 0.5 ? Fate::cut_before : Fate::cut_after;
  if (delay.count() > 0 || fate != Fate::pass) ++faults_;
  if (delay.count() > 0) ended_.wait_for(lock, delay, [this] { return ending_.load(); });
  return fate;
}

// False: the connection is over.
bool FaultyProxy::forward(int from, int to, bool from_client) {
  std::array<char, 65536> bytes;
  const ssize_t got = recv(from, bytes.data(), bytes.size(), 0);
  if (got <= 0) return false;
  const Fate fate = from_client && !calm_ ? draw_fate() : Fate::pass;
  if (fate != Fate::pass) reset_when_closed(from);
  if (fate == Fate::cut_before) return false;
  if (from_client) replace_words(bytes.data(), static_cast<std::size_t>(got), other_words_);
  return send_all(to, bytes.data(), static_cast<std::size_t>(got)) && fate == Fate::pass;
}

}  // namespace support
