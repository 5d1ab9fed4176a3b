// A transport that reports every request's result to the pace: its waits count from the moment of
// the answer. Requests to other servers (a token) are not reported.
#pragma once

#include <memory>
#include <string>

#include "connectors/service/transport.hpp"
#include "daemon/pace/pace.hpp"

namespace surveybridge::daemon {

class PacedTransport final : public service::Transport {
 public:
  PacedTransport(std::unique_ptr<service::Transport> inner, std::string base_url, Pace& pace)
      : inner_(std::move(inner)), base_url_(std::move(base_url)), pace_(pace) {}

  service::Exchange send(const service::Request& request) override;

 private:
  std::unique_ptr<service::Transport> inner_;
  std::string base_url_;
  Pace& pace_;
};

// What an exchange means for the pace; empty: nothing, because the service did not receive it.
std::optional<PaceAnswer> pace_answer(const service::Exchange& exchange, TimePoint now);

}  // namespace surveybridge::daemon
