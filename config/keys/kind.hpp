// What a setting may hold: how it is called, read and shown. A kind says its type in words that
// fit both the reference page and the message "must be <type>, got <value>".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/keys/setting.hpp"
#include "config/problem.hpp"
#include "config/text.hpp"
#include "config/toml/node.hpp"

namespace surveybridge::config {

// The current place in the configuration, and the list to which problems are added. Copied freely:
// one level deeper is a new trail. The caller that made the first trail owns the list.
class Trail {
 public:
  explicit Trail(std::vector<Problem>& found, std::string path = "")
      : found_(&found), path_(std::move(path)) {}

  Trail key(std::string_view name) const { return Trail(*found_, dotted(path_, name)); }
  Trail item(std::size_t index) const {
    return Trail(*found_, path_ + "[" + std::to_string(index) + "]");
  }
  const std::string& path() const { return path_; }

  void wrong(const TextPlace& place, std::string rule) const {
    add({place, path_, std::move(rule)});
  }
  void add(Problem problem) const { found_->push_back(std::move(problem)); }

 private:
  std::vector<Problem>* found_;
  std::string path_;
};

// How a value is read that stands outside of the file: as the text that it is, or as TOML writes it
// (a text where it is no TOML). A table is never outside: `env` may be a key of its own.
enum class Form { table, text, toml };

template <class V>
struct Kind {
  std::string type;
  // The value, or nothing after having reported why.
  std::function<std::optional<V>(const Node&, const Trail&)> read;
  // A default as TOML would write it; nothing where there is none.
  std::function<std::string(const V&)> show = {};
  // A table's own settings, for the description.
  std::function<std::vector<Setting>(const std::string& section, const V& standard)> inside = {};
  Form form = Form::table;
  std::string schema = "true";  // JSON Schema of a value in the file
};

// Is it { credential = "name" }, { file = "path" } or { env = "NAME" }?
bool is_outside(const Node& node);
// `environment variable "NAME"`.
std::string outside_name(const Node& node);
// What stands there, with the place of the node; nothing after having reported why it cannot be
// read. A relative path begins at the folder of the configuration file.
std::optional<Node> from_outside(const Node& node, Form form, const Trail& trail);

// A value in the file or outside of it. What is outside is never shown: it may be a secret.
template <class V>
std::optional<V> read_value(const Kind<V>& kind, const Node& node, const Trail& trail) {
  if (kind.form == Form::table || !is_outside(node)) return kind.read(node, trail);
  const auto given = from_outside(node, kind.form, trail);
  if (!given) return std::nullopt;
  std::vector<Problem> unshown;
  auto value = kind.read(*given, Trail(unshown, trail.path()));
  if (unshown.empty()) return value;
  trail.wrong(node.place, "must be " + kind.type + ", which " + outside_name(node) + " is not");
  return std::nullopt;
}

// The schema of a value in the file or outside of it.
std::string whole_schema(Form form, const std::string& schema);

// The JSON Schema of a text. `pattern` is a regular expression for editors: it matches every valid
// text, contains no quotation mark, and uses only what all engines of regular expressions have.
std::string text_schema(std::string_view pattern);
template <class V>
Kind<V> with_pattern(std::string_view pattern, Kind<V> kind) {
  kind.schema = text_schema(pattern);
  return kind;
}

// Why a text is not what it must be. With an empty rule, "must be <type>, got <text>" says it all;
// where the text may hold a secret, the rule is there and does not repeat it.
struct Broken {
  std::string rule;
};
template <class V>
using Answer = std::variant<V, Broken>;

std::string must_be(const std::string& type, const std::string& got);

// The node's content of this type, or null after having reported that it must be `type`.
template <class Content>
const Content* content(const Node& node, const Trail& trail, const std::string& type) {
  const auto* found = node.as<Content>();
  if (found == nullptr) trail.wrong(node.place, must_be(type, described(node)));
  return found;
}
// The same for a table, which must not be empty.
const Node::Table* filled_table(const Node& node, const Trail& trail, const std::string& type);

// A kind that is written as a string: a duration, a URL, a name.
template <class V>
Kind<V> from_text(std::string type, std::function<Answer<V>(const std::string&)> understand,
                  std::function<std::string(const V&)> show = {}) {
  const auto read = [type, understand](const Node& node, const Trail& trail) -> std::optional<V> {
    const auto* text = content<std::string>(node, trail, type);
    if (text == nullptr) return std::nullopt;
    Answer<V> answer = understand(*text);
    if (V* value = std::get_if<V>(&answer)) return std::move(*value);
    const std::string& rule = std::get<Broken>(answer).rule;
    trail.wrong(node.place, rule.empty() ? must_be(type, config::quoted(*text)) : rule);
    return std::nullopt;
  };
  return {std::move(type), read, std::move(show), {}, Form::text, R"({"type":"string"})"};
}
// A text of which `fits` says whether it is one; a default that is not empty is shown.
Kind<std::string> text_that(std::string type, std::function<bool(const std::string&)> fits);

}  // namespace surveybridge::config
