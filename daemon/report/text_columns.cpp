#include "daemon/report/text_columns.hpp"

#include <algorithm>

#include "daemon/report/data_text.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestHead = 14;       // of a figure; a longer word is broken
constexpr std::size_t kNarrowestColumn = 11;  // of a column that shrinks

std::size_t widest_cell(const TextColumn& column) {
  std::size_t widest = 1;
  for (const auto& cell : column.cells)
    widest = std::max(widest, display_width(cell));
  return widest;
}

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    longest = std::max(longest, display_width(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return longest;
}

std::size_t sum_of(const std::vector<std::size_t>& widths) {
  std::size_t sum = 0;
  for (const std::size_t width : widths)
    sum += width + kGap;
  return sum - std::min(sum, kGap);
}

// Without wrapping.
std::size_t natural_width(const TextColumn& column) {
  return std::max(widest_cell(column), column.right
                                           ? std::min(longest_word(column.head), kWidestHead)
                                           : display_width(column.head));
}

std::vector<std::size_t> widths_of(const std::vector<TextColumn>& columns, std::size_t width) {
  std::vector<std::size_t> widths;
  for (const auto& column : columns)
    widths.push_back(natural_width(column));
  while (sum_of(widths) > width) {
    std::size_t widest = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (widths[i] > kNarrowestColumn && (widest == columns.size() || widths[i] > widths[widest]))
        widest = i;
    if (widest == columns.size()) break;
    --widths[widest];
  }
  return widths;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t wide = display_width(text);
  const std::string blanks(width > wide ? width - wide : 0, ' ');
  return right ? blanks + text : text + blanks;
}

void trim(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

// The cells of one row beside each other, over as many lines as the longest needs.
std::string row_text(const std::vector<std::string>& cells, const std::vector<TextColumn>& columns,
                     const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> lines;
  std::size_t most = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    lines.push_back(wrapped(cells[i], widths[i]));
    most = std::max(most, lines.back().size());
  }
  std::string text;
  for (std::size_t row = 0; row < most; ++row) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string part = row < lines[i].size() ? lines[i][row] : "";
      line += padded(part, widths[i], columns[i].right) + std::string(kGap, ' ');
    }
    trim(line);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string_view rest = text;
  while (display_width(rest) > width) {
    std::string_view line = first_cells(rest, width);
    if (line.empty()) line = first_cells(rest, width + 2);  // a character of two cells
    const bool ends_word = rest.substr(line.size()).starts_with(' ');
    const auto blank = line.find_last_of(' ');
    if (!ends_word && blank != std::string_view::npos && blank > 0) line = line.substr(0, blank);
    lines.emplace_back(line);
    trim(lines.back());
    rest.remove_prefix(line.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  }
  if (!rest.empty() || lines.empty()) lines.emplace_back(rest);
  return lines;
}

std::string columns_text(const std::vector<TextColumn>& columns, std::size_t width) {
  const auto widths = widths_of(columns, width);
  std::vector<std::string> heads, lines;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    heads.push_back(columns[i].head);
    lines.emplace_back(widths[i], '-');
    rows = std::max(rows, columns[i].cells.size());
  }
  std::string text = row_text(heads, columns, widths) + row_text(lines, columns, widths);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::string> cells;
    for (const auto& column : columns)
      cells.push_back(column.cells.at(row));
    text += row_text(cells, columns, widths);
  }
  return text;
}

}  // namespace surveybridge::daemon
