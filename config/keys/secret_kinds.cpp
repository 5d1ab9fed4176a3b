// Settings that are secrets. A wrong value may be the secret itself, so no message of this file
// shows a value.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/keys/key.hpp"
#include "config/keys/kinds.hpp"

namespace surveybridge::config {
namespace {

constexpr std::string_view kHow =
    R"({ credential = "name" }, { file = "/path" } or { env = "NAME" })";

struct Whereabouts {
  std::string credential, file, env;
};

bool is_credential(const std::string& text) {
  return is_name(text) && text.find('/') == std::string::npos && text != "." && text != "..";
}
bool is_variable(const std::string& text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return is_name(text) && std::all_of(text.begin(), text.end(), fits) &&
         std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

Kind<std::string> unshown(std::string type, bool (*fits)(const std::string&)) {
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<std::string> {
    const std::string* text = node.as<std::string>();
    if (text != nullptr && fits(*text)) return *text;
    trail.wrong(node.place, "must be " + type);
    return std::nullopt;
  };
  return {std::move(type), read};
}

Keys<Whereabouts> keys() {
  return {
      key("credential", &Whereabouts::credential, unshown("a credential's name", is_credential),
          "a credential that systemd hands over (LoadCredential=)"),
      key("file", &Whereabouts::file, unshown("an absolute path", is_absolute_path),
          "a file that only the bridge may read"),
      key("env", &Whereabouts::env, unshown("an environment variable's name", is_variable),
          "an environment variable"),
  };
}

Secret chosen(const Whereabouts& at) {
  if (!at.credential.empty()) return {Secret::From::credential, at.credential};
  if (!at.file.empty()) return {Secret::From::file, at.file};
  return {Secret::From::env, at.env};
}

std::optional<Secret> read_table(const Node& node, const Node::Table& table, const Trail& trail) {
  Whereabouts at;
  read_keys(table, node.place, keys(), trail, at);
  if (table.size() == 1) return chosen(at);
  trail.wrong(node.place, fmt::format("must be exactly one of {}", kHow));
  return std::nullopt;
}

}  // namespace

Kind<Secret> secret() {
  const auto read = [](const Node& node, const Trail& trail) -> std::optional<Secret> {
    if (const auto* table = node.as<Node::Table>()) return read_table(node, *table, trail);
    trail.wrong(node.place, fmt::format("is a secret: write {}, never the text itself", kHow));
    return std::nullopt;
  };
  return {std::string("a secret: ").append(kHow), read};
}

Kind<Secret> secret_or_text(std::string type, bool (*fits)(const std::string&)) {
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Secret> {
    if (const auto* table = node.as<Node::Table>()) return read_table(node, *table, trail);
    const std::string* text = node.as<std::string>();
    if (text != nullptr && fits(*text)) return Secret{Secret::From::plain, *text};
    trail.wrong(node.place, fmt::format("must be {}, or {}", type, kHow));
    return std::nullopt;
  };
  return {fmt::format("{}, or {}", type, kHow), read};
}

}  // namespace surveybridge::config
