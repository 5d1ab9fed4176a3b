#include "tests/support/tls_server.hpp"

#include <stdexcept>

namespace support {

void make_certificate(const std::string& path, int days, const std::string& name) {
  const std::string key = path + ".key", asked = path + ".csr";
  run({{"openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-subj", "/CN=" + path.substr(path.rfind('/') + 1), "-addext",
        "subjectAltName=" + name, "-keyout", key, "-out", asked},
       {}});
  run({{"openssl", "x509", "-req", "-in", asked, "-signkey", key, "-days", std::to_string(days),
        "-copy_extensions", "copyall", "-out", path + ".pem"},
       {}});
}

TlsServer::TlsServer(int days, const std::string& name) {
  make_certificate(folder_.path() + "/own", days, name);
  server_ = std::make_unique<ChildProcess>(
      Program{{"openssl", "s_server", "-www", "-accept", address_, "-key",
               folder_.path() + "/own.key", "-cert", certificate()},
              {}});
  if (!server_->wait_for("ACCEPT", std::chrono::seconds(20)))
    throw std::runtime_error(server_->err());
}

}  // namespace support
