#include "tests/support/tls_front.hpp"

#include <array>
#include <csignal>
#include <stdexcept>

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/loopback.hpp"

namespace support {
namespace {

using Buffer = std::array<char, 65536>;

// A write to a client that has gone is an error and no signal, in this thread and those it makes.
void hear_no_sigpipe() {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

int connected(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(port);
  if (connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
    return socket;
  close(socket);
  return -1;
}

// Else the close would be a reset, which may overtake the alert.
void read_to_the_end(int socket) {
  shutdown(socket, SHUT_WR);
  Buffer bytes;
  while (recv(socket, bytes.data(), bytes.size(), 0) > 0) {
  }
}

// False: the client has ended.
bool from_client(SSL* tls, int server) {
  Buffer bytes;
  const int got = SSL_read(tls, bytes.data(), static_cast<int>(bytes.size()));
  if (got > 0) return send_all(server, bytes.data(), static_cast<std::size_t>(got));
  return SSL_get_error(tls, got) == SSL_ERROR_WANT_READ;  // a message of TLS itself
}

// False: the server has ended.
bool from_server(int server, SSL* tls) {
  Buffer bytes;
  const ssize_t got = recv(server, bytes.data(), bytes.size(), 0);
  return got > 0 && SSL_write(tls, bytes.data(), static_cast<int>(got)) > 0;
}

}  // namespace

TlsFront::TlsFront(const std::string& own, const std::string& accepted, const std::string& behind)
    : behind_(std::stoi(behind.substr(behind.rfind(':') + 1))) {
  tls_.reset(SSL_CTX_new(TLS_server_method()));
  SSL_CTX* tls = tls_.get();
  SSL_CTX_set_verify(tls, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_options(tls, SSL_OP_NO_TICKET);
  SSL_CTX_clear_mode(tls, SSL_MODE_AUTO_RETRY);
  if (SSL_CTX_use_certificate_chain_file(tls, (own + ".pem").c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(tls, (own + ".key").c_str(), SSL_FILETYPE_PEM) != 1 ||
      SSL_CTX_load_verify_locations(tls, accepted.c_str(), nullptr) != 1)
    throw std::runtime_error("TLS cannot use " + own + " and " + accepted);
  const Listener made = listen_on_loopback();
  listener_ = made.socket;
  port_ = made.port;
  acceptor_ = std::thread([this] { accept_all(); });
}

TlsFront::~TlsFront() {
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

void TlsFront::accept_all() {
  hear_no_sigpipe();
  for (;;) {
    const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) return;
    const std::lock_guard lock(mutex_);
    if (ending_) {
      close(socket);
      return;
    }
    Connection& connection = connections_.emplace_back(Connection{socket, {}});
    connection.thread = std::thread([this, &connection] { serve(connection); });
  }
}

void TlsFront::serve(Connection& connection) {
  const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(tls_.get()), &SSL_free);
  SSL_set_fd(tls.get(), connection.socket);
  if (SSL_accept(tls.get()) == 1)
    pass_on(tls.get(), connection.socket);
  else
    read_to_the_end(connection.socket);
  const std::lock_guard lock(mutex_);
  close(connection.socket);
  connection.socket = -1;
}

void TlsFront::pass_on(SSL* tls, int client) const {
  const int server = connected(behind_);
  for (bool both = server >= 0; both;) {
    std::array<pollfd, 2> ends{{{client, POLLIN, 0}, {server, POLLIN, 0}}};
    if (SSL_pending(tls) == 0 && poll(ends.data(), ends.size(), -1) < 0) break;
    if (SSL_pending(tls) > 0 || ends[0].revents != 0) both = from_client(tls, server);
    if (both && ends[1].revents != 0) both = from_server(server, tls);
  }
  SSL_shutdown(tls);
  if (server >= 0) close(server);
}

}  // namespace support
