#include "sandbox/operations/tokens.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sandbox/lists/cursor.hpp"
#include "sandbox/values/http.hpp"

namespace sandbox {
namespace {

// The text after "Bearer " or "Basic " in the Authorization header; empty: another scheme.
std::string credentials(const Request& request, std::string_view scheme) {
  const std::string_view value = header(request.headers, "Authorization");
  if (value.size() <= scheme.size() || value[scheme.size()] != ' ') return "";
  if (!same_ignoring_case(value.substr(0, scheme.size()), scheme)) return "";
  return std::string(value.substr(scheme.size() + 1));
}

Reply answer(int status, std::string body) {
  Reply reply;
  reply.status = status;
  reply.headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}};
  if (status == 401) reply.headers.emplace_back("WWW-Authenticate", "Basic");
  reply.body = std::move(body);
  return reply;
}

std::string field(const std::vector<Parameter>& form, std::string_view name) {
  for (const Parameter& parameter : form) {
    if (parameter.name == name) return parameter.value;
  }
  return "";
}

bool is_basic(const Request& request, const std::string& user, const std::string& password) {
  return credentials(request, "Basic") == write_base64(user + ":" + password);
}

// RFC 6749, 2.3.1: a client form-encodes its id and secret before it joins them. Many clients do
// not; both are accepted.
bool is_client(const Request& request, const std::string& id, const std::string& secret) {
  if (is_basic(request, id, secret)) return true;
  const auto joined = read_base64(credentials(request, "Basic"));
  if (!joined) return false;
  const auto colon = std::min(joined->find(':'), joined->size());
  const auto form = read_form(joined->substr(0, colon) + "=" +
                              joined->substr(std::min(colon + 1, joined->size())));
  return form && form->size() == 1 && form->front().name == id && form->front().value == secret;
}

}  // namespace

bool Tokens::knows(const std::string& token, TimePoint now) const {
  if (token.empty()) return false;
  const auto granted = granted_.find(token);
  return token == options_.token || (granted != granted_.end() && now < granted->second);
}

bool Tokens::admits(const Request& request, TimePoint now) const {
  if (options_.token.empty()) return true;
  if (knows(credentials(request, "Bearer"), now)) return true;
  if (!options_.user.empty() && is_basic(request, options_.user, options_.password)) return true;
  if (options_.token_header.empty()) return false;
  return knows(std::string(header(request.headers, options_.token_header)), now);
}

Reply Tokens::grant(const Request& request, TimePoint now) {
  const auto form = read_form(request.body);
  if (request.method != "POST" || !form) return answer(400, R"({"error":"invalid_request"})");
  const bool by_form = field(*form, "client_id") == options_.client_id &&
                       field(*form, "client_secret") == options_.client_secret;
  if (!by_form && !is_client(request, options_.client_id, options_.client_secret)) {
    return answer(401, R"({"error":"invalid_client"})");
  }
  if (field(*form, "grant_type") != "client_credentials") {
    return answer(400, R"({"error":"unsupported_grant_type"})");
  }
  const auto part = fingerprint(fmt::format("{}.{}", options_.seed, ++counter_));
  const std::string token = fmt::format("granted-{}-{:016x}", counter_, part);
  granted_[token] = now + options_.token_lifetime;
  return answer(200, fmt::format(R"({{"access_token":"{}","token_type":"Bearer","expires_in":{}}})",
                                 token, options_.token_lifetime.count()));
}

}  // namespace sandbox
