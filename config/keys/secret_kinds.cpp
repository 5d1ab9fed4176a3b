// Settings that are secrets, and values that stand outside of the file. A wrong value may be a
// secret, so no message of this file shows a value.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/file.hpp"
#include "config/keys/key.hpp"
#include "config/keys/kinds.hpp"
#include "config/secret.hpp"
#include "config/text.hpp"

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

// An entry `file` with a relative path as an absolute one.
Entry from_its_folder(Entry entry) {
  const auto* path = entry.node.as<std::string>();
  if (entry.key == "file" && path != nullptr && !path->empty())
    entry.node.value = path_beside(entry.node.place.file, *path);
  return entry;
}

void move_to(const TextPlace& place, Node& node) {
  node.place = place;
  if (auto* list = std::get_if<Node::List>(&node.value))
    for (Node& item : *list)
      move_to(place, item);
}

// The value that the text is in TOML; empty: it is none.
std::optional<Node> as_toml(const std::string& text) {
  auto read = read_toml("value = " + text, "");
  auto* root = std::get_if<Node>(&read);
  auto* table = root == nullptr ? nullptr : std::get_if<Node::Table>(&root->value);
  if (table == nullptr || table->size() != 1) return std::nullopt;
  return std::move(table->front().node);
}

}  // namespace

bool is_outside(const Node& node) {
  const auto* table = node.as<Node::Table>();
  if (table == nullptr || table->size() != 1) return false;
  const std::string& key = table->front().key;
  return key == "credential" || key == "file" || key == "env";
}

std::string outside_name(const Node& node) {
  const Entry& entry = node.as<Node::Table>()->front();
  const auto* name = entry.node.as<std::string>();
  return (entry.key == "env" ? "environment variable " : entry.key + " ") +
         quoted(name == nullptr ? "" : *name);
}

std::optional<Node> from_outside(const Node& node, Form form, const Trail& trail) {
  const Node::Table table = {from_its_folder(node.as<Node::Table>()->front())};
  const auto place = read_table(node, table, trail);
  if (!place || place->name.empty()) return std::nullopt;  // it is reported
  auto text = read_open(*place);
  if (const auto* unreadable = std::get_if<Unreadable>(&text)) {
    trail.wrong(node.place, unreadable->why);
    return std::nullopt;
  }
  std::string& content = std::get<std::string>(text);
  if (content.starts_with("\xEF\xBB\xBF")) content.erase(0, 3);
  if (!is_utf8(content)) {
    trail.wrong(node.place, outside_name(node) + " is not UTF-8");
    return std::nullopt;
  }
  auto value = form == Form::toml ? as_toml(content) : std::nullopt;
  if (!value) value = Node{{}, std::move(content)};
  move_to(node.place, *value);
  return value;
}

Kind<Secret> secret() {
  const auto read = [](const Node& node, const Trail& trail) -> std::optional<Secret> {
    if (const auto* table = node.as<Node::Table>()) return read_table(node, *table, trail);
    trail.wrong(node.place, fmt::format("is a secret: write {}, never the text itself", kHow));
    return std::nullopt;
  };
  return {std::string("a secret: ").append(kHow),
          read,
          {},
          {},
          Form::table,
          R"({"type":"object","properties":{"file":{"pattern":"^/"}},)"
          R"("allOf":[{"$ref":"#/$defs/outside"}]})"};
}

Kind<Secret> secret_or_text(std::string type, bool (*fits)(const std::string&),
                            std::string_view pattern) {
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Secret> {
    if (const auto* table = node.as<Node::Table>()) return read_table(node, *table, trail);
    const std::string* text = node.as<std::string>();
    if (text != nullptr && fits(*text)) return Secret{Secret::From::plain, *text};
    trail.wrong(node.place, fmt::format("must be {}, or {}", type, kHow));
    return std::nullopt;
  };
  return {fmt::format("{}, or {}", type, kHow),          read, {}, {}, Form::table,
          whole_schema(Form::text, text_schema(pattern))};
}

}  // namespace surveybridge::config
