#include "sandbox/body/fields.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sandbox/model/text.hpp"

namespace sandbox {
namespace {

// Shows a value in a message without letting a hostile one grow it. No character is cut in two.
std::string in_quotes(std::string_view text) {
  std::size_t shown = std::min<std::size_t>(40, text.size());
  while (shown > 0 && shown < text.size() && (text[shown] & 0xC0) == 0x80)
    --shown;
  return fmt::format("\"{}{}\"", text.substr(0, shown), shown < text.size() ? "…" : "");
}

std::string kind_of(const Node& node) {
  static constexpr std::string_view kKinds[] = {"null",           "a boolean", "an integer",
                                                "a decimal",      "a string",  "an XML value",
                                                "an enumeration", "an array",  "an object"};
  return std::string(kKinds[node.value.index()]);
}

bool is_null(const Node& node) {
  return std::holds_alternative<Null>(node.value);
}

std::optional<bool> truth(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

const std::string* any_text(const Node& node) {
  if (const auto* text = std::get_if<std::string>(&node.value)) return text;
  if (const auto* raw = std::get_if<Untyped>(&node.value)) return &raw->text;
  return nullptr;
}

}  // namespace

Integer read_integer(const Node& node, const std::string& place, Findings& findings) {
  if (const auto* number = std::get_if<std::int64_t>(&node.value)) return *number;
  if (const auto* raw = std::get_if<Untyped>(&node.value)) {
    if (const auto number = whole_number(raw->text)) return number;
    findings.add(place, fmt::format("expected an integer, got {}", in_quotes(raw->text)));
  } else {
    findings.add(place, fmt::format("expected an integer, got {}", kind_of(node)));
  }
  return std::nullopt;
}

Fields::Fields(const Node& node, std::string place, Findings& findings)
    : object_(std::get_if<Object>(&node.value)), place_(std::move(place)), findings_(findings) {
  const auto* raw = std::get_if<Untyped>(&node.value);
  if (object_ == nullptr && !(raw != nullptr && raw->text.empty())) {
    findings_.add(place_, fmt::format("expected an object, got {}", kind_of(node)));
  }
}

std::string Fields::place_of(std::string_view name) const {
  return fmt::format("{}.{}", place_, name);
}

void Fields::refuse(std::string_view name, std::string message) {
  findings_.add(place_of(name), std::move(message));
}

const Node* Fields::look(std::string_view name) const {
  if (object_ == nullptr) return nullptr;
  for (const Member& member : object_->members) {
    if (member.name == name) return is_null(member.node) ? nullptr : &member.node;
  }
  return nullptr;
}

const Node* Fields::find(std::string_view name) {
  known_.push_back(name);
  return look(name);
}

void Fields::require(std::string_view name) {
  if (object_ != nullptr && look(name) == nullptr) refuse(name, "is required");
}

Text Fields::text(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  const std::string* text = any_text(*node);
  if (text == nullptr) {
    refuse(name, fmt::format("expected a string, got {}", kind_of(*node)));
    return std::nullopt;
  }
  // The lists are answered in XML, too.
  if (!fits_xml(*text)) refuse(name, "holds a character that XML cannot hold");
  return *text;
}

Integer Fields::integer(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  return read_integer(*node, place_of(name), findings_);
}

std::optional<bool> Fields::boolean(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  if (const auto* value = std::get_if<bool>(&node->value)) return *value;
  if (const auto* raw = std::get_if<Untyped>(&node->value)) {
    if (const auto value = truth(raw->text)) return value;
  }
  refuse(name, fmt::format("expected true or false, got {}", kind_of(*node)));
  return std::nullopt;
}

Instant Fields::instant(std::string_view name) {
  const Node* node = find(name);
  if (node == nullptr) return std::nullopt;
  const std::string* text = any_text(*node);
  if (text == nullptr) {
    refuse(name, fmt::format("expected a date-time, got {}", kind_of(*node)));
    return std::nullopt;
  }
  const auto read = read_date(*text);
  if (!read) {
    refuse(name,
           fmt::format("not an ISO 8601 date-time of the years 1 to 9999: {}", in_quotes(*text)));
  } else if (!read->offset) {
    refuse(name, fmt::format("a date-time needs a UTC offset: {}", in_quotes(*text)));
  } else {
    return read->instant(*read->offset);
  }
  return std::nullopt;
}

std::vector<const Node*> Fields::list(std::string_view name, std::string_view item) {
  std::vector<const Node*> items;
  const Node* node = find(name);
  if (node == nullptr) return items;
  if (const auto* list = std::get_if<List>(&node->value)) {
    for (const Node& one : list->items)
      items.push_back(&one);
  } else if (const auto* object = std::get_if<Object>(&node->value); object && object->xml) {
    for (const Member& member : object->members) {
      if (member.name == item) {
        items.push_back(&member.node);
      } else {
        refuse(name, fmt::format("expected <{}>, got <{}>", item, member.name));
      }
    }
  } else if (const auto* raw = std::get_if<Untyped>(&node->value); !raw || !raw->text.empty()) {
    refuse(name, fmt::format("expected an array, got {}", kind_of(*node)));
  }
  return items;
}

void Fields::refuse_rest() {
  if (object_ == nullptr) return;
  std::vector<std::string_view> seen;
  for (const Member& member : object_->members) {
    const auto is = [&](std::string_view name) { return name == member.name; };
    if (std::none_of(known_.begin(), known_.end(), is)) refuse(member.name, "no such member");
    if (std::any_of(seen.begin(), seen.end(), is)) refuse(member.name, "appears twice");
    seen.push_back(member.name);
  }
}

}  // namespace sandbox
