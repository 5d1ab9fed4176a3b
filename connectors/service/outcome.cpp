#include "connectors/service/outcome.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "config/text.hpp"
#include "connectors/service/transport.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::service {

namespace {

// Content types of documents, whole or up to the slash.
constexpr std::array<std::string_view, 12> kDocuments = {"text/html",
                                                         "application/xhtml+xml",
                                                         "text/css",
                                                         "text/javascript",
                                                         "application/javascript",
                                                         "application/pdf",
                                                         "image/",
                                                         "video/",
                                                         "audio/",
                                                         "font/",
                                                         "multipart/",
                                                         "application/zip"};

using config::lower_case;

const std::string_view* document_type(const std::string& content_type) {
  const auto* found = std::ranges::find_if(
      kDocuments, [&](std::string_view type) { return content_type.starts_with(type); });
  return found == kDocuments.end() ? nullptr : found;
}

// Elements of HTML with which a page, or a part of one, may begin.
constexpr std::array<std::string_view, 16> kHtml = {
    "html", "head", "body", "title", "meta",   "link",  "script", "style",
    "form", "div",  "p",    "h1",    "center", "table", "iframe", "noscript"};

// Whatever its content type, and behind an XML declaration and comments.
bool looks_like_html(std::string_view body) {
  body = mapping::behind_declarations(body);
  if (!body.starts_with('<')) return false;
  const std::string begin = lower_case(body.substr(1, 16));
  return begin.starts_with("!doctype html") ||
         std::ranges::find(kHtml, begin.substr(0, begin.find_first_of("> \t\r\n/"))) != kHtml.end();
}

// A firewall's page that asks for a browser may have any status, and no body.
std::string_view challenge_in(const Response& response) {
  for (const char* name : {"x-amzn-waf-action", "cf-mitigated"})
    if (!response.header(name).empty()) return name;
  return "";
}

// "s.example.com" of "https://user@S.example.com:443/path"; empty: a relative reference.
std::string host_of(std::string_view url) {
  const auto scheme = url.find("//");
  if (scheme == std::string_view::npos || url.substr(0, scheme).find('/') != std::string_view::npos)
    return "";
  url.remove_prefix(scheme + 2);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  if (url.starts_with('[')) return lower_case(url.substr(0, url.find(']') + 1));
  return lower_case(url.substr(0, url.find(':')));
}

// A host in brackets, where it has the characters of one.
std::string shown(const std::string& host) {
  const bool is_name = host.size() <= 253 && std::ranges::all_of(host, [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
                                c == '-' || c == ':' || c == '[' || c == ']';
                       });
  return is_name ? " (" + host + ")" : "";
}

// Why a 2xx answer to an add is not plausibly the service's own: "HTTP 200 with text/html is not an
// answer of this service"; empty: it is. A sign-in page, a proxy's page or a file says nothing
// about whether the add was processed. `base_url`: the service's, for `Location`; empty: not
// compared. An empty body is plausible with any content type. Nothing of the body and headers is
// repeated, but the host that `Location` names.
std::string why_foreign(const Response& response, std::string_view base_url) {
  const std::string status = "HTTP " + std::to_string(response.status);
  const std::string elsewhere = host_of(response.header("location"));
  if (!base_url.empty() && !elsewhere.empty() && elsewhere != host_of(base_url))
    return status + " that points to another host" + shown(elsewhere) +
           " is not an answer of this service";
  if (const auto challenge = challenge_in(response); !challenge.empty())
    return status + " with " + std::string(challenge) + " is not an answer of this service";
  if (response.body.empty()) return "";
  const auto* document = document_type(lower_case(response.header("content-type")));
  const bool html = looks_like_html(response.body);
  if (document == nullptr && !html) return "";
  const std::string type(document == nullptr ? "HTML" : *document);
  return status + " with " + type + " is not an answer of this service";
}

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
