// The certificate of a TLS server, as the server shows it. Nothing is sent after the handshake.
#pragma once

#include <optional>
#include <string>

#include "connectors/service/curl_transport.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::service {

struct Certificate {
  mapping::Instant ends;
  std::string fault;  // why the transport does not trust it, in libcurl's words; empty: it does
};

// The end of the server's certificate after a transfer with CURLOPT_CERTINFO; `curl`: its CURL*.
// Empty: libcurl does not tell it (http, or a connection that was open already).
std::optional<mapping::Instant> certificate_end(void* curl);

// "https://surveys.example.com:8443": the part of a URL that a message may contain.
std::string origin_of(const std::string& url);

// Within `limits.connect_timeout`. Empty: the URL is not https, or nothing answered there with a
// certificate.
std::optional<Certificate> look_at_certificate(const std::string& url, const CurlLimits& limits);

}  // namespace surveybridge::service
