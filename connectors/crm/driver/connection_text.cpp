#include "connectors/crm/driver/connection_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "config/text.hpp"
#include "connectors/crm/driver/cell_text.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/driver/postgresql_connection.hpp"

namespace surveybridge::crm {
namespace {

using Backend = ConnectionText::Backend;

constexpr std::string_view kFileScheme = "sqlite3://";

[[noreturn]] void refuse(const std::string& rule) {
  throw DatabaseError(DatabaseError::Kind::connection, "connection: " + rule);
}

// SOCI reads a text with '=' as key=value pairs, so such a path needs quotes.
ConnectionText sqlite(std::string_view path) {
  if (path.empty()) refuse("sqlite3:// needs a path");
  for (const std::string_view word : {"db=", "dbname=", "database=", "file=", "path="}) {
    if (config::lower_case(path.substr(0, word.size())) == word)
      refuse("sqlite3:// is followed by the path alone, without \"" + std::string(word) + "\"");
  }
  if (path.find('=') == std::string_view::npos) return {Backend::sqlite, std::string(path), {}};
  if (path.find('"') != std::string_view::npos)
    refuse("a path with both = and \" cannot be opened");
  return {Backend::sqlite, "dbname=\"" + std::string(path) + "\"", {}};
}

bool is_secret(std::string_view key) {
  const auto start = key.find_last_of(" \t\r\n;,&?") + 1;  // of the text before '='
  const std::string name = config::lower_case(key.substr(start));
  return name == "password" || name == "pwd" || name == "sslpassword";
}

// The value at the beginning of `text`: quoted '…' (with \' and \\) or {…} (with }}), or up to a
// separator; as it is written, and as it is meant.
struct WrittenValue {
  std::string written, meant;
};
WrittenValue value_at(std::string_view text, std::string_view separators) {
  if (text.empty() || (text[0] != '\'' && text[0] != '{')) {
    const std::string plain(text.substr(0, text.find_first_of(separators)));
    return {plain, plain};
  }
  const bool braces = text[0] == '{';
  WrittenValue value;
  std::size_t end = 1;
  for (; end < text.size(); ++end) {
    const bool pair = end + 1 < text.size() &&
                      (braces ? text[end] == '}' && text[end + 1] == '}' : text[end] == '\\');
    if (!pair && text[end] == (braces ? '}' : '\'')) break;
    if (pair) ++end;
    value.meant += text[end];
  }
  value.written = text.substr(1, end - 1);
  return value;
}

void find_pairs(std::string_view text, std::string_view separators,
                std::vector<std::string>& secrets) {
  for (auto at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    if (!is_secret(text.substr(0, at))) continue;
    const auto [written, meant] = value_at(text.substr(at + 1), separators);
    secrets.push_back(written);
    if (meant != written) secrets.push_back(meant);
  }
}

// user:password@ of a URI, encoded and decoded.
void find_in_authority(std::string_view rest, std::vector<std::string>& secrets) {
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?"));
  const auto end = authority.rfind('@');
  const auto start = authority.find(':');
  if (end == std::string_view::npos || start == std::string_view::npos || start > end) return;
  secrets.emplace_back(authority.substr(start + 1, end - start - 1));
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = text[i] == '%' ? from_hex(text.substr(i + 1, 2)) : std::nullopt;
    result += byte && byte->size() == 1 ? byte->front() : text[i];
    if (byte && byte->size() == 1) i += 2;
  }
  return result;
}

// "host=… dbname=…" after the scheme is SOCI's own form; anything else is a URI.
bool is_key_value(std::string_view rest) {
  const auto end = rest.find('=');
  if (end == std::string_view::npos) return false;
  const std::string key = config::lower_case(rest.substr(0, end));
  return key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ ") == std::string::npos;
}

// A URL with such a password can be read in several ways, and libpq would show a part of it as the
// name of a host or as a port.
void expect_one_at(std::string_view rest) {
  const auto at = rest.find('@');
  if (at == std::string_view::npos) return;
  if (rest.find('@', at + 1) == std::string_view::npos && rest.find_first_of("/?") > at) return;
  refuse(
      "the URL has an @ or a / in the name or password, or an @ behind the host or a ?: write each "
      "of these @ as %40, each / as %2F and each ? of the name or password as %3F");
}

// Empty: the usual one.
bool is_port(std::string_view text) {
  constexpr int kMost = 65535;
  const auto port = config::to_number<int>(text);
  return text.empty() || (port && *port >= 1 && *port <= kMost);
}

// Of a URL without its host the password is the port, which libpq would show.
void expect_ports(const std::string& ports) {
  std::istringstream each(ports);
  for (std::string port; std::getline(each, port, ',');)
    if (!is_port(port))
      refuse("the URL's port is no number up to 65535: behind a password stands @ and the host");
}

ConnectionText postgresql(std::string_view rest) {
  const bool pairs = is_key_value(rest);
  if (!pairs) expect_one_at(rest);
  ConnectionText result{
      Backend::postgresql, (pairs ? "" : "postgresql://") + std::string(rest), {}};
  auto options = postgresql_options(result.text);  // throws
  if (!pairs) expect_ports(options["port"]);
  std::vector<std::string> written;
  find_pairs(rest, " ;&", written);
  if (!pairs) {
    find_in_authority(rest, written);
    for (std::size_t i = written.size(); i-- > 0;)
      written.push_back(percent_decoded(written[i]));
  }
  // What libpq reads comes first: it may be longer.
  for (const char* key : {"password", "sslpassword"})
    if (options.contains(key)) result.secrets.push_back(options[key]);
  result.secrets.insert(result.secrets.end(), written.begin(), written.end());
  return result;
}

ConnectionText odbc(std::string_view rest) {
  if (rest.find('=') == std::string_view::npos) refuse("odbc:// needs KEY=value; pairs");
  ConnectionText result{Backend::odbc, std::string(rest), {}};
  find_pairs(rest, ";", result.secrets);
  return result;
}

}  // namespace

