#include "daemon/pace/transport.hpp"

#include "connectors/service/retry_after.hpp"

namespace surveybridge::daemon {

namespace {

using service::Failure;
using service::Response;
using Kind = PaceAnswer::Kind;

// A bucket that is empty for a moment fills by itself; only a spent quota is worth a wait.
constexpr Duration kSpentLeast = std::chrono::seconds{3};

Kind kind_of(const Response& response) {
  if (service::is_refused_for_rate(response)) return Kind::refused;
  return response.status >= 500 || response.status == 408 ? Kind::failed : Kind::accepted;
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

}  // namespace

std::optional<PaceAnswer> pace_answer(const service::Exchange& exchange, TimePoint now) {
  if (const auto* response = std::get_if<Response>(&exchange)) return answer_of(*response, now);
  const auto kind = std::get<Failure>(exchange).kind;
  if (kind == Failure::Kind::stopped) return std::nullopt;
  PaceAnswer answer;
  if (kind != Failure::Kind::too_large) answer.kind = Kind::failed;
  return answer;
}

service::Exchange PacedTransport::send(const service::Request& request) {
  if (!request.url.starts_with(base_url_)) return inner_->send(request);
  const TimePoint sent_at = pace_.steady();
  auto exchange = inner_->send(request);
  if (auto answer = pace_answer(exchange, pace_.wall())) {
    answer->sent_at = sent_at;
    answer->request_class = request.method == "GET" ? RequestClass::read : RequestClass::write;
    pace_.answered(*answer);
  }
  return exchange;
}

}  // namespace surveybridge::daemon
