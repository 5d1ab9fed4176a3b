#include "connectors/service/outcome.hpp"

#include "connectors/service/foreign_answer.hpp"
#include "mapping/codec/named_refusal.hpp"

namespace surveybridge::service {

namespace {

using Kind = Trouble::Kind;

std::string status_words(int status) {
  if (status == 401)
    return "HTTP 401: the service does not accept the secret of [service.auth]; it is wrong, or "
           "has "
           "expired";
  return "HTTP " + std::to_string(status);
}

Trouble trouble_of(const Failure& failure) {
  const Kind kind = failure.kind == Failure::Kind::stopped     ? Kind::stopped
                    : failure.kind == Failure::Kind::too_large ? Kind::malformed
                                                               : Kind::unavailable;
  return {kind, failure.status, std::nullopt, failure.detail};
}

Kind kind_of(const Response& response) {
  if (is_refused_for_rate(response)) return Kind::too_many;
  const int status = response.status;
  switch (status) {
    case 503:
      return response.header("retry-after").empty() ? Kind::unavailable : Kind::too_many;
    case 401:
      return Kind::unauthorized;
    case 403:
      return Kind::forbidden;
    case 400:
    case 422:
      return Kind::rejected;
    case 408:
    case 425:
      return Kind::unavailable;
    default:
      return status >= 500 ? Kind::unavailable : Kind::misplaced;
  }
}

Trouble trouble_of(const Response& response, mapping::Instant now) {
  const Kind kind = kind_of(response);
  std::optional<Wait> wait;
  if (kind == Kind::too_many || kind == Kind::unavailable) wait = wait_of(response, now);
  return {kind, response.status, wait, status_words(response.status)};
}

AddOutcome classify_answered_add(const Response& response, mapping::Instant now,
                                 std::string_view base_url) {
  if (response.status >= 200 && response.status < 300) {
    auto foreign = why_foreign(response, base_url);
    if (!foreign.empty())
      return Unknown{{Kind::malformed, response.status, std::nullopt, std::move(foreign)}};
    const auto named = mapping::named_refusal(response.body, response.header("content-type"));
    if (!named.words.empty())
      return Unknown{
          {Kind::rejected, response.status, std::nullopt,
           status_words(response.status) + " that names a refusal (" + named.words + ")"}};
    if (named.is_read) return Accepted{response.status};
    return Unknown{{Kind::malformed, response.status, std::nullopt,
                    status_words(response.status) + " with JSON or XML that cannot be read"}};
  }
  if (response.status == 413) return TooLarge{};
  Trouble trouble = trouble_of(response, now);
  switch (response.status) {
    case 400:
    case 422:
      return Refused{response.status,
                     mapping::read_error(response.body, response.header("content-type"))};
    case 401:
    case 403:
    case 429:
      return NotSent{std::move(trouble)};
    default:
      return Unknown{std::move(trouble)};
  }
}

}  // namespace

AddOutcome classify_add(const Exchange& exchange, mapping::Instant now, std::string_view base_url) {
  if (const auto* response = std::get_if<Response>(&exchange)) {
    return classify_answered_add(*response, now, base_url);
  }
  const auto& failure = std::get<Failure>(exchange);
  switch (failure.kind) {
    case Failure::Kind::not_connected:
    case Failure::Kind::stopped:
      return NotSent{trouble_of(failure)};
    case Failure::Kind::too_large:
      // The status line came whole. A refusal is one whatever its length; a 2xx of that length is
      // not this service's answer to an add.
      if (failure.status >= 300) return classify_answered_add({failure.status, {}, {}}, now, {});
      break;
    case Failure::Kind::unknown:
      break;
  }
  return Unknown{trouble_of(failure)};
}

std::variant<Response, Trouble> classify_read(Exchange exchange, mapping::Instant now) {
  if (const auto* failure = std::get_if<Failure>(&exchange)) return trouble_of(*failure);
  auto& response = std::get<Response>(exchange);
  if (response.status >= 200 && response.status < 300) return std::move(response);
  return trouble_of(response, now);
}

const char* to_string(Trouble::Kind kind) {
  switch (kind) {
    case Kind::too_many:
      return "too many requests";
    case Kind::unauthorized:
      return "not authorized";
    case Kind::forbidden:
      return "forbidden";
    case Kind::rejected:
      return "rejected";
    case Kind::misplaced:
      return "not the service expected";
    case Kind::unavailable:
      return "unavailable";
    case Kind::malformed:
      return "unreadable answer";
    case Kind::stopped:
      return "stopped";
  }
  return "";
}

}  // namespace surveybridge::service
