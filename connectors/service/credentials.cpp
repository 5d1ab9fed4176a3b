#include "connectors/service/credentials.hpp"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "connectors/service/query.hpp"
#include "mapping/values/address_traces.hpp"
#include "mapping/values/base64.hpp"

namespace surveybridge::service {

namespace {

using config::Auth;
constexpr std::chrono::seconds kRefreshBefore{60};
constexpr std::chrono::seconds kLifetimeUnknown{300};
constexpr std::chrono::seconds kLifetimeMax{24 * 3600};
constexpr std::size_t kTokenBytesMax = 64 * 1024;
constexpr std::size_t kHiddenMin = 8;

const config::Secret* secret_of(const Auth& auth) {
  switch (auth.kind) {
    case Auth::Kind::oauth2:
      return &auth.client_secret;
    case Auth::Kind::bearer:
    case Auth::Kind::header:
      return &auth.token;
    case Auth::Kind::basic:
      return &auth.password;
    case Auth::Kind::none:
      break;
  }
  return nullptr;
}

// A header's value must not be able to begin another header.
bool fits_header(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c != 0x7f; });
}

std::optional<Header> fixed_header(const Auth& auth, const std::string& secret) {
  switch (auth.kind) {
    case Auth::Kind::bearer:
      return Header{"Authorization", "Bearer " + secret};
    case Auth::Kind::header:
      return Header{auth.header, secret};
    case Auth::Kind::basic:
      return Header{"Authorization", "Basic " + mapping::write_base64(auth.user + ":" + secret)};
    case Auth::Kind::oauth2:
    case Auth::Kind::none:
      break;
  }
  return std::nullopt;
}

Request token_request(const Auth& auth, const std::string& secret) {
  std::string form = "grant_type=client_credentials";
  if (!auth.scope.empty()) form += "&scope=" + percent_encode(auth.scope);
  Request request{"POST", auth.token_url, {}, {}, false, {}};
  if (auth.secret_in == Auth::SecretIn::form) {
    form +=
        "&client_id=" + percent_encode(auth.client_id) + "&client_secret=" + percent_encode(secret);
  } else {
    // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
    const std::string pair = percent_encode(auth.client_id) + ":" + percent_encode(secret);
    request.headers.emplace_back("Authorization", "Basic " + mapping::write_base64(pair));
  }
  request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  request.headers.emplace_back("Accept", "application/json");
  request.body = std::move(form);
  return request;
}

struct Token {
  std::string text;
  std::chrono::seconds lifetime = kLifetimeUnknown;
};

std::chrono::seconds lifetime_of(const nlohmann::json& body) {
  const auto at = body.find("expires_in");
  if (at == body.end()) return kLifetimeUnknown;
  std::optional<Wait> wait;
  if (at->is_number())
    wait = Wait{static_cast<std::int64_t>(std::clamp(at->get<double>(), 0.0, 1e9)) * 1000};
  if (at->is_string()) wait = read_retry_after(at->get<std::string>(), {});
  if (!wait) return kLifetimeUnknown;
  return std::min(std::chrono::floor<std::chrono::seconds>(*wait), kLifetimeMax);
}

std::optional<Token> read_token(const std::string& text) {
  if (text.size() > kTokenBytesMax) return std::nullopt;
  const auto body = nlohmann::json::parse(text, nullptr, false);
  if (!body.is_object()) return std::nullopt;
  const auto token = body.find("access_token");
  if (token == body.end() || !token->is_string()) return std::nullopt;
  Token out{token->get<std::string>(), lifetime_of(body)};
  if (!fits_header(out.text)) return std::nullopt;
  return out;
}

// 400 and 401 of a token endpoint both mean that the client is unknown (RFC 6749, 5.2).
bool is_refusal(const Trouble& trouble) {
  return trouble.kind == Trouble::Kind::rejected || trouble.kind == Trouble::Kind::unauthorized;
}

// The error code in an answer's body (RFC 6749, 5.2), as " (invalid_client)"; empty: it has none of
// these. Other words of the answer may repeat the secret.
std::string error_code_in(std::string_view body) {
  static constexpr std::string_view kCodes[] = {"invalid_request",     "invalid_client",
                                                "invalid_grant",       "invalid_scope",
                                                "unauthorized_client", "unsupported_grant_type"};
  const auto* found = std::ranges::find_if(
      kCodes, [&](std::string_view code) { return body.find(code) != body.npos; });
  return found == std::end(kCodes) ? "" : " (" + std::string(*found) + ")";
}

