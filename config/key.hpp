// A section of the configuration as a table of keys: name, where the value goes, what it may be,
// what it means. From this one table come reading, unknown and missing keys, suggestions and the
// description.
#pragma once

#include <algorithm>
#include <utility>

#include "config/kind.hpp"

namespace surveybridge::config {

template <class T>
struct Key {
  std::string name;
  std::function<void(const Node&, const Trail&, T&)> read;
  std::function<std::vector<Setting>(const std::string& section, const T& standard)> describe;
  std::string meaning;
  bool required = false;
};
template <class T>
using Keys = std::vector<Key<T>>;

template <class V>
std::vector<Setting> described_as(const Kind<V>& kind, const std::string& section,
                                  const std::string& name, const std::string& meaning,
                                  const V& standard) {
  if (kind.inside) return kind.inside(dotted(section, name), standard);
  return {{section, name, kind.type, kind.show(standard), false, meaning}};
}

// A key whose value goes into a member.
template <class T, class V>
Key<T> key(std::string name, V T::*member, Kind<V> kind, std::string meaning) {
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = kind.read(node, trail)) target.*member = *std::move(value);
  };
  const auto describe = [=](const std::string& section, const T& standard) {
    return described_as(kind, section, name, meaning, standard.*member);
  };
  return {name, read, describe, meaning};
}

// A key whose absence means something else than any value.
template <class T, class V>
Key<T> key(std::string name, std::optional<V> T::*member, Kind<V> kind, std::string meaning) {
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = kind.read(node, trail)) target.*member = *std::move(value);
  };
  const auto describe = [=](const std::string& section, const T&) {
    return std::vector<Setting>{{section, name, kind.type, "", false, meaning}};
  };
  return {name, read, describe, meaning};
}

// A key whose value goes to more than one place.
template <class T, class V>
Key<T> key(std::string name, void (*store)(T&, V), Kind<V> kind, std::string meaning) {
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = kind.read(node, trail)) store(target, *std::move(value));
  };
  const auto describe = [=](const std::string& section, const T&) {
    return described_as(kind, section, name, meaning, V{});
  };
  return {name, read, describe, meaning};
}

template <class T>
Key<T> required(Key<T> of) {
  of.required = true;
  const auto describe = of.describe;
  of.describe = [describe](const std::string& section, const T& standard) {
    std::vector<Setting> settings = describe(section, standard);
    if (settings.size() == 1) settings.front().required = true;
    return settings;
  };
  return of;
}

// "unknown key", with the one that was meant or those that there are.
std::string unknown_key(std::string_view name, const std::vector<std::string>& known);

template <class T>
void read_keys(const Node::Table& table, const Place& place, const Keys<T>& keys,
               const Trail& trail, T& target) {
  std::vector<std::string> names;
  for (const Key<T>& each : keys)
    names.push_back(each.name);
  for (const Entry& entry : table) {
    const auto known = std::find(names.begin(), names.end(), entry.key);
    if (known == names.end()) {
      trail.key(entry.key).wrong(entry.place, unknown_key(entry.key, names));
    } else {
      keys[static_cast<std::size_t>(known - names.begin())].read(entry.node, trail.key(entry.key),
                                                                 target);
    }
  }
  for (const Key<T>& each : keys) {
    if (each.required && find(table, each.name) == nullptr) {
      trail.key(each.name).wrong(place, "is required: " + each.meaning);
    }
  }
}

// Looks at a whole section once its keys are read: clashes, and what one key asks of another.
template <class T>
using Finish = void (*)(const Node::Table& table, const Place& place, const Trail&, T&);

// A table with these keys is a kind too.
template <class T>
Kind<T> section(Keys<T> keys, Finish<T> finish = nullptr) {
  Kind<T> kind;
  kind.type = "a table";
  kind.read = [keys, finish](const Node& node, const Trail& trail) -> std::optional<T> {
    const Node::Table* table = node.as<Node::Table>();
    if (table == nullptr) {
      trail.wrong(node.place, must_be("a table", described(node)));
      return std::nullopt;
    }
    T target;
    read_keys(*table, node.place, keys, trail, target);
    if (finish != nullptr) finish(*table, node.place, trail, target);
    return target;
  };
  kind.inside = [keys](const std::string& at, const T& standard) {
    std::vector<Setting> settings;
    for (const Key<T>& each : keys) {
      for (Setting& setting : each.describe(at, standard))
        settings.push_back(std::move(setting));
    }
    return settings;
  };
  return kind;
}

}  // namespace surveybridge::config
