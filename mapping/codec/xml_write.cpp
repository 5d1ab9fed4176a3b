// Records as XML: elements in alphabetical order, as the service's serializer needs them, in the
// namespaces of the deployment.
#include <algorithm>

#include <fmt/core.h>

#include "mapping/codec/encode.hpp"
#include "mapping/codec/formats.hpp"
#include "mapping/values/base64.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      return;
    case '<':
      out += "&lt;";
      return;
    case '>':
      out += "&gt;";
      return;
    case '"':
      out += "&quot;";
      return;
    case '\r':
      out += "&#13;";
      return;  // a bare one would be read as the end of a line
    case '\t':
    case '\n':
      out += c;
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    out += "\uFFFD";  // XML 1.0 cannot write it
  } else {
    out += c;
  }
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

void append_text(std::string& out, std::string_view text) {
  for (const char c : without_noncharacters(well_formed(text)))
    append_escaped(out, c);
}

struct Spelling {
  std::string& out;

  void operator()(const Null&) const {}
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { out += std::to_string(value); }
  void operator()(const Decimal& value) const { out += value.text; }
  void operator()(const std::string& value) const { append_text(out, value); }
  void operator()(Instant value) const { out += write_instant(value); }
  void operator()(LocalTime value) const { out += write_local(value); }
  void operator()(const Bytes& value) const { out += write_base64(value.bytes); }
  void operator()(const Enumerator& value) const {
    if (value.name.empty() && value.number) return (*this)(*value.number);
    append_text(out, value.name);
  }
};

template <typename Inside>
void append_element(std::string& out, std::string_view name, const Inside& inside) {
  out += fmt::format("<{}>", name);
  inside();
  out += fmt::format("</{}>", name);
}

// `items`: the prefix of the items of a scalar list: "a:", or nothing.
void append_members(std::string& out, const Record& record, std::string_view items);

void append_slot(std::string& out, const Field& field, const Slot& slot, std::string_view items) {
  if (!field.list && field.type == Type::object) {
    return append_members(out, slot.records.front(), items);
  }
  if (!field.list) return std::visit(Spelling{out}, slot.value);
  for (const Record& item : slot.records) {
    append_element(out, field.xml_item, [&] { append_members(out, item, items); });
  }
  for (const Value& item : slot.values) {
    const std::string name = std::string(items) + std::string(field.xml_item);
    append_element(out, name, [&] { std::visit(Spelling{out}, item); });
  }
}

std::vector<const Field*> alphabetical(const Resource& resource) {
  std::vector<const Field*> fields;
  for (const Field& field : resource.fields)
    fields.push_back(&field);
  std::ranges::sort(fields, {}, &Field::name);
  return fields;
}

void append_members(std::string& out, const Record& record, std::string_view items) {
  for (const Field* field : alphabetical(*record.resource)) {
    const Slot& slot = record.slots[record.resource->index(*field)];
    if (is_absent(*field, slot)) continue;
    append_element(out, field->name, [&] { append_slot(out, *field, slot, items); });
  }
}

void append_namespace(std::string& out, std::string_view attribute, std::string_view name) {
  if (name.empty()) return;
  out += fmt::format(" {}=\"", attribute);
  append_text(out, name);
  out += '"';
}

}  // namespace

std::string write_xml(const Record& record, const XmlNamespaces& namespaces) {
  std::string out = fmt::format("<{}", record.resource->name);
  append_namespace(out, "xmlns", namespaces.all);
  append_namespace(out, "xmlns:a", namespaces.list_items);
  out += '>';
  append_members(out, record, namespaces.list_items.empty() ? "" : "a:");
  return out + fmt::format("</{}>", record.resource->name);
}

}  // namespace surveybridge::mapping
