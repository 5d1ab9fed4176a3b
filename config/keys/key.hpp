// A section of the configuration as a table of keys: name, target of the value, kind,
// description. Reading, unknown keys, missing keys, suggestions and the reference page all use
// this table.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "config/keys/kind.hpp"

namespace surveybridge::config {

// What does not depend on the target's type is here, and in key.cpp.
struct KeyFacts {
  std::string name, meaning;
  bool required = false;
  bool refused = false;  // a key of another section: not among the known ones
};
template <class T>
struct Key : KeyFacts {
  std::function<void(const Node&, const Trail&, T&)> read;
  std::function<std::vector<Setting>(const std::string& section, const KeyFacts&,
                                     const T& standard)>
      describe;
};
template <class T>
using Keys = std::vector<Key<T>>;

// Sections contain kinds and kinds contain sections: shared, so that copies stay small.
template <class V>
std::shared_ptr<const V> shared(V value) {
  return std::make_shared<const V>(std::move(value));
}

// `standard`: null where an absent key has a meaning of its own.
template <class V>
std::vector<Setting> described_as(const Kind<V>& kind, const std::string& section,
                                  const KeyFacts& key, const V* standard) {
  if (kind.inside) return kind.inside(dotted(section, key.name), standard ? *standard : V{});
  const bool shown = standard != nullptr && kind.show;
  return {{section, key.name, kind.type, shown ? kind.show(*standard) : "", false, key.meaning,
           whole_schema(kind.form, kind.schema)}};
}

// A key whose value goes into a member, which may be an optional one. A section calls it for each
// of its keys: not inlined, it compiles more quickly.
template <class T, class M, class V>
[[gnu::noinline]] Key<T> key(std::string_view name, M T::*member, Kind<V> of,
                             std::string_view meaning) {
  const auto kind = shared(std::move(of));
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = read_value(*kind, node, trail)) target.*member = *std::move(value);
  };
  const auto describe = [=](const std::string& section, const KeyFacts& facts,
                            [[maybe_unused]] const T& standard) {
    const V* shown = nullptr;
    if constexpr (std::is_same_v<M, V>) shown = &(standard.*member);
    return described_as(*kind, section, facts, shown);
  };
  return {{std::string(name), std::string(meaning)}, read, describe};
}

// A key whose value goes to more than one place.
template <class T, class V>
Key<T> key(std::string_view name, void (*store)(T&, V), Kind<V> of, std::string_view meaning) {
  const auto kind = shared(std::move(of));
  const auto read = [=](const Node& node, const Trail& trail, T& target) {
    if (auto value = read_value(*kind, node, trail)) store(target, *std::move(value));
  };
  const auto describe = [=](const std::string& section, const KeyFacts& facts, const T&) {
    const V* shown = nullptr;
    return described_as(*kind, section, facts, shown);
  };
  return {{std::string(name), std::string(meaning)}, read, describe};
}

template <class T>
Key<T> required(Key<T> of) {
  of.required = true;
  return of;
}

// A key of another section that this one cannot have: says why, instead of "unknown key".
template <class T>
Key<T> refused(std::string_view name, const std::string& why) {
  const auto read = [why](const Node& node, const Trail& trail, T&) {
    trail.wrong(node.place, why);
  };
  const auto describe = [](const std::string&, const KeyFacts&, const T&) {
    return std::vector<Setting>();
  };
  return {{std::string(name), "", false, true}, read, describe};
}

// "unknown key", with the closest name or with all known names.
std::string unknown_key(std::string_view name, const std::vector<std::string>& known);

// Calls `read` with each entry of the table that is one of the keys, and the key's position;
// reports the others, and required keys that are missing.
void read_entries(const Node::Table& table, const TextPlace& place,
                  const std::vector<KeyFacts>& keys, const Trail& trail,
                  const std::function<void(std::size_t, const Node&, const Trail&)>& read);

template <class T>
void read_keys(const Node::Table& table, const TextPlace& place, const Keys<T>& keys,
               const Trail& trail, T& target) {
  read_entries(table, place, std::vector<KeyFacts>(keys.begin(), keys.end()), trail,
               [&](std::size_t key, const Node& node, const Trail& at) {
                 keys[key].read(node, at, target);
               });
}

// A check of a whole section after its keys are read: keys that exclude or need each other.
template <class T>
using Finish = std::type_identity_t<
    std::function<void(const Node::Table& table, const TextPlace& place, const Trail&, T&)>>;

// Adds what one key says; a required key has no default.
void add_settings(std::vector<Setting>& all, std::vector<Setting> of_key, bool is_required);

// A table with these keys is a kind too.
template <class T>
Kind<T> section(Keys<T> of, Finish<T> finish = nullptr) {
  const auto keys = shared(std::move(of));
  Kind<T> kind;
  kind.type = "a table";
  kind.read = [keys, finish](const Node& node, const Trail& trail) -> std::optional<T> {
    const auto* table = content<Node::Table>(node, trail, "a table");
    if (table == nullptr) return std::nullopt;
    T target;
    read_keys(*table, node.place, *keys, trail, target);
    if (finish) finish(*table, node.place, trail, target);
    return target;
  };
  kind.inside = [keys](const std::string& at, const T& standard) {
    std::vector<Setting> settings;
    for (const Key<T>& each : *keys)
      add_settings(settings, each.describe(at, each, standard), each.required);
    return settings;
  };
  return kind;
}

}  // namespace surveybridge::config