ConnectionText parse_connection(std::string_view connection) {
  const auto mark = connection.find("://");
  const std::string scheme = config::lower_case(connection.substr(0, mark));
  const bool known =
      scheme == "postgresql" || scheme == "postgres" || scheme == "odbc" || scheme == "sqlite3";
  if (mark == std::string_view::npos || !known) {
    refuse("must begin with postgresql://, odbc:// or sqlite3://");
  }
  if (connection.find('\0') != std::string_view::npos) refuse("holds a NUL character");
  const std::string_view rest = connection.substr(mark + 3);
  if (scheme == "sqlite3") return sqlite(rest);
  return scheme == "odbc" ? odbc(rest) : postgresql(rest);
}

std::filesystem::path database_file(const std::string& connection) {
  if (!connection.starts_with(kFileScheme) || connection == kInMemory) return {};
  return connection.substr(kFileScheme.size());
}

std::string with_whole_path(const std::string& connection) {
  const std::string path = database_file(connection).string();
  const bool relative =
      !path.empty() && path[0] != '/' && path[0] != ':' && path.find('=') == std::string::npos;
  if (!relative) return connection;
  return std::string(kFileScheme) + std::filesystem::absolute(path).string();
}

namespace {

// Each of these characters once more, or with another one before it.
std::string with_before(std::string_view text, std::string_view characters, char before) {
  std::string out;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) out += before == 0 ? c : before;
    out += c;
  }
  return out;
}

std::string percent_encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

// What a value would end at, or begin a quotation with.
bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(" \t;&{}'\"\\") != std::string_view::npos;
}

}  // namespace

std::string with_password(std::string connection, const std::string& password) {
  constexpr std::string_view kPlace = "***";
  const auto at = connection.find(kPlace);
  if (at == std::string::npos) return connection;
  const char before = at == 0 ? '\0' : connection[at - 1];
  const auto mark = connection.find("://");
  const std::string scheme = config::lower_case(connection.substr(0, mark));
  std::string text = password;
  if (scheme == "odbc") {
    const std::string doubled = with_before(password, "}", 0);
    text = before == '{' ? doubled : needs_quotes(password) ? "{" + doubled + "}" : password;
  } else if (mark != std::string::npos && is_key_value(connection.substr(mark + 3))) {
    const std::string escaped = with_before(password, "'\\", '\\');
    text = before == '\'' ? escaped : needs_quotes(password) ? "'" + escaped + "'" : password;
  } else if (scheme == "postgresql" || scheme == "postgres") {
    text = percent_encoded(password);
  }
  return connection.replace(at, kPlace.size(), text);
}

