// [service.auth]: the bridge's identity at the service. The kind decides which keys belong there.
#include <algorithm>

#include <fmt/format.h>

#include "config/keys/kinds.hpp"
#include "config/sections/load.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

using AuthKind = Auth::Kind;

const std::vector<NamedValue<AuthKind>>& kinds() {
  static const std::vector<NamedValue<AuthKind>> all = {{"oauth2", AuthKind::oauth2},
                                                        {"bearer", AuthKind::bearer},
                                                        {"header", AuthKind::header},
                                                        {"basic", AuthKind::basic},
                                                        {"none", AuthKind::none}};
  return all;
}

// The kinds that have a key, and whether they require it.
struct Belongs {
  std::string_view key;
  std::vector<AuthKind> to;
  bool required;
};
const std::vector<Belongs>& belongings() {
  static const std::vector<Belongs> all = {
      {"token_url", {AuthKind::oauth2}, true},
      {"client_id", {AuthKind::oauth2}, true},
      {"client_secret", {AuthKind::oauth2}, true},
      {"scope", {AuthKind::oauth2}, false},
      {"secret_in", {AuthKind::oauth2}, false},
      {"token", {AuthKind::bearer, AuthKind::header}, true},
      {"header", {AuthKind::header}, true},
      {"user", {AuthKind::basic}, true},
      {"password", {AuthKind::basic}, true},
  };
  return all;
}

std::string named(AuthKind kind) {
  const auto of = std::find_if(kinds().begin(), kinds().end(),
                               [&](const auto& each) { return each.means == kind; });
  return quoted(of->word);
}

std::string named(const std::vector<AuthKind>& of) {
  std::string names;
  for (const AuthKind kind : of)
    names += (names.empty() ? "" : " or ") + named(kind);
  return names;
}

// When the kind could not be read, the other keys cannot be checked.
void check_kind(const Node::Table& table, const TextPlace& place, const Trail& trail, Auth& auth) {
  const Entry* kind = find(table, "kind");
  const auto* word = kind == nullptr ? nullptr : kind->node.as<std::string>();
  const bool read = word != nullptr ? quoted(*word) == named(auth.kind)
                                    : kind != nullptr && is_outside(kind->node);
  if (!read) return;
  for (const Belongs& each : belongings()) {
    const Entry* entry = find(table, each.key);
    const bool fits = std::find(each.to.begin(), each.to.end(), auth.kind) != each.to.end();
    if (entry != nullptr && !fits) {
      trail.key(each.key).wrong(entry->place, fmt::format("belongs to kind {}, not to kind {}",
                                                          named(each.to), named(auth.kind)));
    } else if (entry == nullptr && fits && each.required) {
      trail.key(each.key).wrong(place, fmt::format("is required for kind {}", named(auth.kind)));
    }
  }
}

// A header name that HTTP allows.
Kind<std::string> header_name() {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  const auto fits = [=](unsigned char c) {
    return std::isalnum(c) != 0 || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  };
  return with_pattern(
      "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
      text_that("a header's name such as \"X-Api-Key\"", [=](const std::string& text) {
        return is_name(text) && std::ranges::all_of(text, fits);
      }));
}

// In Basic authentication the first colon ends the user.
Kind<std::string> user_name() {
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    if (is_name(text) && text.find(':') == std::string::npos) return text;
    return Broken{"must be a user's name, without a colon"};
  };
  return with_pattern("^[^:]+$", from_text<std::string>("a user's name", understand));
}

}  // namespace

std::string auth_rules() {
  std::string rules;
  for (const auto& [word, kind] : kinds()) {
    std::string needs, others;
    for (const Belongs& each : belongings()) {
      const bool fits = std::ranges::find(each.to, kind) != each.to.end();
      if (!fits) others += fmt::format(R"({}"{}":false)", others.empty() ? "" : ",", each.key);
      if (fits && each.required)
        needs += fmt::format(R"({}"{}")", needs.empty() ? "" : ",", each.key);
    }
    rules +=
        fmt::format(R"({}{{"if":{{"required":["kind"],"properties":{{"kind":{{"const":"{}"}}}}}},)"
                    R"("then":{{"required":[{}],"properties":{{{}}}}}}})",
                    rules.empty() ? "" : ",", word, needs, others);
  }
  return R"({"allOf":[)" + rules + "]}";
}

Kind<Auth> auth_section() {
  using SecretIn = Auth::SecretIn;
  return section<Auth>(
      {
          required(key("kind", &Auth::kind, choice(kinds()), "how requests prove who sends them")),
          key("token_url", &Auth::token_url, token_url(), "oauth2: the address that gives tokens"),
          key("client_id", &Auth::client_id, name("a client's id"), "oauth2: who we are there"),
          key("client_secret", &Auth::client_secret, secret(), "oauth2: and its secret"),
          key("scope", &Auth::scope, name("one or more scopes"), "oauth2: what the token is for"),
          key("secret_in", &Auth::secret_in,
              choice<SecretIn>({{"form", SecretIn::form}, {"basic", SecretIn::basic}}),
              "oauth2: where the token request carries the secret"),
          key("token", &Auth::token, secret(), "bearer, header: what is sent"),
          key("header", &Auth::header, header_name(), "header: its name"),
          key("user", &Auth::user, user_name(), "basic: the user"),
          key("password", &Auth::password, secret(), "basic: the password"),
      },
      check_kind);
}

}  // namespace surveybridge::config
