#include "connectors/crm/driver/postgresql_connection.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include <libpq-fe.h>

#include "config/problem.hpp"
#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {
namespace {

// The first key that libpq does not know, with the one that was meant; empty: it knows all of them.
std::string unknown_key(std::string_view text) {
  std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> known(PQconndefaults(),
                                                                     PQconninfoFree);
  std::vector<std::string> keys;
  for (const PQconninfoOption* option = known.get(); option && option->keyword; ++option)
    keys.emplace_back(option->keyword);
  for (auto at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    const std::string_view before = text.substr(0, at);
    const std::string key(before.substr(before.find_last_of(" &?") + 1));
    const bool word = key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
    const std::string meant = config::suggestion(key, keys);
    // A key that is like none of them may be a piece of a password.
    if (word && !meant.empty() && std::ranges::find(keys, key) == keys.end())
      return "there is no \"" + key + "\"" + meant;
  }
  return {};
}

}  // namespace

std::map<std::string, std::string> postgresql_options(const std::string& text) {
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> read(
      PQconninfoParse(text.c_str(), nullptr), PQconninfoFree);
  if (!read) {  // libpq's own words may quote a piece of the password
    const auto unknown = unknown_key(text);
    throw DatabaseError(
        DatabaseError::Kind::connection,
        "connection: " +
            (unknown.empty()
                 ? "libpq cannot read it. Of key=value pairs, a value with a blank, ' or \\ stands "
                   "in"
                   " '…', with \\' and \\\\ in it; in a URL a special character of the name or"
                   " password is written as % and two digits (%25 for %)"
                 : unknown));
  }
  std::map<std::string, std::string> options;
  for (const auto* option = read.get(); option->keyword != nullptr; ++option)
    if (option->val != nullptr) options.emplace(option->keyword, option->val);
  return options;
}

std::string postgresql_key_values(const std::string& text) {
  std::string pairs =
      "connect_timeout=10 keepalives_idle=30 keepalives_interval=10 keepalives_count=3 "
      "tcp_user_timeout=60000";
  for (const auto& [key, value] : postgresql_options(text)) {
    pairs += " " + key + "='";
    for (const char c : value) {
      if (c == '\'' || c == '\\') pairs += '\\';
      pairs += c;
    }
    pairs += '\'';
  }
  return pairs;
}

}  // namespace surveybridge::crm
