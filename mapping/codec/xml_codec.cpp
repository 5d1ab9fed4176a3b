// The only file that includes pugixml. Elements that the description does not have are skipped, so
// the recursion is as deep as the description, whatever the depth of the body.
#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <sstream>

#include <fmt/core.h>

#include "mapping/codec/formats.hpp"
#include "mapping/codec/mend.hpp"
#include "mapping/codec/xml_scan.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {
namespace {

using Kind = Token::Kind;

bool is_text(const pugi::xml_node& node) {
  return node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
}

bool has_elements(const pugi::xml_node& node) {
  for (const auto& child : node) {
    if (child.type() == pugi::node_element) return true;
  }
  return false;
}

// A comment or CDATA divides a text into several nodes.
std::string text_of(const pugi::xml_node& node) {
  std::string text;
  for (const auto& child : node) {
    if (is_text(child)) text += child.value();
  }
  return text;
}

bool has_only_blank_text(const pugi::xml_node& node) {
  return is_blank(text_of(node));
}

bool is_nil(const pugi::xml_node& node) {
  for (const auto& attribute : node.attributes()) {
    if (local_name(attribute.name()) != "nil") continue;
    const std::string_view value = attribute.value();
    return value == "true" || value == "1";
  }
  return false;
}

std::string text_of_element(const pugi::xml_node& node) {
  std::ostringstream text;
  node.print(text, "", pugi::format_raw);
  return text.str();
}

bool tell_member(const pugi::xml_node& node, RecordBuilder& builder);

// May this attribute be a value, and not something about the element?
bool may_be_value(const pugi::xml_attribute& attribute) {
  constexpr std::array<std::string_view, 5> kNoValues = {"xmlns", "type", "nil", "null", "id"};
  const std::string_view name = attribute.name();
  const auto is_name = [&](std::string_view other) { return same_name(name, other); };
  return name.find(':') == name.npos && std::ranges::none_of(kNoValues, is_name) &&
         !is_blank(attribute.value());
}

// May an attribute of the empty element be its value? It counts where somebody would be mailed who
// must not be: a boolean, a date, an address.
bool has_value_aside(const pugi::xml_node& node, Type type) {
  if (type != Type::boolean && type != Type::instant && type != Type::text) return false;
  return std::ranges::any_of(node.attributes(), [&](const auto& attribute) {
    const std::string_view value = attribute.value();
    return may_be_value(attribute) && (type != Type::text || value.find('@') != value.npos);
  });
}

bool tell_scalar(const pugi::xml_node& node, RecordBuilder& builder) {
  if (has_elements(node)) return builder.fail("expected a single value, got elements");
  const std::string text = text_of(node);
  if (is_nil(node) && is_blank(text)) return builder.scalar({Kind::null, {}});
  if (is_nil(node)) return builder.fail("expected nothing in an element that is nil, got text");
  const Field* field = builder.field();
  if (is_blank(text) && field != nullptr && has_value_aside(node, field->type))
    return builder.fail("expected a single value, got attributes");
  return builder.scalar({Kind::markup, text});
}

// Members that stand as attributes of their object, where no element has their name.
bool tell_attribute_members(const pugi::xml_node& node, RecordBuilder& builder) {
  for (const auto& attribute : node.attributes()) {
    const std::string_view name = attribute.name(), value = attribute.value();
    const bool is_number = same_name(name, "id") && to_number<std::int64_t>(value);
    if ((!is_number && !may_be_value(attribute)) || !builder.lacks_scalar(name)) continue;
    if (!builder.member(name) || !builder.scalar({Kind::markup, value})) return false;
  }
  return true;
}

bool tell_object(const pugi::xml_node& node, RecordBuilder& builder) {
  if (is_nil(node)) return builder.scalar({Kind::null, {}});
  if (!builder.begin_object()) return false;
  if (!has_only_blank_text(node) && !builder.fail("expected elements, got text")) return false;
  for (const auto& child : node) {
    if (child.type() != pugi::node_element) continue;
    if (!builder.member(local_name(child.name())) || !tell_member(child, builder)) return false;
  }
  return tell_attribute_members(node, builder) && builder.end();
}

void tell_attributes(const pugi::xml_node& node, RecordBuilder& builder) {
  for (const auto& attribute : node.attributes()) {
    const std::string_view name = attribute.name();
    if (!name.starts_with("xmlns")) builder.attribute(local_name(name), attribute.value());
  }
}

bool tell_list(const pugi::xml_node& node, const Field& field, RecordBuilder& builder) {
  if (is_nil(node)) return true;
  tell_attributes(node, builder);
  if (!builder.begin_list()) return false;
  const bool has_text = !has_only_blank_text(node);
  // Beside objects it is told like an item that is none: the others are whole.
  const bool beside = has_text && field.type == Type::object && has_elements(node);
  if (has_text && !beside && !builder.fail("expected elements, got text")) return false;
  for (const auto& item : node) {
    if (item.type() != pugi::node_element) continue;
    const bool told =
        field.type == Type::object ? tell_object(item, builder) : tell_scalar(item, builder);
    if (!told) return false;
    if (builder.wants_raw()) builder.raw(text_of_element(item));
  }
  if (beside) {
    const std::string text = text_of(node);
    if (!builder.scalar({Kind::markup, text})) return false;
    if (builder.wants_raw()) builder.raw(text);
  }
  return builder.end();
}

// The first text in the element, however deep.
std::string any_text(const pugi::xml_node& node) {
  const auto found = node.find_node(
      [](const pugi::xml_node& each) { return is_text(each) && !is_blank(each.value()); });
  return found.value();
}

bool tell_member(const pugi::xml_node& node, RecordBuilder& builder) {
  const Field* field = builder.field();
  if (field == nullptr && builder.is_about_page()) {
    for (const auto& child : node) {
      builder.member_within(local_name(child.name()));
      builder.unknown([&] { return any_text(child); });
    }
    return true;
  }
  if (field == nullptr) return builder.unknown([&] { return any_text(node); });
  if (field->list) return tell_list(node, *field, builder);
  return field->type == Type::object ? tell_object(node, builder) : tell_scalar(node, builder);
}

// Blanks are kept only where they are the whole text of an element.
constexpr unsigned kOptions = pugi::parse_default | pugi::parse_ws_pcdata_single;

std::optional<Malformed> load(std::string_view body, const Limits& limits,
                              pugi::xml_document& document) {
  if (auto fault = fault_in_markup(body, limits)) return Malformed{"", std::move(*fault), true};
  const auto parsed = document.load_buffer(body.data(), body.size(), kOptions, pugi::encoding_utf8);
  if (parsed) return std::nullopt;
  return Malformed{"", fmt::format("not XML at byte {}", parsed.offset + 1), true};
}

void tell_texts(const pugi::xml_node& node, std::vector<std::string>& names, const LeafSeen& seen) {
  names.push_back(decoded_name(local_name(node.name())));
  for (const auto& attribute : node.attributes()) {
    if (std::string_view(attribute.name()).starts_with("xmlns")) continue;
    names.emplace_back(local_name(attribute.name()));
    seen({names.back(), attribute.value(), Token::Kind::markup, names, 0});
    names.pop_back();
  }
  for (const auto& child : node) {
    if (is_text(child)) seen({names.back(), child.value(), Token::Kind::text, names, 0});
    if (child.type() == pugi::node_element) tell_texts(child, names, seen);
  }
  names.pop_back();
}

}  // namespace

std::optional<Malformed> read_xml(std::string_view body, const Limits& limits,
                                  RecordBuilder& builder) {
  pugi::xml_document document;
  if (auto malformed = load(body, limits, document)) return malformed;
  tell_attributes(document.document_element(), builder);
  if (tell_object(document.document_element(), builder)) return std::nullopt;
  return builder.failure();
}

bool is_xml(std::string_view text, const Limits& limits) {
  pugi::xml_document document;
  return !load(text, limits, document);
}

bool read_xml_as_far_as_it_goes(std::string_view body, RecordBuilder& builder) {
  constexpr std::size_t kMost = 64 * 1024;
  pugi::xml_document document;
  const auto parsed = document.load_buffer(body.data(), std::min(body.size(), kMost), kOptions,
                                           pugi::encoding_utf8);
  const bool is_told = tell_object(document.document_element(), builder);
  return parsed && is_told && body.size() <= kMost;
}

bool each_xml_leaf(std::string_view body, const LeafSeen& seen) {
  pugi::xml_document document;
  if (load(body, Limits{}, document)) return false;
  std::vector<std::string> names;
  tell_texts(document.document_element(), names, seen);
  return true;
}

}  // namespace surveybridge::mapping
