// [status]: the address of the status page, for people and for monitoring.
#include <algorithm>
#include <cctype>

#include "config/keys/kinds.hpp"
#include "config/keys/patterns.hpp"
#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

// A number and not a name, so that the file shows who can connect. Whether this machine has the
// address is checked when the server starts.
bool is_ip_address(std::string_view host) {
  const bool characters = host.find_first_not_of("0123456789abcdefABCDEF.:") == std::string::npos;
  return !host.empty() && characters &&
         (host.find('.') != host.npos || host.find(':') != host.npos);
}

Answer<Listen> read_listen(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos) return Broken{};
  std::string host = text.substr(0, colon);
  const bool brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (brackets) host = host.substr(1, host.size() - 2);
  const bool six = host.find(':') != std::string::npos;
  const auto port = to_number<int>(std::string_view(text).substr(colon + 1));
  const bool is_port = port && *port >= 0 && *port <= 65535;
  if (!is_port || !is_ip_address(host) || six != brackets) return Broken{};
  return Listen{host, *port};
}

Kind<std::vector<std::string>> host_names() {
  constexpr std::size_t kLongest = 253;  // of a name in the DNS
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    const auto fits = [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-' || c == '.' || c == '_';
    };
    const bool is_host = !text.empty() && text.size() <= kLongest &&
                         std::ranges::all_of(text, fits) && !text.starts_with('.') &&
                         !text.ends_with('.');
    if (!is_host) return Broken{};
    return lower_case(text);
  };
  return list_of("a list of host names",
                 from_text<std::string>(
                     "a host's name such as \"bridge.example.com\", without a port", understand));
}

}  // namespace

Kind<StatusPage> status_section() {
  return section<StatusPage>({
      required(key(
          "listen", &StatusPage::listen,
          with_pattern(
              R"(^[0-9A-Fa-f.:\[\]]+:)" + integer_pattern(0, 65535) + "$",
              from_text<Listen>("an address and a port such as \"127.0.0.1:9464\"", read_listen)),
          "where page, health and metrics are served; port 0: any free one")),
      key("hosts", &StatusPage::hosts, host_names(),
          "further names in the address of a request; IP addresses, \"localhost\" and this "
          "machine's name are always accepted, every other name is refused"),
      key("token", &StatusPage::token, secret(),
          "what a request must show (`Authorization: Bearer`, or the password of Basic) for every "
          "path but `/health` and `/ready`; 16 to 1024 characters without blanks"),
      key("report", &StatusPage::report, flag(),
          "serve the report of docs/REPORTS.md at `/report`, without texts of customers"),
  });
}

}  // namespace surveybridge::config
