#include <algorithm>

#include <fmt/format.h>

#include "sandbox/body/xml.hpp"

namespace sandbox {
namespace {

bool fits_a_name(char c, bool first) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
  return letter || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

class XmlWriter {
 public:
  explicit XmlWriter(const WritingStyle& style) : style_(style) {
    if (!style.xml.prefix.empty()) prefix_ = style.xml.prefix + ":";
  }
  std::string out = R"(<?xml version="1.0" encoding="utf-8"?>)";

  void write_root(std::string_view name, const Node& node) {
    std::string attributes = R"( xmlns:i="http://www.w3.org/2001/XMLSchema-instance")";
    if (!style_.xml.namespace_uri.empty()) {
      const std::string colon = style_.xml.prefix.empty() ? "" : ":" + style_.xml.prefix;
      attributes += fmt::format(R"( xmlns{}="{}")", colon, style_.xml.namespace_uri);
    }
    element(name, node, attributes);
  }

 private:
  const WritingStyle& style_;
  std::string prefix_;

  void element(std::string_view name, const Node& node, std::string_view attributes = "") {
    const std::string tag = prefix_ + element_name(name);
    const auto* list = std::get_if<List>(&node.value);
    const bool null = std::holds_alternative<Null>(node.value) ||
                      (list != nullptr && list->items.empty() && style_.null_lists);
    out += '<' + tag + std::string(attributes);
    if (null) {
      out += R"( i:nil="true"/>)";
      return;
    }
    out += '>';
    std::visit([this](const auto& value) { content(value); }, node.value);
    out += "</" + tag + '>';
  }

  void content(Null) {}
  void content(bool value) { out += value ? "true" : "false"; }
  void content(std::int64_t value) { out += std::to_string(value); }
  void content(const Decimal& value) { out += value.digits; }
  void content(const Untyped& value) { content(value.text); }

  void content(const Enumeration& value) {
    using Enumerations = WritingStyle::Enumerations;
    const bool name = style_.enumerations == Enumerations::documented ||
                      style_.enumerations == Enumerations::name;
    out += name ? std::string(value.name) : std::to_string(value.number);
  }

  void content(const std::string& text) {
    for (const char c : text)
      escape(c);
  }

  void escape(char c) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '\r') {
      out += "&#xD;";  // a bare one would be read as a line feed
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') {
      out += "\xEF\xBF\xBD";  // XML 1.0 has no way to write it, not even escaped
    } else {
      out += c;
    }
  }

  void content(const List& list) {
    for (const Node& item : list.items)
      element(list.item, item);
  }

  void content(const Object& object) {
    std::vector<const Member*> members;
    for (const Member& member : object.members)
      members.push_back(&member);
    if (style_.xml.alphabetical) {
      std::stable_sort(members.begin(), members.end(),
                       [](const Member* a, const Member* b) { return a->name < b->name; });
    }
    for (const Member* member : members) {
      const bool null = std::holds_alternative<Null>(member->node.value);
      if (!null || !style_.omit_nulls) element(member->name, member->node);
    }
  }
};

}  // namespace

std::string element_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (fits_a_name(c, out.empty())) {
      out += c;
    } else {
      out += fmt::format("_x{:04X}_", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string write_xml(std::string_view root, const Node& node, const WritingStyle& style) {
  XmlWriter writer(style);
  writer.write_root(root, node);
  return std::move(writer.out);
}

}  // namespace sandbox
