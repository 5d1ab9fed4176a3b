#include "daemon/runtime/control_socket.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "mapping/values/name_uuid.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kLineMax = 255;
constexpr std::size_t kAnswerMax = 1'000'000;
constexpr timeval kClientTime{2, 0};
constexpr timeval kAnswerTime{10, 0};

struct Address {
  sockaddr_un name{};
  socklen_t size = 0;
};

// In the abstract namespace of Linux: the name ends with its last process.
Address address_of(const std::string& config_file) {
  std::error_code unknown;
  const auto path = std::filesystem::weakly_canonical(config_file, unknown).string();
  const std::string name = fmt::format("surveybridge/{}/{}", ::geteuid(), mapping::name_uuid(path));
  Address address;
  address.name.sun_family = AF_UNIX;
  std::memcpy(address.name.sun_path + 1, name.data(), name.size());
  address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

class Socket {
 public:
  explicit Socket(int number) : number_(number) {}
  ~Socket() {
    if (number_ >= 0) ::close(number_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

int new_socket() {
  return ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}

const sockaddr* plain(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address.name);
}

void limit_time(int socket, const timeval& time) {
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

// Anybody may take a name in the abstract namespace, and connect to one: the kernel says who it is.
bool is_ours(int peer) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return false;
  return who.uid == 0 || who.uid == ::geteuid();
}

// One line, which is all that the other side sends; empty: it did not come, or is longer.
std::optional<std::string> read_line(int socket, std::size_t longest) {
  std::string line;
  for (std::array<char, 4096> buffer; line.size() <= longest;) {
    const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (got <= 0) return std::nullopt;
    line.append(buffer.data(), static_cast<std::size_t>(got));
    if (line.back() == '\n') return line.substr(0, line.size() - 1);
  }
  return std::nullopt;
}

bool send_line(int socket, std::string line, std::size_t longest) {
  line = line.substr(0, longest) + "\n";
  for (std::size_t sent = 0; sent < line.size();) {
    const ssize_t now = ::send(socket, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (now <= 0) return false;
    sent += static_cast<std::size_t>(now);
  }
  return true;
}

}  // namespace

ControlSocket::ControlSocket(const std::string& config_file, Handler handler)
    : handler_(std::move(handler)), listener_(new_socket()) {
  const Address address = address_of(config_file);
  if (::bind(listener_, plain(address), address.size) != 0 || ::listen(listener_, 4) != 0) {
    const int why = errno;
    ::close(listener_);
    throw std::runtime_error(std::generic_category().message(why));
  }
  thread_ = std::thread([this] { serve(); });
}

// shutdown() ends the wait for a client.
ControlSocket::~ControlSocket() {
  ::shutdown(listener_, SHUT_RDWR);
  thread_.join();
  ::close(listener_);
}

void ControlSocket::serve() {
  for (;;) {
    const Socket client(::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
    if (client.number() >= 0) {
      answer(client.number());
    } else if (errno == EINVAL || errno == EBADF) {
      return;
    }
  }
}

void ControlSocket::answer(int client) {
  limit_time(client, kClientTime);
  if (!is_ours(client)) return;
  if (const auto line = read_line(client, kLineMax)) send_line(client, handler_(*line), kAnswerMax);
}

std::optional<std::string> ask_daemon(const std::string& config_file, const std::string& line) {
  const Address address = address_of(config_file);
  const Socket socket(new_socket());
  limit_time(socket.number(), kAnswerTime);
  if (::connect(socket.number(), plain(address), address.size) != 0) return std::nullopt;
  if (!is_ours(socket.number())) return std::nullopt;
  if (!send_line(socket.number(), line, kLineMax)) return std::nullopt;
  return read_line(socket.number(), kAnswerMax);
}

}  // namespace surveybridge::daemon