// No token, no request: it is unauthorized where somebody must act, and without a status, because
// the service has not answered what was to be asked.
Trouble in_token_endpoint(Trouble trouble, const std::string& url, const std::string& code = "") {
  if (is_refusal(trouble)) {
    trouble.detail =
        "HTTP " + std::to_string(trouble.status) + code +
        ": it does not know client_id with this client_secret (and scope), or token_url is wrong";
  }
  switch (trouble.kind) {
    case Trouble::Kind::too_many:
    case Trouble::Kind::unavailable:
    case Trouble::Kind::stopped:
      break;
    case Trouble::Kind::unauthorized:
    case Trouble::Kind::forbidden:
    case Trouble::Kind::rejected:
    case Trouble::Kind::misplaced:
    case Trouble::Kind::malformed:
      trouble.kind = Trouble::Kind::unauthorized;
      break;
  }
  trouble.status = 0;
  // Its query may hold a secret.
  trouble.detail = "token endpoint " + url.substr(0, url.find('?')) + ": " + trouble.detail;
  return trouble;
}

}  // namespace

std::variant<std::unique_ptr<Credentials>, std::string> Credentials::make(
    const config::Auth& auth) {
  std::unique_ptr<Credentials> made(new Credentials(auth));
  const config::Secret* secret = secret_of(auth);
  if (secret == nullptr) return made;
  auto text = config::read(*secret);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&text)) return unreadable->why;
  made->secret_ = std::get<std::string>(std::move(text));
  if (!fits_header(made->secret_)) {
    return std::string("the secret is empty or holds a control character");
  }
  made->current_ = fixed_header(auth, made->secret_);
  return made;
}

std::variant<std::optional<Header>, Trouble> Credentials::header(Transport& transport,
                                                                 mapping::Instant now) {
  const std::lock_guard lock(mutex_);
  if (auth_.kind != Auth::Kind::oauth2) return current_;
  if (current_ && now < ends_) return current_;
  return fetch(transport, now);
}

std::variant<std::optional<Header>, Trouble> Credentials::fetch(Transport& transport,
                                                                mapping::Instant now) {
  std::string code;
  const auto ask = [&] {
    auto exchange = transport.send(token_request(auth_, secret_));
    const auto* response = std::get_if<Response>(&exchange);
    code = response == nullptr ? "" : error_code_in(response->body);
    return classify_read(std::move(exchange), now);
  };
  auto answer = ask();
  if (std::holds_alternative<Trouble>(answer) && is_refusal(std::get<Trouble>(answer)) &&
      read_again())
    answer = ask();
  if (auto* trouble = std::get_if<Trouble>(&answer))
    return in_token_endpoint(*trouble, auth_.token_url, code);
  const auto token = read_token(std::get<Response>(answer).body);
  if (!token) {
    return in_token_endpoint(
        {Trouble::Kind::malformed, 200, std::nullopt, "the answer has no access_token"},
        auth_.token_url);
  }
  current_ = Header{"Authorization", "Bearer " + token->text};
  const auto margin = std::min(kRefreshBefore, token->lifetime / 2);
  ends_ = now + token->lifetime - margin;
  return current_;
}

bool Credentials::refused(const std::optional<Header>& used) {
  const std::lock_guard lock(mutex_);
  read_again();
  if (auth_.kind != Auth::Kind::oauth2) return current_ != used;
  if (current_ == used) current_.reset();
  return true;
}

void Credentials::hide(const std::optional<Header>& used, Response& answer) {
  std::vector<std::string> secrets;
  {
    const std::lock_guard lock(mutex_);
    secrets.push_back(secret_);
  }
  // "Bearer …"
  if (used) secrets.push_back(used->second.substr(used->second.find(' ') + 1));
  for (const auto& secret : secrets) {
    if (secret.size() < kHiddenMin) continue;
    answer.body = mapping::without_word(answer.body, secret, "***");
    for (auto& [name, value] : answer.headers)
      value = mapping::without_word(value, secret, "***");
  }
}

bool Credentials::read_again() {
  const config::Secret* secret = secret_of(auth_);
  if (secret == nullptr) return false;
  const auto text = config::read(*secret);
  const auto* found = std::get_if<std::string>(&text);
  if (found == nullptr || *found == secret_ || !fits_header(*found)) return false;
  secret_ = *found;
  if (auth_.kind != Auth::Kind::oauth2) current_ = fixed_header(auth_, secret_);
  return true;
}

}  // namespace surveybridge::service
