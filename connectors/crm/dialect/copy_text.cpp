#include "connectors/crm/dialect/copy_text.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "config/text.hpp"
#include "connectors/crm/dialect/sql.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

std::string_view escaped(char special) {
  switch (special) {
    case '\t':
      return "\\t";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\\':
      return "\\\\";
    default:
      return "\xEF\xBF\xBD";  // NUL
  }
}

bool is_special(char c) {
  return c == '\t' || c == '\n' || c == '\r' || c == '\\' || c == '\0';
}

void append_text(std::string& out, std::string_view text) {
  for (auto special = std::ranges::find_if(text, is_special); special != text.end();
       special = std::ranges::find_if(text, is_special)) {
    const auto before = static_cast<std::size_t>(special - text.begin());
    out += text.substr(0, before);
    out += escaped(*special);
    text.remove_prefix(before + 1);
  }
  out += text;
}

struct Append {
  std::string& out;
  void operator()(const mapping::Null&) const { out += "\\N"; }
  void operator()(bool value) const { out += value ? 't' : 'f'; }
  void operator()(std::int64_t value) const {
    char digits[24];
    out.append(digits, std::to_chars(digits, std::end(digits), value).ptr);
  }
  void operator()(const mapping::Decimal& value) const { append_text(out, value.text); }
  void operator()(const std::string& value) const { append_text(out, value); }
  void operator()(mapping::Instant value) const { out += mapping::write_instant(value); }
  void operator()(mapping::LocalTime value) const { out += mapping::write_local(value); }
  void operator()(const mapping::Bytes& value) const {
    out += "\\\\x";
    config::append_hex(out, value.bytes);
  }
  void operator()(const mapping::Enumerator& value) const {
    if (value.number) return (*this)(*value.number);
    append_text(out, value.name);
  }
};

}  // namespace

std::string copy_statement(const mapping::Table& table) {
  std::string columns;
  for (const auto& column : table.columns)
    columns += (columns.empty() ? "" : ", ") + quoted(Dialect::postgresql, column.name);
  return "COPY " + quoted(Dialect::postgresql, table.name) + " (" + columns + ") FROM STDIN";
}

void append_copy_row(std::string& out, const std::vector<mapping::Value>& row) {
  bool first = true;
  for (const auto& cell : row) {
    if (!std::exchange(first, false)) out += '\t';
    std::visit(Append{out}, cell);
  }
  out += '\n';
}

}  // namespace surveybridge::crm
