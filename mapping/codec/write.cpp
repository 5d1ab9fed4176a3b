// Writes records. In JSON members come in the order of the description: the same record gives the
// same bytes. In XML elements come in alphabetical order, as the service's serializer needs them,
// in the namespaces of the deployment.
#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "config/text.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/values/base64.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

// Is there nothing to write? Null, an absent object, an empty list, an empty enumerator.
bool is_absent(const Field& field, const Slot& slot) {
  if (field.type == Type::object) return slot.records.empty();
  if (field.list) return slot.values.empty();
  const auto* enumerator = std::get_if<Enumerator>(&slot.value);
  return is_null(slot.value) ||
         (enumerator != nullptr && !enumerator->number && enumerator->name.empty());
}

void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\n\r\t", kNames = "\"\\nrt";
  out += '"';
  for (const char c : text) {
    if (const auto known = kEscaped.find(c); known != kEscaped.npos) {
      out += '\\';
      out += kNames[known];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// XML excludes U+FFFE and U+FFFF too.
std::string without_noncharacters(std::string text) {
  for (const std::string_view excluded : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (auto at = text.find(excluded); at != text.npos; at = text.find(excluded, at)) {
      text.replace(at, excluded.size(), "\uFFFD");
    }
  }
  return text;
}

void append_xml_text(std::string& out, std::string_view text) {
  constexpr std::pair<char, std::string_view> kEscapes[] = {
      {'&', "&amp;"},
      {'<', "&lt;"},
      {'>', "&gt;"},
      {'"', "&quot;"},
      {'\r', "&#13;"}};  // a bare one would be read as the end of a line
  for (const char c : without_noncharacters(config::well_formed(text))) {
    const auto* escape = std::ranges::find(kEscapes, c, &std::pair<char, std::string_view>::first);
    if (escape != std::end(kEscapes)) {
      out += escape->second;
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') {
      out += "\uFFFD";  // XML 1.0 cannot write it
    } else {
      out += c;
    }
  }
}

// How each kind of value is written.
struct Spelling {
  std::string& out;
  Format format;

  void operator()(const Null&) const {
    if (format == Format::json) out += "null";
  }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { out += std::to_string(value); }
  void operator()(const Decimal& value) const { out += value.text; }
  void operator()(const std::string& value) const {
    if (format == Format::json) return append_quoted(out, config::well_formed(value));
    append_xml_text(out, value);
  }
  void operator()(Instant value) const { (*this)(write_instant(value)); }
  void operator()(LocalTime value) const { (*this)(write_local(value)); }
  void operator()(const Bytes& value) const { (*this)(write_base64(value.bytes)); }
  void operator()(const Enumerator& value) const {
    const bool by_number = value.number && (format == Format::json || value.name.empty());
    if (by_number) return (*this)(*value.number);
    (*this)(value.name);
  }
};

void append_object(std::string& out, const Record& record);

void append_list(std::string& out, const Slot& slot) {
  char before = '[';
  for (const Record& item : slot.records) {
    out += std::exchange(before, ',');
    append_object(out, item);
  }
  for (const Value& item : slot.values) {
    out += std::exchange(before, ',');
    std::visit(Spelling{out, Format::json}, item);
  }
  out += ']';
}

void append_slot(std::string& out, const Field& field, const Slot& slot) {
  if (field.list) return append_list(out, slot);
  if (field.type == Type::object) return append_object(out, slot.records.front());
  std::visit(Spelling{out, Format::json}, slot.value);
}

void append_object(std::string& out, const Record& record) {
  char before = '{';
  for (const Field& field : record.resource->fields) {
    const Slot& slot = record.slots[record.resource->index(field)];
    if (is_absent(field, slot)) continue;
    out += std::exchange(before, ',');
    append_quoted(out, field.name);
    out += ':';
    append_slot(out, field, slot);
  }
  if (before == '{') out += before;
  out += '}';
}

template <typename Inside>
void append_element(std::string& out, std::string_view name, const Inside& inside) {
  out += fmt::format("<{}>", name);
  inside();
  out += fmt::format("</{}>", name);
}

// `items`: the prefix of the items of a scalar list: "a:", or nothing.
void append_elements(std::string& out, const Record& record, std::string_view items);

void append_content(std::string& out, const Field& field, const Slot& slot,
                    std::string_view items) {
  if (!field.list && field.type == Type::object) {
    return append_elements(out, slot.records.front(), items);
  }
  if (!field.list) return std::visit(Spelling{out, Format::xml}, slot.value);
  for (const Record& item : slot.records) {
    append_element(out, field.xml_item, [&] { append_elements(out, item, items); });
  }
  for (const Value& item : slot.values) {
    const std::string name = std::string(items) + std::string(field.xml_item);
    append_element(out, name, [&] { std::visit(Spelling{out, Format::xml}, item); });
  }
}

std::vector<const Field*> alphabetical(const Resource& resource) {
  std::vector<const Field*> fields;
  for (const Field& field : resource.fields)
    fields.push_back(&field);
  std::ranges::sort(fields, {}, &Field::name);
  return fields;
}

void append_elements(std::string& out, const Record& record, std::string_view items) {
  for (const Field* field : alphabetical(*record.resource)) {
    const Slot& slot = record.slots[record.resource->index(*field)];
    if (is_absent(*field, slot)) continue;
    append_element(out, field->name, [&] { append_content(out, *field, slot, items); });
  }
}

void append_namespace(std::string& out, std::string_view attribute, std::string_view name) {
  if (name.empty()) return;
  out += fmt::format(" {}=\"", attribute);
  append_xml_text(out, name);
  out += '"';
}

std::string write_xml(const Record& record, const XmlNamespaces& namespaces) {
  std::string out = fmt::format("<{}", record.resource->name);
  append_namespace(out, "xmlns", namespaces.all);
  append_namespace(out, "xmlns:a", namespaces.list_items);
  out += '>';
  append_elements(out, record, namespaces.list_items.empty() ? "" : "a:");
  return out + fmt::format("</{}>", record.resource->name);
}

}  // namespace

std::string write(const Record& record, Format format, const XmlNamespaces& namespaces) {
  if (format == Format::xml) return write_xml(record, namespaces);
  std::string out;
  append_object(out, record);
  return out;
}

std::string write_member(std::string_view name, const Value& value) {
  std::string out = "{";
  append_quoted(out, config::well_formed(name));
  out += ':';
  std::visit(Spelling{out, Format::json}, value);
  return out + '}';
}

}  // namespace surveybridge::mapping
