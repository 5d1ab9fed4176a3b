// The TOML file as nodes: values with their places, tables in the order written.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/problem.hpp"
#include "config/settings.hpp"

namespace surveybridge::config {

// A TOML time without a date. No setting has this type: times of day are strings ("10:00").
struct BareTime {};

struct Entry;

struct Node {
  using List = std::vector<Node>;
  using Table = std::vector<Entry>;
  TextPlace place;
  std::variant<bool, std::int64_t, double, std::string, Date, BareTime, List, Table> value;
  bool in_line = false;  // a table written as { … }

  template <class T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
};

struct Entry {
  std::string key;
  TextPlace place;  // of the key
  Node node;        // has the place of the value
};

const Entry* find(const Node::Table& table, std::string_view key);

// For "must be …, got …": the type and, where it is short, the value: "integer 30", "a table".
std::string described(const Node& node);

// The root table, or the first syntax error. `file` is the name used in places.
std::variant<Node, Problem> read_toml(std::string_view text, const std::string& file);

}  // namespace surveybridge::config
