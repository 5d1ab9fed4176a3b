// Records as JSON, members in the order of the description: the same record gives the same bytes.
#include <utility>

#include <fmt/core.h>

#include "mapping/codec/encode.hpp"
#include "mapping/codec/formats.hpp"
#include "mapping/values/base64.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    out += fmt::format("\\u{:04x}", static_cast<int>(c));
  } else {
    out += c;
  }
}

void append_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text)
    append_escaped(out, c);
  out += '"';
}

// How each kind of value is written.
struct Spelling {
  std::string& out;

  void operator()(const Null&) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(std::int64_t value) const { out += std::to_string(value); }
  void operator()(const Decimal& value) const { out += value.text; }
  void operator()(const std::string& value) const { append_text(out, well_formed(value)); }
  void operator()(Instant value) const { append_text(out, write_instant(value)); }
  void operator()(LocalTime value) const { append_text(out, write_local(value)); }
  void operator()(const Bytes& value) const { append_text(out, write_base64(value.bytes)); }
  void operator()(const Enumerator& value) const {
    if (value.number) return (*this)(*value.number);
    (*this)(value.name);
  }
};

void append_record(std::string& out, const Record& record);

void append_list(std::string& out, const Slot& slot) {
  char before = '[';
  for (const Record& item : slot.records) {
    out += std::exchange(before, ',');
    append_record(out, item);
  }
  for (const Value& item : slot.values) {
    out += std::exchange(before, ',');
    std::visit(Spelling{out}, item);
  }
  out += ']';
}

void append_slot(std::string& out, const Field& field, const Slot& slot) {
  if (field.list) return append_list(out, slot);
  if (field.type == Type::object) return append_record(out, slot.records.front());
  std::visit(Spelling{out}, slot.value);
}

void append_record(std::string& out, const Record& record) {
  out += '{';
  bool first = true;
  for (const Field& field : record.resource->fields) {
    const Slot& slot = record.slots[record.resource->index(field)];
    if (is_absent(field, slot)) continue;
    if (!std::exchange(first, false)) out += ',';
    append_text(out, field.name);
    out += ':';
    append_slot(out, field, slot);
  }
  out += '}';
}

}  // namespace

std::string write_json(const Record& record) {
  std::string out;
  append_record(out, record);
  return out;
}

}  // namespace surveybridge::mapping
