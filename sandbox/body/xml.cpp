#include "sandbox/body/xml.hpp"

#include <pugixml.hpp>

#include <fmt/format.h>

#include "sandbox/values/utf8.hpp"

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

}  // namespace sandbox
