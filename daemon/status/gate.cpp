#include "daemon/status/gate.hpp"

#include <algorithm>
#include <array>

#include <arpa/inet.h>
#include <openssl/crypto.h>

#include "config/text.hpp"
#include "daemon/job/log.hpp"
#include "mapping/values/base64.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kTokenLeast = 16, kTokenMost = 1024;
constexpr std::size_t kShownOfHost = 80;

// How long it takes depends on their lengths only, so that nobody learns the secret letter by
// letter.
bool same_secret(std::string_view secret, std::string_view offered) {
  return secret.size() == offered.size() &&
         CRYPTO_memcmp(secret.data(), offered.data(), secret.size()) == 0;
}

// The value of a header that is there once; empty: it is missing or repeated.
std::string only(const http::Headers& headers, std::string_view name) {
  const auto is_it = [&](const auto& field) { return http::same_ignoring_case(field.first, name); };
  if (std::ranges::count_if(headers, is_it) != 1) return "";
  return std::string(http::header(headers, name));
}

bool is_port(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// The name or address of "host", "host:port" or "[address]:port", in lower case. Empty: it is none
// of these.
std::string host_in(std::string_view header) {
  std::string_view host = header, rest;
  if (header.starts_with('[')) {
    const auto end = header.find(']');
    if (end == std::string_view::npos) return "";
    host = header.substr(1, end - 1);
    rest = header.substr(end + 1);
  } else if (const auto colon = header.find(':'); colon != std::string_view::npos) {
    host = header.substr(0, colon);
    rest = header.substr(colon);
  }
  if (!rest.empty() && (!rest.starts_with(':') || !is_port(rest.substr(1)))) return "";
  if (host.ends_with('.')) host.remove_suffix(1);  // "localhost." is the same name
  return config::lower_case(host);
}

bool is_ip_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

// What stands behind "Bearer " or "Basic ", whose case does not count; empty: another scheme.
std::string_view behind(std::string_view scheme, std::string_view header) {
  const std::string_view word = header.substr(0, scheme.size());
  if (!config::same_ignoring_case(word, scheme)) return {};
  header.remove_prefix(scheme.size());
  header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
  return header;
}

bool fits(const std::string& token) {
  return token.size() >= kTokenLeast && token.size() <= kTokenMost &&
         std::ranges::all_of(token, [](char c) { return c > 0x20 && c < 0x7f; });
}

// What monitors ask for: names of jobs and why they wait, no key.
bool is_open(std::string_view target) {
  const auto path = target.substr(0, target.find('?'));
  return path == "/health" || path == "/ready";
}

}  // namespace

Gate::Gate(std::vector<std::string> hosts, const std::string& own_name, std::string token)
    : names_(std::move(hosts)), token_(std::move(token)) {
  const std::string own = config::lower_case(own_name);
  names_.insert(names_.end(), {"localhost", own, own.substr(0, own.find('.'))});
}

std::variant<Gate, std::string> Gate::make(const config::StatusPage& page,
                                           const std::string& own_name) {
  if (!page.token.set()) return Gate(page.hosts, own_name);
  auto text = config::read(page.token);
  if (const auto* unreadable = std::get_if<config::Unreadable>(&text)) return unreadable->why;
  if (!fits(std::get<std::string>(text)))
    return "the token must have 16 to 1024 characters of ASCII, and no blank";
  return Gate(page.hosts, own_name, std::get<std::string>(std::move(text)));
}

std::optional<http::Reply> Gate::refusal(const http::Request& request) const {
  const std::string host = host_in(only(request.headers, "Host"));
  if (host.empty())
    return http::text_reply(400, "one header Host is required, with a host's name or address");
  if (!knows(host)) {
    const std::string shown(config::first_bytes(host, kShownOfHost));
    return http::text_reply(421, "refused for the name \"" + one_line(shown) +
                                     "\": use an IP address of this machine, or add the name to "
                                     "[status] hosts");
  }
  if (request.method != "GET" && request.method != "HEAD") return http::text_reply(405, "GET only");
  if (is_open(request.target) || admits(only(request.headers, "Authorization")))
    return std::nullopt;
  auto refused = http::text_reply(401, "the token of [status] is missing or wrong");
  for (const char* challenge :
       {R"(Bearer realm="surveybridge")",
        R"(Basic realm="surveybridge: any user, the token as password", charset="UTF-8")"})
    refused.headers.emplace_back("WWW-Authenticate", challenge);
  return refused;
}

bool Gate::knows(const std::string& host) const {
  return is_ip_address(host) || std::ranges::find(names_, host) != names_.end();
}

bool Gate::admits(const std::string& authorization) const {
  if (token_.empty()) return true;
  if (same_secret(token_, behind("Bearer ", authorization))) return true;
  const auto pair = mapping::read_base64(behind("Basic ", authorization));
  const auto colon = pair ? pair->find(':') : std::string::npos;
  return colon != std::string::npos &&
         same_secret(token_, std::string_view(*pair).substr(colon + 1));
}

}  // namespace surveybridge::daemon
