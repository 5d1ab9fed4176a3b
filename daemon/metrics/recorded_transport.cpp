#include "daemon/metrics/recorded_transport.hpp"

#include "daemon/metrics/operation.hpp"

namespace surveybridge::daemon {

namespace {

class RecordedTransport final : public service::Transport {
 public:
  RecordedTransport(std::unique_ptr<service::Transport> inner, const config::Service& service,
                    Recorder& recorder, std::function<Duration()> uptime)
      : inner_(std::move(inner)),
        service_(service),
        recorder_(recorder),
        uptime_(std::move(uptime)) {}

  service::Exchange send(const service::Request& request) override {
    const Duration begun = uptime_();
    service::Exchange exchange = inner_->send(request);
    const auto* response = std::get_if<service::Response>(&exchange);
    const std::string code = code_of(exchange);
    const auto operation = operation_of(request.url, service_);
    recorder_.request({operation, code, uptime_() - begun, request.body.size(),
                       response == nullptr ? 0 : response->body.size()});
    if (response != nullptr && response->certificate_ends != 0 && operation != "token")
      recorder_.certificate(response->certificate_ends);
    return exchange;
  }

 private:
  std::unique_ptr<service::Transport> inner_;
  const config::Service& service_;
  Recorder& recorder_;
  std::function<Duration()> uptime_;
};

}  // namespace

OpenTransport recorded(OpenTransport open, const config::Service& service, Recorder& recorder,
                       std::function<Duration()> uptime) {
  return [open = std::move(open), &service, &recorder, uptime = std::move(uptime)] {
    return std::make_unique<RecordedTransport>(open(), service, recorder, uptime);
  };
}

}  // namespace surveybridge::daemon
