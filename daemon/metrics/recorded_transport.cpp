#include "daemon/metrics/recorded_transport.hpp"

#include "config/service_list.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::string_view kAdd = "/external/api/v3/customer/add";

// A path as it is configured may have a query of its own.
bool is_at(std::string_view target, std::string_view path) {
  if (!target.starts_with(path)) return false;
  target.remove_prefix(path.size());
  return target.empty() || target.front() == '?' || target.front() == '&';
}

std::string_view word_of(const service::Failure& failure) {
  if (failure.timed_out) return "timeout";
  switch (failure.kind) {
    case service::Failure::Kind::not_connected:
      return "connection";
    case service::Failure::Kind::too_large:
      return "too_large";
    case service::Failure::Kind::stopped:
      return "stopped";
    case service::Failure::Kind::unknown:
      break;
  }
  return "incomplete";
}

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

std::string_view operation_of(std::string_view url, const config::Service& service) {
  if (!service.auth.token_url.empty() && is_at(url, service.auth.token_url)) return "token";
  if (!url.starts_with(service.base_url)) return "other";
  url.remove_prefix(service.base_url.size());
  if (is_at(url, kAdd)) return "add";
  for (const auto& list : config::service_lists())
    if (is_at(url, list.path)) return list.name;
  if (is_at(url, service.dialect.columns_path)) return "columns";
  return is_at(url, service.dialect.statuses_path) ? "statuses" : "other";
}

std::string code_of(const service::Exchange& exchange) {
  constexpr int kLeast = 100, kMost = 599;
  if (const auto* failure = std::get_if<service::Failure>(&exchange))
    return std::string(word_of(*failure));
  const int status = std::get<service::Response>(exchange).status;
  return status < kLeast || status > kMost ? "other" : std::to_string(status);
}

OpenTransport recorded(OpenTransport open, const config::Service& service, Recorder& recorder,
                       std::function<Duration()> uptime) {
  return [open = std::move(open), &service, &recorder, uptime = std::move(uptime)] {
    return std::make_unique<RecordedTransport>(open(), service, recorder, uptime);
  };
}

}  // namespace surveybridge::daemon
