// Our certificate and its private key, for a service that asks for one in the TLS handshake.
#pragma once

#include <string>
#include <variant>

#include "config/settings.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::service {

struct ClientCertificate {
  std::string chain, key;  // PEM; empty: there is none
  std::string place = {};  // of the certificate, for messages: file "/path"
  mapping::Instant ends = {};

  bool given() const { return !key.empty(); }
};

// Reads [service] client_certificate and client_key. A sentence says what cannot be used: a file
// that is not there or that others may read, what is no PEM, a key with a password or of another
// certificate. One that has ended is read.
std::variant<ClientCertificate, std::string> read_client_certificate(
    const config::Service& settings);

}  // namespace surveybridge::service
