#include "daemon/pace/transport.hpp"

#include "connectors/service/retry_after.hpp"

namespace surveybridge::daemon {

namespace {

using service::Failure;
using service::Response;

// A bucket that is empty for a moment fills by itself; only a spent quota is worth a wait.
constexpr Duration kSpentLeast = std::chrono::seconds{3};

PaceAnswer::Kind kind_of(const Response& response) {
  if (service::is_refused_for_rate(response)) return PaceAnswer::Kind::refused;
  if (response.status == 503 && !response.header("retry-after").empty())
    return PaceAnswer::Kind::busy;
  return response.status >= 500 || response.status == 408 ? PaceAnswer::Kind::failed
                                                          : PaceAnswer::Kind::accepted;
}

PaceAnswer answer_of(const Response& response, TimePoint now) {
  PaceAnswer answer;
  answer.kind = kind_of(response);
  const auto wait = service::wait_of(response, now);
  if (answer.kind != PaceAnswer::Kind::accepted) {
    if (wait) answer.wait = *wait;
  } else if (wait && *wait >= kSpentLeast && service::nothing_remains(response)) {
    answer.spent = *wait;
  }
  return answer;
}

}  // namespace

std::optional<PaceAnswer> pace_answer(const service::Exchange& exchange, TimePoint now) {
  if (const auto* response = std::get_if<Response>(&exchange)) return answer_of(*response, now);
  PaceAnswer answer;
  switch (std::get<Failure>(exchange).kind) {
    case Failure::Kind::stopped:
      return std::nullopt;
    case Failure::Kind::too_large:
      return answer;
    case Failure::Kind::not_connected:
    case Failure::Kind::unknown:
      break;
  }
  answer.kind = PaceAnswer::Kind::failed;
  return answer;
}

service::Exchange PacedTransport::send(const service::Request& request) {
  if (!request.url.starts_with(base_url_)) return inner_->send(request);
  const auto sent = pace_.sent(request.method == "GET" ? RequestClass::read : RequestClass::write);
  auto exchange = inner_->send(request);
  if (const auto answer = pace_answer(exchange, pace_.wall())) pace_.answered(sent, *answer);
  return exchange;
}

}  // namespace surveybridge::daemon
