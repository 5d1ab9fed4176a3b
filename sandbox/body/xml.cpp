#include <algorithm>
#include <pugixml.hpp>
#include <sstream>

#include <fmt/format.h>

#include "sandbox/body/body.hpp"
#include "sandbox/model/text.hpp"

namespace sandbox {
namespace {

constexpr int kDeepestXml = 64;
constexpr std::string_view kInstance = "http://www.w3.org/2001/XMLSchema-instance";

std::string_view local(std::string_view name) {
  const auto colon = name.find(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

// The namespace of a prefix ("": none) at this element.
std::string_view namespace_of(pugi::xml_node node, std::string_view prefix) {
  const std::string name = prefix.empty() ? "xmlns" : "xmlns:" + std::string(prefix);
  for (; node; node = node.parent()) {
    if (const auto found = node.attribute(name.c_str())) return found.value();
  }
  return "";
}

std::string_view namespace_of(pugi::xml_node node) {
  const std::string_view name = node.name();
  const auto colon = name.find(':');
  return namespace_of(node, colon == name.npos ? "" : name.substr(0, colon));
}

bool is_nil(pugi::xml_node node) {
  for (const auto attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    const auto colon = name.find(':');
    if (colon == name.npos || local(name) != "nil") continue;
    if (namespace_of(node, name.substr(0, colon)) == kInstance) return attribute.as_bool();
  }
  return false;
}

// Turns elements into nodes; stops at the first fault.
class Reader {
 public:
  explicit Reader(const XmlStyle& style) : style_(style) {}
  std::string error;

  Node read(pugi::xml_node element, int depth = 1) {
    if (depth > kDeepestXml) return fail(fmt::format("deeper than {} levels", kDeepestXml));
    check_namespace(element);
    if (is_nil(element)) return {Null{}};
    Object object;
    object.xml = true;
    std::string text;
    for (const auto child : element.children()) {
      if (child.type() == pugi::node_element) {
        object.members.push_back({std::string(local(child.name())), read(child, depth + 1)});
      } else {
        text += child.value();
      }
      if (!error.empty()) return {};
    }
    if (object.members.empty()) return {Untyped{std::move(text)}};
    if (text.find_first_not_of(" \t\r\n") != text.npos) return fail("text beside elements");
    check_order(object);
    return {std::move(object)};
  }

 private:
  const XmlStyle& style_;

  Node fail(std::string message) {
    if (error.empty()) error = std::move(message);
    return {};
  }

  void check_namespace(pugi::xml_node element) {
    const std::string& expected = style_.expected_namespace;
    if (expected.empty() || namespace_of(element) == expected) return;
    fail(fmt::format("<{}> is not in the namespace {}", local(element.name()), expected));
  }

  void check_order(const Object& object) {
    if (!style_.expect_alphabetical) return;
    for (std::size_t at = 1; at < object.members.size(); ++at) {
      const auto &before = object.members[at - 1].name, &name = object.members[at].name;
      if (name < before) fail(fmt::format("<{}> stands behind <{}>", name, before));
    }
  }
};

std::string parse_failure(const pugi::xml_parse_result& result) {
  return fmt::format("not XML at byte {}: {}", result.offset, result.description());
}

bool fits_a_name(char c, bool first) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
  return letter || (!first && ((c >= '0' && c <= '9') || c == '-' || c == '.'));
}

// "Customers_x005B_3_x005D_" for "Customers[3]": .NET's name of an element for any text.
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

class XmlWriter {
 public:
  explicit XmlWriter(const WritingStyle& style) : style_(style) {
    if (!style.xml.prefix.empty()) prefix_ = style.xml.prefix + ":";
  }

  pugi::xml_node add(pugi::xml_node parent, std::string_view name) const {
    return parent.append_child((prefix_ + element_name(name)).c_str());
  }

  void fill(pugi::xml_node element, const Node& node) const {
    std::visit([&](const auto& value) { content(element, value); }, node.value);
  }

 private:
  const WritingStyle& style_;
  std::string prefix_;

  static void content(pugi::xml_node element, Null) {
    element.append_attribute("i:nil").set_value("true");
  }
  static void content(pugi::xml_node element, bool value) {
    element.text().set(value ? "true" : "false");
  }
  static void content(pugi::xml_node element, std::int64_t value) {
    element.text().set(std::to_string(value).c_str());
  }
  static void content(pugi::xml_node, const Decimal&) {}  // only read
  static void content(pugi::xml_node element, const Untyped& value) {
    content(element, value.text);
  }

  void content(pugi::xml_node element, const Enumeration& value) const {
    using Enumerations = WritingStyle::Enumerations;
    const bool name = style_.enumerations == Enumerations::documented ||
                      style_.enumerations == Enumerations::name;
    content(element, name ? std::string(value.name) : std::to_string(value.number));
  }

  // XML 1.0 has no way to write most control characters, not even escaped.
  static void content(pugi::xml_node element, const std::string& text) {
    std::string fit;
    for (const char c : text) {
      if (fits_xml({&c, 1})) {
        fit += c;
      } else {
        fit += "\xEF\xBF\xBD";
      }
    }
    element.text().set(fit.c_str());
  }

  void content(pugi::xml_node element, const List& list) const {
    if (list.items.empty() && style_.null_lists) content(element, Null{});
    for (const Node& item : list.items)
      fill(add(element, list.item), item);
  }

  void content(pugi::xml_node element, const Object& object) const {
    std::vector<const Member*> members;
    for (const Member& member : object.members)
      members.push_back(&member);
    if (style_.xml.alphabetical) {
      std::stable_sort(members.begin(), members.end(),
                       [](const Member* a, const Member* b) { return a->name < b->name; });
    }
    for (const Member* member : members) {
      const bool null = std::holds_alternative<Null>(member->node.value);
      if (!null || !style_.omit_nulls) fill(add(element, member->name), member->node);
    }
  }
};

}  // namespace

ParseResult read_xml(std::string_view text, std::string_view root, const XmlStyle& style) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!is_utf8(text)) return Malformed{"not UTF-8"};
  pugi::xml_document document;
  const unsigned flags = pugi::parse_default | pugi::parse_ws_pcdata_single | pugi::parse_doctype;
  const auto result = document.load_buffer(text.data(), text.size(), flags, pugi::encoding_utf8);
  if (!result) return Malformed{parse_failure(result)};
  for (const auto node : document.children()) {
    if (node.type() == pugi::node_doctype) return Malformed{"a DTD is not taken"};
  }
  const auto element = document.document_element();
  if (local(element.name()) != root) {
    return Malformed{fmt::format("expected <{}>, got <{}>", root, local(element.name()))};
  }
  Reader reader(style);
  Node node = reader.read(element);
  if (!reader.error.empty()) return Malformed{reader.error};
  return node;
}

std::string write_xml(std::string_view root, const Node& node, const WritingStyle& style) {
  const XmlWriter writer(style);
  pugi::xml_document document;
  pugi::xml_node element = writer.add(document, root);
  element.append_attribute("xmlns:i").set_value(std::string(kInstance).c_str());
  const std::string name = style.xml.prefix.empty() ? "xmlns" : "xmlns:" + style.xml.prefix;
  const std::string& uri = style.xml.namespace_uri;
  if (!uri.empty()) element.append_attribute(name.c_str()).set_value(uri.c_str());
  writer.fill(element, node);
  std::ostringstream out;
  out << R"(<?xml version="1.0" encoding="utf-8"?>)";
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  // A bare carriage return would be read as a line feed.
  std::string text = std::move(out).str();
  for (auto at = text.find('\r'); at != text.npos; at = text.find('\r', at))
    text.replace(at, 1, "&#xD;");
  return text;
}

}  // namespace sandbox
