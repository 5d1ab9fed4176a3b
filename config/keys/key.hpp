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

// What a key of a section `T` holds: how it is read into the section, and described. A class and no
// functions of their own types, for a section has many keys: it compiles more quickly.
template <class T>
class KeyValue {
 public:
  virtual ~KeyValue() = default;
  virtual void read(const Node& node, const Trail& trail, T& target) const = 0;
  virtual std::vector<Setting> describe(const std::string& section, const KeyFacts& key,
                                        const T& standard) const = 0;
};
template <class T>
struct Key : KeyFacts {
  std::shared_ptr<const KeyValue<T>> value;
};
template <class T>
using Keys = std::vector<Key<T>>;

// `standard`: null where an absent key has a meaning of its own.
template <class V>
std::vector<Setting> described_as(const Kind<V>& kind, const std::string& section,
                                  const KeyFacts& key, const V* standard) {
  if (kind.inside) return kind.inside(dotted(section, key.name), standard ? *standard : V{});
  const bool shown = standard != nullptr && kind.show;
  return {{section, key.name, kind.type, shown ? kind.show(*standard) : "", false, key.meaning,
           whole_schema(kind.form, kind.schema)}};
}

// A value that goes into a member, which may be an optional one, or by a function to more than one.
template <class T, class V, class Into>
class ValueInto final : public KeyValue<T> {
 public:
  ValueInto(Into into, Kind<V> kind) : into_(into), kind_(std::move(kind)) {}
  void read(const Node& node, const Trail& trail, T& target) const override {
    auto value = read_value(kind_, node, trail);
    if (!value) return;
    if constexpr (std::is_member_pointer_v<Into>)
      target.*into_ = *std::move(value);
    else
      into_(target, *std::move(value));
  }
  std::vector<Setting> describe(const std::string& section, const KeyFacts& key,
                                [[maybe_unused]] const T& standard) const override {
    const V* shown = nullptr;
    if constexpr (std::is_same_v<Into, V T::*>) shown = &(standard.*into_);
    return described_as(kind_, section, key, shown);
  }

 private:
  Into into_;
  Kind<V> kind_;
};

// A key that this section cannot have.
template <class T>
class RefusedValue final : public KeyValue<T> {
 public:
  explicit RefusedValue(std::string why) : why_(std::move(why)) {}
  void read(const Node& node, const Trail& trail, T&) const override {
    trail.wrong(node.place, why_);
  }
  std::vector<Setting> describe(const std::string&, const KeyFacts&, const T&) const override {
    return {};
  }

 private:
  std::string why_;
};

// Owned as what it derives from: there is one kind of owner for each section, and not for each key.
template <class T>
Key<T> key(std::string_view name, const KeyValue<T>* made, std::string_view meaning) {
  return {{std::string(name), std::string(meaning)}, std::shared_ptr<const KeyValue<T>>(made)};
}
template <class T, class M, class V>
Key<T> key(std::string_view name, M T::*member, Kind<V> of, std::string_view meaning) {
  return key<T>(name, new ValueInto<T, V, M T::*>(member, std::move(of)), meaning);
}
template <class T, class V>
Key<T> key(std::string_view name, void (*store)(T&, V), Kind<V> of, std::string_view meaning) {
  return key<T>(name, new ValueInto<T, V, void (*)(T&, V)>(store, std::move(of)), meaning);
}

template <class T>
Key<T> required(Key<T> of) {
  of.required = true;
  return of;
}

// A key of another section that this one cannot have: says why, instead of "unknown key".
template <class T>
Key<T> refused(std::string_view name, const std::string& why) {
  return {{std::string(name), "", false, true}, std::make_shared<RefusedValue<T>>(why)};
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
                 keys[key].value->read(node, at, target);
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
  // Sections contain kinds and kinds contain sections: shared, so that copies stay small.
  const auto keys = std::make_shared<const Keys<T>>(std::move(of));
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
      add_settings(settings, each.value->describe(at, each, standard), each.required);
    return settings;
  };
  return kind;
}

}  // namespace surveybridge::config
