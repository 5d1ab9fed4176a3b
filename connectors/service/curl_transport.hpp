// The transport with libcurl, HTTP and SMTP: one easy handle, so one thread. TLS is verified,
// redirects are not followed, bodies are bounded. A request marked `once` gets a connection of its
// own: libcurl repeats a POST when a reused connection ends before the answer
// (docs/SERVICE.md 4.1).
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "connectors/service/client_certificate.hpp"
#include "connectors/service/transport.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::service {

struct CurlLimits {
  std::chrono::milliseconds timeout{60'000};  // of a whole exchange
  std::chrono::milliseconds connect_timeout{10'000};
  std::int64_t max_body = 64 * 1024 * 1024;  // bytes, after decompression
  std::string ca_file;                       // empty: the system's authorities
  // Behind the time that was waited for; empty: nothing.
  std::string timeout_setting = " ([service] timeout)";
  ClientCertificate client = {};  // shown to a server that asks for one
};

// Starts libcurl and OpenSSL, once in the process; a transport does it, too. The main thread does
// it before another one uses a database's driver: what OpenSSL notes for the thread that starts it
// stays.
void start_curl();

class CurlTransport final : public Transport {
 public:
  // `stop` (may be null) ends an exchange early when it becomes true: at once if nothing can be in
  // doubt (`once` false), otherwise after `grace`.
  CurlTransport(CurlLimits limits, const std::atomic<bool>* stop,
                std::chrono::milliseconds grace = std::chrono::seconds{6});
  ~CurlTransport() override;
  Exchange send(const Request& request) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The certificate of a TLS server, as the server shows it. Nothing is sent after the handshake.
struct Certificate {
  mapping::Instant ends;
  std::string fault;  // why the transport does not trust it, in libcurl's words; empty: it does
};

// "libcurl/7.88.1 OpenSSL/3.0.17 …": as they are loaded.
std::string transport_libraries();

// "https://surveys.example.com:8443": the part of a URL that a message may contain.
std::string origin_of(const std::string& url);

// Within `limits.connect_timeout`. Empty: the URL is not https, or nothing answered there with a
// certificate.
std::optional<Certificate> look_at_certificate(const std::string& url, const CurlLimits& limits);

}  // namespace surveybridge::service
