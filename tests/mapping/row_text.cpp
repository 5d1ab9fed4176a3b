#include "tests/mapping/row_text.hpp"

#include <stdexcept>

#include "mapping/values/dates.hpp"

namespace surveybridge::mapping {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The text up to the next ": " (or ":" at the end), which is removed from `rest`.
std::string next_part(std::string& rest) {
  const auto colon = rest.find(':');
  const std::string part = rest.substr(0, colon);
  rest.erase(0, colon == std::string::npos ? colon : colon + 1);
  if (rest.starts_with(' ')) rest.erase(0, 1);
  return part;
}

char byte_of(std::string_view two_digits) {
  return static_cast<char>(std::stoi(std::string(two_digits), nullptr, 16));
}

std::string unescaped(std::string_view written) {
  std::string text;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] != '\\') {
      text += written[i];
      continue;
    }
    const char kind = written.at(++i);
    if (kind == 'x') {
      text += byte_of(written.substr(i + 1, 2));
      i += 2;
    } else {
      text += kind == 'r' ? '\r' : kind == 'n' ? '\n' : kind == 't' ? '\t' : kind;
    }
  }
  return text;
}

std::string bytes_of(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2)
    bytes += byte_of(digits.substr(i, 2));
  return bytes;
}

Value date_of(const std::string& text) {
  // The year 10000 has no ISO text, but a database can store it.
  if (text == "+10000") return Instant{std::chrono::sys_days{std::chrono::year{10000} / 1 / 1}};
  const auto read = read_date(text);
  if (!read) throw std::invalid_argument("no date: " + text);
  return read->value;
}

Value cell(const std::string& type, const std::string& text) {
  if (type == "null") return Null{};
  if (type == "boolean") return text == "true";
  if (type == "integer") return std::int64_t{std::stoll(text)};
  if (type == "decimal") return Decimal{text};
  if (type == "text") return unescaped(text);
  if (type == "bytes") return Bytes{bytes_of(text)};
  if (type == "instant" || type == "local") return date_of(text);
  throw std::invalid_argument("no type of a cell: " + type);
}

}  // namespace

RowText read_row(std::string_view text) {
  RowText read;
  for (std::string line : lines_of(text)) {
    const std::string column = next_part(line);
    const std::string type = next_part(line);
    if (column == "id" && read.row.key.empty()) read.row.key = unescaped(line);
    read.columns.push_back(column);
    read.row.cells.push_back(cell(type, line));
  }
  return read;
}

std::vector<DataColumn> read_data_columns(std::string_view text) {
  std::vector<DataColumn> columns;
  for (std::string line : lines_of(text)) {
    DataColumn column;
    column.id = std::stoll(next_part(line));
    column.name = next_part(line);
    column.display_name = next_part(line);
    column.required = line.find("required") != std::string::npos;
    column.archived = line.find("archived") != std::string::npos;
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace surveybridge::mapping
