// A body as a tree, independent of JSON and XML: both codecs read into it and write from it, so the
// rules of the service are written once. A value.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sandbox {

struct Node;
struct Member;

struct Null {};
struct Decimal {};  // a JSON number that is no 64-bit integer; it is only read
struct Untyped {
  std::string text;  // an XML element without children: any scalar, or an empty collection
};
struct Enumeration {
  std::int64_t number = 0;
  std::string_view name;  // refers to a table that lives as long as the program
};
struct List {
  std::string_view item;  // the XML element of an item; empty in a list read from JSON
  std::vector<Node> items;
};
struct Object {
  std::vector<Member> members;  // in the order written; XML collections repeat their items' name
  bool xml = false;             // read from XML
};

struct Node {
  using Value = std::variant<Null, bool, std::int64_t, Decimal, std::string, Untyped, Enumeration,
                             List, Object>;
  Value value;
};

struct Member {
  std::string name;
  Node node;
};

// The error of reading, for a person: "line 1, column 7: ...".
struct Malformed {
  std::string message;
};
using ParseResult = std::variant<Node, Malformed>;

// Appends a member; nodes are built in the order of the tables in docs/SERVICE.md.
template <typename T>
void put(Object& object, std::string_view name, T&& value) {
  object.members.push_back({std::string(name), Node{Node::Value(std::forward<T>(value))}});
}

struct Put {
  std::string_view name;
  Node::Value value;
};

// An object of these members, in their order.
inline Object object_of(std::initializer_list<Put> members) {
  Object object;
  for (const Put& member : members)
    put(object, member.name, member.value);
  return object;
}

}  // namespace sandbox
