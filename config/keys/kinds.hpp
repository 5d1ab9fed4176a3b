// The kinds of settings that several sections use. A kind of one section is in that section's file.
#pragma once

#include "config/keys/kind.hpp"

namespace surveybridge::config {

Kind<bool> flag();
Kind<int> integer(int least, int most);
Kind<std::int64_t> bytes(std::int64_t least, std::int64_t most);
Kind<double> rate(double most);  // a number above 0
Kind<Milliseconds> duration(Milliseconds least, Milliseconds most);
Kind<std::chrono::minutes> time_of_day();  // "10:00"
Kind<std::string> time_of_day_text();
Kind<Date> date();
Kind<std::string> name(std::string type);  // see is_name
Kind<std::string> zone();
Kind<std::string> absolute_path();
// Addresses that the bridge may use: https, or http to this machine only.
Kind<std::string> base_url();     // without query; trailing slashes are dropped
Kind<std::string> token_url();    // as written
Kind<std::string> url_path();     // "/external/api/…"
Kind<std::string> mail_server();  // "smtps://host" or "smtp://host:587"
bool is_web_address(const std::string& text);
bool goes_to_this_machine(const std::string& url);  // of a URL that was checked
Kind<std::string> mail_address();                   // a message does not repeat it
Kind<Constant> constant();
bool is_constant(const Node& node);  // a finite scalar
Kind<Secret> secret();
// What a path of a file may be.
bool is_absolute_path(const std::string& text);
// `type` says in words what `fits` accepts; the text is never shown. `pattern`: see with_pattern.
Kind<Secret> secret_or_text(std::string type, bool (*fits)(const std::string&),
                            std::string_view pattern);

template <class E>
struct NamedValue {
  std::string word;
  E means;
};

// Words that stand for values of an enumeration (or for themselves).
template <class E>
Kind<E> choice(std::vector<NamedValue<E>> choices) {
  std::vector<std::string> words;
  for (const NamedValue<E>& each : choices)
    words.push_back(each.word);
  const auto understand = [=](const std::string& text) -> Answer<E> {
    for (const NamedValue<E>& each : choices) {
      if (each.word == text) return each.means;
    }
    return Broken{must_be(listed(words), config::quoted(text)) + suggestion(text, words)};
  };
  const auto show = [=](const E& value) -> std::string {
    for (const NamedValue<E>& each : choices) {
      if (each.means == value) return config::quoted(each.word);
    }
    return "";
  };
  auto kind = from_text<E>(listed(words), understand, show);
  std::string all;
  for (const std::string& word : words)
    all += (all.empty() ? "" : ",") + config::quoted(word);
  kind.schema = R"({"enum":[)" + all + "]}";
  return kind;
}
Kind<std::string> one_of(const std::vector<std::string>& words);

// True, false, or a word for something else.
template <class E>
Kind<E> flag_or(E no, E yes, NamedValue<E> other) {
  const std::string word = config::quoted(other.word);
  const std::string type = "true, false or " + word;
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<E> {
    if (const bool* on = node.as<bool>()) return *on ? yes : no;
    const auto* text = node.as<std::string>();
    if (text != nullptr && *text == other.word) return other.means;
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  const auto show = [=](const E& value) -> std::string {
    return value == no ? "false" : value == yes ? "true" : word;
  };
  return {type, read, show, {}, Form::toml, R"({"enum":[true,false,)" + word + "]}"};
}

// [[…]] or […]: one item after the other, each of the same kind.
template <class V>
Kind<std::vector<V>> list_of(std::string type, Kind<V> item) {
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<std::vector<V>> {
    const auto* list = content<Node::List>(node, trail, type);
    if (list == nullptr) return std::nullopt;
    std::vector<V> values;
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (auto value = read_value(item, (*list)[i], trail.item(i)))
        values.push_back(*std::move(value));
    }
    return values;
  };
  Kind<std::vector<V>> kind{type, read};
  kind.form = Form::toml;
  kind.schema = R"({"type":"array","items":)" + whole_schema(item.form, item.schema) + "}";
  if (item.inside) {
    kind.inside = [item](const std::string& at, const std::vector<V>&) {
      return item.inside(at, V{});
    };
  }
  return kind;
}

// May a table of the operator's own, such as [push.NAME], have this name?
bool is_table_name(std::string_view text);

// Tables [SECTION.NAME] of the operator's own names; each one's name goes into its member `name`.
template <class V>
Kind<std::vector<V>> named_tables(const std::string& section, const std::string& whose,
                                  Kind<V> one) {
  const std::string type = "tables: [" + section + ".NAME]";
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<std::vector<V>> {
    const auto* table = content<Node::Table>(node, trail, type);
    if (table == nullptr) return std::nullopt;
    std::vector<V> all;
    for (const Entry& entry : *table) {
      const Trail at = trail.key(entry.key);
      if (!is_table_name(entry.key))
        at.wrong(entry.place, whose + " name is 1 to 40 of a-z, 0-9, \"_\" and \"-\"");
      if (auto value = one.read(entry.node, at)) {
        value->name = entry.key;
        all.push_back(*std::move(value));
      }
    }
    return all;
  };
  Kind<std::vector<V>> kind{type, read};
  kind.inside = [one](const std::string& at, const std::vector<V>&) {
    return one.inside(dotted(at, "NAME"), V{});
  };
  return kind;
}

}  // namespace surveybridge::config
