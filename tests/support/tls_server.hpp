// A TLS server on 127.0.0.1 with a certificate of its own, by the program openssl. It answers each
// GET with a page.
#pragma once

#include <memory>
#include <string>

#include "tests/support/child_process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace support {

// Makes a key and a certificate that signs itself, PATH.key and PATH.pem. It ends in `days` (-1: it
// ended yesterday) and is that of `name`, for example "IP:127.0.0.1" or "DNS:surveys.example.com".
void make_certificate(const std::string& path, int days, const std::string& name = "IP:127.0.0.1");

class TlsServer {
 public:
  // With a certificate made so.
  explicit TlsServer(int days, const std::string& name = "IP:127.0.0.1");

  std::string url() const { return "https://" + address_; }
  // Trusted as an authority it makes the certificate trusted.
  std::string certificate() const { return folder_.path() + "/own.pem"; }

 private:
  TemporaryFolder folder_;
  std::string address_ = "127.0.0.1:" + std::to_string(free_port());
  std::unique_ptr<ChildProcess> server_;
};

}  // namespace support
