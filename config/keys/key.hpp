// A section of the configuration as a table of keys: name, target of the value, kind,
// description. Reading, unknown keys, missing keys, suggestions and the reference page all use
// this table.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "config/keys/kind.hpp"

namespace surveybridge::config {

template <class T>
struct Key {
  std::string name;
  std::function<void(const Node&, const Trail&, T&)> read;
  std::function<std::vector<Setting>(const std::string& section, const T& standard)> describe;
  std::string meaning;
  bool required = false;
  bool refused = false;
};
template <class T>
using Keys = std::vector<Key<T>>;

// Sections contain kinds and kinds contain sections: shared, so that copies stay small.
template <class V>
std::shared_ptr<const V> shared(V value) {
  return std::make_shared<const V>(std::move(value));
}

template <class V>
std::vector<Setting> described_as(const Kind<V>& kind, const std::string& section,
                                  const std::string& name, const std::string& meaning,
                                  const V& standard) {
  if (kind.inside) return kind.inside(dotted(section, name), standard);
  return {{section, name, kind.type, kind.show(standard), false, meaning}};
}

// A key whose value goes into a member.
template <class T, class V>
Key<T> key(std::string name, V T::*member, Kind<V> of, std::string meaning) {
  const auto kind = shared(std::move(of));
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = kind->read(node, trail)) target.*member = *std::move(value);
  };
  const auto describe = [=](const std::string& section, const T& standard) {
    return described_as(*kind, section, name, meaning, standard.*member);
  };
  return {name, read, describe, meaning};
}

// A key that has a meaning of its own when it is absent.
template <class T, class V>
Key<T> key(std::string name, std::optional<V> T::*member, Kind<V> of, std::string meaning) {
  const auto kind = shared(std::move(of));
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = kind->read(node, trail)) target.*member = *std::move(value);
  };
  const auto describe = [=](const std::string& section, const T&) {
    return std::vector<Setting>{{section, name, kind->type, "", false, meaning}};
  };
  return {name, read, describe, meaning};
}

// A key whose value goes to more than one place.
template <class T, class V>
Key<T> key(std::string name, void (*store)(T&, V), Kind<V> of, std::string meaning) {
  const auto kind = shared(std::move(of));
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = kind->read(node, trail)) store(target, *std::move(value));
  };
  const auto describe = [=](const std::string& section, const T&) {
    return described_as(*kind, section, name, meaning, V{});
  };
  return {name, read, describe, meaning};
}

template <class T>
Key<T> required(Key<T> of) {
  of.required = true;
  const auto describe = of.describe;
  of.describe = [describe](const std::string& section, const T& standard) {
    std::vector<Setting> settings = describe(section, standard);
    if (settings.size() == 1) {
      settings.front().required = true;
      settings.front().standard.clear();
    }
    return settings;
  };
  return of;
}

// A key of another section that this one cannot have: says why, instead of "unknown key".
template <class T>
Key<T> refused(std::string name, std::string why) {
  Key<T> key;
  key.read = [why](const Node& node, const Trail& trail, T&) { trail.wrong(node.place, why); };
  key.describe = [](const std::string&, const T&) { return std::vector<Setting>(); };
  key.name = std::move(name);
  key.refused = true;
  return key;
}

// "unknown key", with the closest name or with all known names.
std::string unknown_key(std::string_view name, const std::vector<std::string>& known);

template <class T>
std::vector<std::string> names_of(const Keys<T>& keys) {
  std::vector<std::string> names;
  for (const Key<T>& each : keys) {
    if (!each.refused) names.push_back(each.name);
  }
  return names;
}

// A key that is there, or that is misspelt and reported as such, is not reported as missing.
bool is_meant(const Node::Table& table, const std::string& name,
              const std::vector<std::string>& known);

template <class T>
void read_keys(const Node::Table& table, const TextPlace& place, const Keys<T>& keys,
               const Trail& trail, T& target) {
  const std::vector<std::string> known = names_of(keys);
  for (const Entry& entry : table) {
    const auto key = std::find_if(keys.begin(), keys.end(),
                                  [&](const Key<T>& each) { return each.name == entry.key; });
    if (key == keys.end()) {
      trail.key(entry.key).wrong(entry.place, unknown_key(entry.key, known));
    } else {
      key->read(entry.node, trail.key(entry.key), target);
    }
  }
  for (const Key<T>& each : keys) {
    if (each.required && !is_meant(table, each.name, known)) {
      trail.key(each.name).wrong(place, "is required: " + each.meaning);
    }
  }
}

// A check of a whole section after its keys are read: keys that exclude or need each other.
template <class T>
using Finish = std::type_identity_t<
    std::function<void(const Node::Table& table, const TextPlace& place, const Trail&, T&)>>;

// A table with these keys is a kind too.
template <class T>
Kind<T> section(Keys<T> of, Finish<T> finish = nullptr) {
  const auto keys = shared(std::move(of));
  Kind<T> kind;
  kind.type = "a table";
  kind.read = [keys, finish](const Node& node, const Trail& trail) -> std::optional<T> {
    const Node::Table* table = node.as<Node::Table>();
    if (table == nullptr) {
      trail.wrong(node.place, must_be("a table", described(node)));
      return std::nullopt;
    }
    T target;
    read_keys(*table, node.place, *keys, trail, target);
    if (finish) finish(*table, node.place, trail, target);
    return target;
  };
  kind.inside = [keys](const std::string& at, const T& standard) {
    std::vector<Setting> settings;
    for (const Key<T>& each : *keys) {
      for (Setting& setting : each.describe(at, standard))
        settings.push_back(std::move(setting));
    }
    return settings;
  };
  return kind;
}

}  // namespace surveybridge::config
