// A transport that tells the pace what became of every request to the service: its waits count from
// the moment the answer was there. Requests elsewhere (a token) are no business of the pace.
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

// What an exchange tells the pace; empty: nothing, since the service never saw it.
std::optional<PaceAnswer> pace_answer(const service::Exchange& exchange, TimePoint now);

}  // namespace surveybridge::daemon
