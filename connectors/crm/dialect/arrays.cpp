#include "connectors/crm/dialect/arrays.hpp"

#include "config/text.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Value;

// Always in quotes, so that NULL, braces, commas, blanks and an empty text stay text.
void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kSpecial("\"\\\0", 3);
  out += '"';
  for (auto special = text.find_first_of(kSpecial); special != text.npos;
       special = text.find_first_of(kSpecial)) {
    out += text.substr(0, special);
    if (text[special] == '\0') {
      out += "\xEF\xBF\xBD";
    } else {
      out += '\\';
      out += text[special];
    }
    text.remove_prefix(special + 1);
  }
  out += text;
  out += '"';
}

struct AppendElement {
  std::string& out;
  void operator()(const mapping::Null&) const { out += "NULL"; }
  void operator()(bool value) const { out += value ? 't' : 'f'; }
  void operator()(std::int64_t value) const { out += std::to_string(value); }
  void operator()(const mapping::Decimal& value) const { append_quoted(out, value.text); }
  void operator()(const std::string& value) const { append_quoted(out, value); }
  void operator()(mapping::Instant value) const {
    append_quoted(out, mapping::write_timestamp(value) + "+00");
  }
  void operator()(mapping::LocalTime value) const {
    append_quoted(out, mapping::write_local(value));
  }
  // The hex form of bytea; the array's quoting doubles its backslash.
  void operator()(const mapping::Bytes& value) const {
    out += "\"\\\\x";
    config::append_hex(out, value.bytes);
    out += '"';
  }
  void operator()(const mapping::Enumerator& value) const {
    if (value.number) return (*this)(*value.number);
    append_quoted(out, value.name);
  }
};

}  // namespace

std::string array_literal(const std::vector<Value>& values) {
  std::string out = "{";
  for (const Value& value : values) {
    if (out.size() > 1) out += ',';
    std::visit(AppendElement{out}, value);
  }
  return out + "}";
}

std::string array_literal(const std::vector<std::string>& texts) {
  return array_literal(std::vector<Value>(texts.begin(), texts.end()));
}

std::vector<Value> columns_as_arrays(const std::vector<std::vector<Value>>& rows,
                                     std::size_t columns) {
  std::vector<Value> arrays;
  for (std::size_t column = 0; column < columns; ++column) {
    std::string out = "{";
    for (const auto& row : rows) {
      if (out.size() > 1) out += ',';
      std::visit(AppendElement{out}, row.at(column));
    }
    arrays.emplace_back(out + "}");
  }
  return arrays;
}

}  // namespace surveybridge::crm
