#include "sandbox/body/json.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sandbox/values/http.hpp"

namespace sandbox {
namespace {

constexpr std::size_t kDeepestJson = 64;

// nlohmann calls this for each token; open_ is the path of containers not yet closed.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Node root;
  std::string error;

  bool null() override { return add(Null{}); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(std::int64_t{value}); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) return add(Decimal{std::to_string(value)});
    return add(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t, const string_t& digits) override {
    return add(Decimal{digits});
  }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Object{}); }
  bool start_array(std::size_t) override { return open(List{}); }
  bool end_object() override { return open_.pop_back(), true; }
  bool end_array() override { return open_.pop_back(), true; }

  bool key(string_t& name) override {
    auto& members = std::get<Object>(open_.back()->value).members;
    const auto same = [&](const Member& member) { return member.name == name; };
    if (std::any_of(members.begin(), members.end(), same)) {
      error = fmt::format("the member \"{}\" appears twice in one object", name);
      return false;
    }
    members.push_back({std::move(name), {}});
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    error = fmt::format("not JSON at byte {}", position);
    return false;
  }

 private:
  std::vector<Node*> open_;

  Node* place(Node::Value value) {
    if (open_.empty()) return root.value = std::move(value), &root;
    if (auto* list = std::get_if<List>(&open_.back()->value)) {
      list->items.push_back({std::move(value)});
      return &list->items.back();
    }
    Node& node = std::get<Object>(open_.back()->value).members.back().node;
    return node.value = std::move(value), &node;
  }

  bool add(Node::Value value) { return place(std::move(value)), true; }

  bool open(Node::Value value) {
    if (open_.size() == kDeepestJson) {
      error = fmt::format("deeper than {} levels", kDeepestJson);
      return false;
    }
    open_.push_back(place(std::move(value)));
    return true;
  }
};

class Writer {
 public:
  explicit Writer(const WritingStyle& style) : style_(style) {}
  std::string out;

  void write(const Node& node) {
    std::visit([this](const auto& value) { put(value); }, node.value);
  }

 private:
  const WritingStyle& style_;

  void put(Null) { out += "null"; }
  void put(bool value) { out += value ? "true" : "false"; }
  void put(std::int64_t value) { out += std::to_string(value); }
  void put(const Decimal& value) { out += value.digits; }
  void put(const Untyped& value) { put(value.text); }

  void put(const Enumeration& value) {
    switch (style_.enumerations) {
      case WritingStyle::Enumerations::documented:
      case WritingStyle::Enumerations::number:
        return put(value.number);
      case WritingStyle::Enumerations::name:
        return put(std::string(value.name));
      case WritingStyle::Enumerations::number_text:
        return put(std::to_string(value.number));
    }
  }

  void put(const std::string& text) {
    out += '"';
    for (const char c : text)
      escape(c);
    out += '"';
  }

  void escape(char c) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }

  void put(const List& list) {
    if (list.items.empty() && style_.null_lists) return put(Null{});
    out += '[';
    for (const Node& item : list.items) {
      if (&item != &list.items.front()) out += ',';
      write(item);
    }
    out += ']';
  }

  // Clients must ignore the case of names; some deployments write another case.
  std::string spelled(std::string name) const {
    using Names = WritingStyle::Names;
    const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
    if (style_.names == Names::camel && !name.empty()) name[0] = lower_case(name.substr(0, 1))[0];
    if (style_.names == Names::upper) std::transform(name.begin(), name.end(), name.begin(), upper);
    return name;
  }

  void put(const Object& object) {
    out += '{';
    for (const Member& member : object.members) {
      if (style_.omit_nulls && std::holds_alternative<Null>(member.node.value)) continue;
      if (out.back() != '{') out += ',';
      put(spelled(member.name));
      out += ':';
      write(member.node);
    }
    out += '}';
  }
};

}  // namespace

ParseResult read_json(std::string_view text) {
  Builder builder;
  if (nlohmann::json::sax_parse(text, &builder)) return std::move(builder.root);
  return Malformed{builder.error};
}

std::string write_json(const Node& node, const WritingStyle& style) {
  Writer writer(style);
  writer.write(node);
  return std::move(writer.out);
}

}  // namespace sandbox
