// TLS in front of a server of 127.0.0.1 that has none, for clients that show a certificate: all
// others are refused in the handshake. One thread for each connection; all end with the object.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <openssl/ssl.h>

namespace support {

class TlsFront {
 public:
  // `own`: of the front's PATH.pem and PATH.key. `accepted`: the certificates of clients, in PEM.
  // `behind`: "http://127.0.0.1:8080".
  TlsFront(const std::string& own, const std::string& accepted, const std::string& behind);
  ~TlsFront();
  TlsFront(const TlsFront&) = delete;
  TlsFront& operator=(const TlsFront&) = delete;

  std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }

 private:
  struct Connection {
    int socket;
    std::thread thread;
  };
  void accept_all();
  void serve(Connection& connection);
  void pass_on(SSL* tls, int client) const;

  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> tls_{nullptr, &SSL_CTX_free};
  int behind_ = 0, listener_ = -1, port_ = 0;
  std::mutex mutex_;
  std::list<Connection> connections_;
  bool ending_ = false;
  std::thread acceptor_;
};

}  // namespace support
