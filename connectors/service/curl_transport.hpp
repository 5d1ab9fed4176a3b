// The transport with libcurl: one easy handle, so one thread. TLS is verified, redirects are not
// followed, bodies are bounded. A request marked `once` gets a connection of its own: libcurl
// repeats a POST when a reused connection ends before the answer (docs/SERVICE.md 4.1).
#pragma once

#include <atomic>
#include <chrono>
#include <memory>

#include "connectors/service/transport.hpp"

namespace surveybridge::service {

struct CurlLimits {
  std::chrono::milliseconds timeout{60'000};  // of a whole exchange
  std::chrono::milliseconds connect_timeout{10'000};
  std::int64_t max_body = 64 * 1024 * 1024;  // bytes, after decompression
  std::string ca_file;                       // empty: the system's authorities
};

// To be called before libcurl is used elsewhere in this room.
void start_library_once();

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

}  // namespace surveybridge::service
