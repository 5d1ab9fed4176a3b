// Addresses: what a URL and a path may be.
#include <algorithm>

#include "config/keys/kinds.hpp"
#include "config/keys/patterns.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

constexpr std::size_t kLongestUrl = 2000;
// For editors: https, or http to this machine, a host and a port.
const std::string& pattern_of_begin() {
  static const std::string begin = R"(^(https://([A-Za-z0-9._-]+|\[[A-Za-z0-9:.%]+\])|)"
                                   R"(http://(127\.0\.0\.1|localhost|\[::1\]))(:)" +
                                   integer_pattern(0, 65535) + ")?";
  return begin;
}
constexpr std::string_view kType = "an address such as \"https://host/path\"";

bool has_blank(std::string_view text) {
  return has_control(text) || text.find(' ') != std::string_view::npos;
}

// Host and port of "scheme://host:port/path".
std::string_view authority(std::string_view url) {
  const std::string_view rest = url.substr(url.find("://") + 3);
  return rest.substr(0, rest.find_first_of("/?#"));
}

std::string_view host_of(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(0, authority.find(']') + 1);
  return authority.substr(0, authority.find(':'));
}

bool is_host(std::string_view host) {
  const std::string_view inside = host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
  const std::string_view allowed = host.starts_with('[') ? ":.%" : ".-_";
  return !inside.empty() && std::all_of(inside.begin(), inside.end(), [&](unsigned char c) {
    return std::isalnum(c) != 0 || allowed.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// ":443", or nothing.
bool is_port(std::string_view text) {
  if (text.empty()) return true;
  const auto port = to_number<unsigned>(text.substr(1));
  return text.front() == ':' && port && *port > 0 && *port <= 65535;
}

bool is_this_machine(std::string_view host) {
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

// Empty, or the rule that the address breaks, without the address: it may have a password.
std::string broken_rule_of_url(const std::string& url) {
  const bool https = url.starts_with("https://");
  if (!https && !url.starts_with("http://")) return "must begin with \"https://\"";
  if (url.size() > kLongestUrl || has_blank(url)) return "must be one address without blanks";
  const std::string_view at = authority(url);
  if (at.find('@') != std::string_view::npos) {
    return "must hold no user or password: they belong in [service.auth]";
  }
  const std::string_view host = host_of(at);
  if (!is_host(host)) return "has no valid host";
  if (!is_port(at.substr(host.size()))) return "has no valid port";
  if (!https && !is_this_machine(host)) {
    return "must be https: http goes only to 127.0.0.1, localhost or [::1]";
  }
  if (url.find('#') != std::string::npos) return "must have no fragment (#…)";
  return "";
}

Answer<std::string> checked(const std::string& text) {
  const std::string rule = broken_rule_of_url(text);
  if (rule.empty()) return text;
  return Broken{rule};
}

bool is_mail_server(const std::string& text) {
  const bool scheme = text.starts_with("smtp://") || text.starts_with("smtps://");
  if (!scheme || text.size() > kLongestUrl) return false;
  const std::string_view at = std::string_view(text).substr(text.find("://") + 3);
  const std::string_view host = host_of(at);
  return is_host(host) && is_port(at.substr(host.size()));
}

}  // namespace

Kind<std::string> mail_server() {
  return with_pattern("^smtps?://.",
                      text_that("a mail server such as \"smtps://mail.example.com\" or"
                                " \"smtp://localhost:25\"",
                                is_mail_server));
}

bool is_web_address(const std::string& text) {
  return broken_rule_of_url(text).empty();
}

bool goes_to_this_machine(const std::string& url) {
  return is_this_machine(host_of(authority(url)));
}

Kind<std::string> base_url() {
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    Answer<std::string> answer = checked(text);
    std::string* url = std::get_if<std::string>(&answer);
    if (url == nullptr) return answer;
    if (url->find('?') != std::string::npos) return Broken{"must have no query (?…)"};
    while (url->ends_with('/'))
      url->pop_back();
    return answer;
  };
  return with_pattern(pattern_of_begin() + "(/[^ ?#]*)?$",
                      from_text<std::string>(std::string(kType), understand));
}

Kind<std::string> token_url() {
  return with_pattern(pattern_of_begin() + "([/?][^ #]*)?$",
                      from_text<std::string>(std::string(kType), checked));
}

Kind<std::string> url_path() {
  return with_pattern("^/[^ ?#]*$",
                      text_that("a path such as \"/external/api\"", [](const std::string& text) {
                        return text.starts_with('/') && text.size() <= kLongestUrl &&
                               !has_blank(text) && text.find_first_of("?#") == std::string::npos;
                      }));
}

}  // namespace surveybridge::config