namespace {

bool is_here(const std::string& host) {
  return host.empty() || host.starts_with('/') || host.starts_with('@') || host == "::1" ||
         host == "[::1]" || host.starts_with("127.") || config::lower_case(host) == "localhost";
}

// What the text says, or the environment.
std::string option_of(const std::string& text, const std::string& key, const char* variable) {
  const auto options = postgresql_options(text);
  if (const auto found = options.find(key); found != options.end()) return found->second;
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

std::string unverified_postgresql(const std::string& text) {
  const bool verifies = option_of(text, "sslmode", "PGSSLMODE").starts_with("verify") ||
                        option_of(text, "sslrootcert", "PGSSLROOTCERT") == "system";
  if (verifies || !option_of(text, "service", "PGSERVICE").empty()) return "";
  std::string hosts = option_of(text, "hostaddr", "PGHOSTADDR");
  if (hosts.empty()) hosts = option_of(text, "host", "PGHOST");
  std::istringstream each(hosts);
  for (std::string host; std::getline(each, host, ',');)
    if (!is_here(host)) return host;
  return "";
}

// Microsoft's driver verifies the server where it encrypts, which it does since version 18, unless
// the text says otherwise.
bool verifies_sql_server(const std::string& text, const std::string& driver) {
  const std::string encrypt = config::lower_case(odbc_value(text, "encrypt"));
  const bool encrypts = encrypt.empty() ? driver.find("driver 18") != std::string::npos
                                        : encrypt != "no" && encrypt != "optional";
  return encrypts && config::lower_case(odbc_value(text, "trustservercertificate")) != "yes";
}

std::string unverified_odbc(const std::string& text) {
  const std::string driver = config::lower_case(odbc_value(text, "driver"));
  const std::string verify = config::lower_case(odbc_value(text, "sslverify"));
  const bool verifies = verify == "1" || verify == "yes" || verify == "true" ||
                        odbc_value(text, "sslmode").starts_with("verify");
  const bool of_microsoft = driver.find("sql server") != std::string::npos;
  if ((of_microsoft && verifies_sql_server(text, driver)) || verifies ||
      !odbc_value(text, "socket").empty())
    return "";
  std::string host = odbc_value(text, "server");
  if (host.empty()) host = odbc_value(text, "servername");
  if (host.starts_with("tcp:")) host.erase(0, 4);
  host.resize(std::min(host.find(','), host.size()));  // its port
  return is_here(host) ? "" : host;
}

}  // namespace

std::string unverified_host(std::string_view connection) {
  const ConnectionText text = parse_connection(connection);
  if (text.backend == Backend::sqlite) return "";
  return text.backend == Backend::odbc ? unverified_odbc(text.text)
                                       : unverified_postgresql(text.text);
}

bool has_password(std::string_view connection) {
  try {
    return !parse_connection(connection).secrets.empty();
  } catch (const DatabaseError&) {
    return false;
  }
}

std::string odbc_value(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const auto equals = text.find('=', at);
    if (equals == std::string_view::npos) return "";
    const std::string name = config::lower_case(text.substr(at, equals - at));
    const std::string_view rest = text.substr(equals + 1);
    const std::string plain(rest.substr(0, rest.find(';')));
    const auto [written, meant] =
        rest.starts_with('{') ? value_at(rest, ";") : WrittenValue{plain, plain};
    if (name == key) return meant;
    const auto end = text.find(';', equals + 1 + written.size());
    at = end == std::string_view::npos ? text.size() : end + 1;
  }
  return "";
}

std::string server_of(const ConnectionText& connection) {
  if (connection.backend != ConnectionText::Backend::odbc) return "";
  const auto& text = connection.text;
  const auto first_of = [&](std::initializer_list<std::string_view> keys) {
    std::string value;
    for (const auto key : keys)
      if (value.empty()) value = odbc_value(text, key);
    return value;
  };
  std::string server = first_of({"server", "servername"});
  if (server.empty()) return "";
  if (const auto port = odbc_value(text, "port"); !port.empty()) server += ":" + port;
  if (const auto base = first_of({"database", "db"}); !base.empty()) server += "/" + base;
  // A text with a wrong separator may have anything here, its password too.
  const bool is_plain = std::ranges::all_of(server, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("._-:,/\\[]").find(c) != std::string_view::npos;
  });
  return is_plain ? server : "";
}

std::string without_secrets(std::string message, const ConnectionText& connection) {
  // A short one stands in many words, and replaced there it could be read from what is left.
  constexpr std::size_t kShort = 4;
  const auto in_word = [&](std::size_t at) {
    return at < message.size() && std::isalnum(static_cast<unsigned char>(message[at])) != 0;
  };
  for (const std::string& secret : connection.secrets) {
    if (secret.empty()) continue;
    for (auto at = message.find(secret); at != std::string::npos; at = message.find(secret, at)) {
      const bool is_part = (at > 0 && in_word(at - 1)) || in_word(at + secret.size());
      if (secret.size() < kShort && is_part) {
        ++at;
        continue;
      }
      message.replace(at, secret.size(), "***");
      at += 3;
    }
  }
  return message;
}

}  // namespace surveybridge::crm
