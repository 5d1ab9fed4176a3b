#include "daemon/pace/transport.hpp"

#include <utility>

#include <fmt/format.h>

#include "config/service_list.hpp"
#include "connectors/service/retry_after.hpp"

namespace surveybridge::daemon {

namespace {

using service::Failure;
using service::Response;
using Kind = PaceAnswer::Kind;

// A bucket that is empty for a moment fills by itself; only a spent quota is worth a wait.
constexpr Duration kSpentLeast = std::chrono::seconds{3};
constexpr Duration kClocksDiffer = std::chrono::minutes{1}, kClocksAgree = std::chrono::seconds{5};
constexpr std::string_view kAdd = "/external/api/v3/customer/add";

PaceAnswer::Kind kind_of(const Response& response) {
  if (service::is_refused_for_rate(response)) return PaceAnswer::Kind::refused;
  const bool failed = response.status >= 500 || response.status == 408;
  return failed ? PaceAnswer::Kind::failed : PaceAnswer::Kind::accepted;
}

PaceAnswer answer_of(const Response& response, TimePoint now) {
  PaceAnswer answer;
  answer.kind = kind_of(response);
  const auto wait = service::wait_of(response, now);
  if (answer.kind != Kind::accepted) {
    if (wait) answer.wait = *wait;
  } else if (wait && *wait >= kSpentLeast && service::nothing_remains(response)) {
    answer.spent = *wait;
  }
  return answer;
}

// A path as it is configured may have a query of its own.
bool is_at(std::string_view target, std::string_view path) {
  if (!target.starts_with(path)) return false;
  target.remove_prefix(path.size());
  return target.empty() || target.front() == '?' || target.front() == '&';
}

std::string_view word_of(const Failure& failure) {
  if (failure.timed_out) return "timeout";
  switch (failure.kind) {
    case Failure::Kind::not_connected:
      return "connection";
    case Failure::Kind::too_large:
      return "too_large";
    case Failure::Kind::stopped:
      return "stopped";
    case Failure::Kind::unknown:
      break;
  }
  return "incomplete";
}

void compare_clocks(const ClockObserver& clock, const service::Exchange& exchange,
                    TimePoint before) {
  const auto* response = std::get_if<Response>(&exchange);
  if (response == nullptr) return;
  if (const auto date = service::read_http_date(response->header("date")))
    clock.heard(clock_difference(*date, before, clock.now()));
}

}  // namespace

std::optional<PaceAnswer> pace_answer(const service::Exchange& exchange, TimePoint now) {
  if (const auto* response = std::get_if<Response>(&exchange)) return answer_of(*response, now);
  const auto kind = std::get<Failure>(exchange).kind;
  if (kind == Failure::Kind::stopped) return std::nullopt;
  PaceAnswer answer;
  if (kind != Failure::Kind::too_large) answer.kind = PaceAnswer::Kind::failed;
  return answer;
}

// A wait that the service asks for counts from the moment of the answer.
service::Exchange ObservedTransport::send(const service::Request& request) {
  Pace& pace = observers_.pace;
  const ClockObserver* const clock = observers_.clock;
  const TimePoint sent_at = pace.steady();
  const TimePoint asked_at = clock == nullptr ? TimePoint{} : clock->now();
  auto exchange = inner_->send(request);
  record(request, exchange, pace.steady() - sent_at);
  if (!request.url.starts_with(observers_.service.base_url)) return exchange;
  if (auto answer = pace_answer(exchange, pace.wall())) {
    answer->sent_at = sent_at;
    answer->request_class = request.method == "GET" ? RequestClass::read : RequestClass::write;
    pace.answered(*answer);
  }
  if (clock != nullptr) compare_clocks(*clock, exchange, asked_at);
  return exchange;
}

void ObservedTransport::record(const service::Request& request, const service::Exchange& exchange,
                               Duration took) {
  const auto* response = std::get_if<Response>(&exchange);
  const auto operation = operation_of(request.url, observers_.service);
  const std::string code = code_of(exchange);
  observers_.recorder.request({operation, code, took, request.body.size(),
                               response == nullptr ? 0 : response->body.size()});
  if (response != nullptr && response->certificate_ends != 0 && operation != "token")
    observers_.recorder.certificate(response->certificate_ends);
}

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
  if (const auto* failure = std::get_if<Failure>(&exchange)) return std::string(word_of(*failure));
  const int status = std::get<Response>(exchange).status;
  return status < kLeast || status > kMost ? "other" : std::to_string(status);
}

Duration clock_difference(TimePoint clock, TimePoint before, TimePoint after) {
  if (clock > after) return clock - after;
  const TimePoint earliest = std::chrono::floor<std::chrono::seconds>(before);
  return clock < earliest ? clock - earliest : Duration{0};
}

void ServiceClock::heard(Duration ahead) {
  const Duration difference = std::chrono::abs(ahead);
  const std::lock_guard lock(mutex_);
  if (difference <= kClocksAgree && std::exchange(differs_, false))
    log_.info("the service's clock agrees with this machine's again", {});
  if (difference < kClocksDiffer || std::exchange(differs_, true)) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(difference).count();
  log_.warn(
      ahead > Duration{0}
          ? fmt::format("the service's clock is {} s ahead of this machine's: what happens there is"
                        " read so much later",
                        seconds)
          : fmt::format("the service's clock is {} s behind this machine's: what happens there is"
                        " read only if `overlap` is longer",
                        seconds),
      {});
}

}  // namespace surveybridge::daemon
