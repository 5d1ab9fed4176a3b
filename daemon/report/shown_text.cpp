#include "daemon/report/shown_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "config/text.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {

namespace {

constexpr const char* kHardBlank = "\u00a0";  // it breaks no line

std::string with_unit(const std::string& number, Unit unit) {
  if (unit == Unit::percent) return number + kHardBlank + "%";
  return unit == Unit::points ? number + kHardBlank + "points" : number;
}

std::string digits(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  const double rounded = std::round(value * scale) / scale;
  return fmt::format("{:.{}f}", rounded == 0 ? 0.0 : rounded, decimals);
}

bool looks_like_none_or_all(double percent) {
  return (percent > 0 && percent < 0.5) || (percent >= 99.5 && percent < 100);
}

struct Range {
  char32_t first, last;
};

bool within(std::span<const Range> ranges, char32_t point) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return point >= range.first && point <= range.last; });
}

constexpr std::array kControls = {Range{0, 0x1f}, Range{0x7f, 0x9f}, Range{0x2028, 0x2029}};
constexpr std::array kDirections = {Range{0x202a, 0x202e}, Range{0x2066, 0x2069}};
constexpr std::array kRightToLeft = {Range{0x0590, 0x08ff}, Range{0xfb1d, 0xfdff},
                                     Range{0xfe70, 0xfefc}, Range{0x10800, 0x10fff},
                                     Range{0x1e800, 0x1efff}};
// Marks that combine, joiners and variation selectors: no cell of their own.
constexpr std::array kNarrow = {
    Range{0x0300, 0x036f},   Range{0x0483, 0x0489},  Range{0x0591, 0x05bd}, Range{0x0610, 0x061a},
    Range{0x064b, 0x065f},   Range{0x0e31, 0x0e31},  Range{0x0e34, 0x0e3a}, Range{0x0e47, 0x0e4e},
    Range{0x1ab0, 0x1aff},   Range{0x1dc0, 0x1dff},  Range{0x200b, 0x200f}, Range{0x2066, 0x2069},
    Range{0x20d0, 0x20ff},   Range{0xfe00, 0xfe0f},  Range{0xfe20, 0xfe2f}, Range{0xfeff, 0xfeff},
    Range{0x1f3fb, 0x1f3ff}, Range{0xe0100, 0xe01ef}};
// East Asian wide and full width, and emoji: two cells.
constexpr std::array kWide = {
    Range{0x1100, 0x115f},   Range{0x231a, 0x231b},   Range{0x23e9, 0x23ec},
    Range{0x2614, 0x2615},   Range{0x26bd, 0x26be},   Range{0x2705, 0x2705},
    Range{0x2728, 0x2728},   Range{0x274c, 0x274c},   Range{0x2753, 0x2755},
    Range{0x2b50, 0x2b50},   Range{0x2e80, 0x303e},   Range{0x3041, 0xa4cf},
    Range{0xa960, 0xa97c},   Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},
    Range{0xfe30, 0xfe6f},   Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},
    Range{0x1f300, 0x1f64f}, Range{0x1f680, 0x1f6ff}, Range{0x1f900, 0x1f9ff},
    Range{0x1fa70, 0x1faff}, Range{0x20000, 0x3fffd}};

std::size_t cells_of(char32_t point) {
  if (within(kNarrow, point)) return 0;
  return within(kWide, point) ? 2 : 1;
}

// How many characters of the beginning are at most `width` cells wide.
std::size_t first_cells(std::u32string_view text, std::size_t width) {
  std::size_t count = 0, cells = 0;
  while (count < text.size() && (cells += cells_of(text[count])) <= width)
    ++count;
  return count;
}

bool is_address(std::string_view word) {
  const auto at = word.find('@');
  return at != std::string_view::npos && at > 0 && at + 1 < word.size();
}

// Of a table in a terminal.
constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestHead = 14;       // of a figure; a longer word is broken
constexpr std::size_t kNarrowestColumn = 11;  // of a column that shrinks

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    longest = std::max(longest, display_width(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return longest;
}

// Without wrapping.
std::size_t natural_width(const TextColumn& column) {
  std::size_t width =
      column.right ? std::min(longest_word(column.head), kWidestHead) : display_width(column.head);
  for (const auto& cell : column.cells)
    width = std::max(width, display_width(cell));
  return std::max<std::size_t>(width, 1);
}

std::vector<std::size_t> widths_of(const std::vector<TextColumn>& columns, std::size_t width) {
  std::vector<std::size_t> widths;
  std::size_t sum = 0;
  for (const auto& column : columns) {
    widths.push_back(natural_width(column));
    sum += widths.back() + (widths.size() > 1 ? kGap : 0);
  }
  for (; sum > width; --sum) {
    const auto widest = std::ranges::max_element(widths);
    if (*widest <= kNarrowestColumn) break;
    --*widest;
  }
  return widths;
}

void trim(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

// The cells of one row beside each other, over as many lines as the longest needs.
std::string row_text(const std::vector<std::string>& cells, const std::vector<TextColumn>& columns,
                     const std::vector<std::size_t>& widths) {
  std::vector<std::string> rows;
  std::size_t begin = 0;  // where the cell stands
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto lines = wrapped(cells[i], widths[i]);
    rows.resize(std::max(rows.size(), lines.size()), std::string(begin, ' '));
    lines.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::string blanks(widths[i] - std::min(widths[i], display_width(lines[row])), ' ');
      rows[row] += columns[i].right ? blanks + lines[row] : lines[row] + blanks;
      rows[row].append(kGap, ' ');
    }
    begin += widths[i] + kGap;
  }
  std::string text;
  for (auto& row : rows) {
    trim(row);
    text += row + "\n";
  }
  return text;
}

}  // namespace

const char* to_string(Unit unit) {
  constexpr std::array kNames = {"mean", "percent", "score", "points"};
  return kNames.at(static_cast<std::size_t>(unit));
}

std::string count_text(std::int64_t count) {
  std::string text = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;)
    text.insert(at -= 3, ",");
  return text;
}

std::string number_text(double value, Unit unit, int decimals) {
  return with_unit(digits(value, decimals), unit);
}

std::string range_text(const mapping::Interval& interval, Unit unit, int decimals) {
  const std::string low = digits(interval.low, decimals), high = digits(interval.high, decimals);
  const bool negative = low.front() == '-' || high.front() == '-';
  return with_unit(low + (negative ? " to " : "–") + high, unit);
}

std::optional<double> part_percent(std::int64_t part, std::int64_t whole) {
  if (whole <= 0) return std::nullopt;
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string part_text(std::int64_t part, std::int64_t whole) {
  const auto percent = part_percent(part, whole);
  if (!percent) return "–";
  if (!looks_like_none_or_all(*percent)) return number_text(*percent, Unit::percent, 0);
  if (*percent < 0.05) return with_unit("<0.1", Unit::percent);
  if (*percent >= 99.95) return with_unit(">99.9", Unit::percent);
  return number_text(*percent, Unit::percent, 1);
}

std::optional<std::chrono::year_month_day> day_in(std::string_view text) {
  constexpr std::size_t kSize = 10;  // without a time
  const auto read = text.size() == kSize ? mapping::read_date(text) : std::nullopt;
  const auto* day = read ? std::get_if<mapping::LocalTime>(&read->value) : nullptr;
  if (day == nullptr) return std::nullopt;
  return std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(*day));
}

std::string plain_number(double value) {
  std::string text = digits(value, 6);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

int decimals_of_change(const mapping::Interval& interval, int decimals) {
  const auto hides = [&](double end) {
    return end != 0 && std::abs(end) * std::pow(10, decimals) < 0.5;
  };
  while (decimals < 4 && (hides(interval.low) || hides(interval.high)))
    ++decimals;
  return decimals;
}

int decimals_of(double value, const std::optional<mapping::Interval>& interval, Unit unit) {
  if (unit == Unit::mean) return 2;
  const bool narrow = interval && interval->high - interval->low < 2;
  return narrow || (unit == Unit::percent && looks_like_none_or_all(value)) ? 1 : 0;
}

std::string fit_to_show(std::string_view text) {
  std::u32string fit;
  for (const char32_t point : config::code_points(config::well_formed(text)))
    if (!within(kDirections, point)) fit += within(kControls, point) ? U' ' : point;
  return config::utf8_of(fit);
}

std::string without_addresses(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    out += is_address(text.substr(0, end)) ? "(an address)" : text.substr(0, end);
    if (end < text.size()) out += ' ';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string shown_name(std::string_view name, std::string_view if_empty) {
  std::string shown = without_addresses(fit_to_show(name));
  if (shown.find_first_not_of(' ') == std::string::npos) return std::string(if_empty);
  return shown;
}

std::string isolated(std::string_view text) {
  const bool turns = std::ranges::any_of(
      config::code_points(text), [](char32_t point) { return within(kRightToLeft, point); });
  return turns ? "\u2068" + std::string(text) + "\u2069" : std::string(text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char32_t point : config::code_points(text))
    width += cells_of(point);
  return width;
}

std::string cut(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  const std::u32string points = config::code_points(text);
  return config::utf8_of(points.substr(0, first_cells(points, width - 1))) + "…";
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  const std::u32string points = config::code_points(text);
  std::u32string_view rest = points;
  for (std::size_t end = 0; (end = first_cells(rest, width)) < rest.size();) {
    if (end == 0) end = first_cells(rest, width + 2);  // a character of two cells
    const auto blank = rest.substr(0, end).find_last_of(U' ');
    if (!rest.substr(end).starts_with(U' ') && blank != std::u32string_view::npos && blank > 0)
      end = blank;
    lines.push_back(config::utf8_of(rest.substr(0, end)));
    trim(lines.back());
    rest.remove_prefix(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(U' '), rest.size()));
  }
  if (!rest.empty() || lines.empty()) lines.push_back(config::utf8_of(rest));
  return lines;
}

std::string columns_text(const std::vector<TextColumn>& columns, std::size_t width) {
  const auto widths = widths_of(columns, width);
  std::vector<std::string> heads, dashes;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    heads.push_back(columns[i].head);
    dashes.emplace_back(widths[i], '-');
    rows = std::max(rows, columns[i].cells.size());
  }
  std::string text = row_text(heads, columns, widths) + row_text(dashes, columns, widths);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::string> cells;
    for (const auto& column : columns)
      cells.push_back(column.cells.at(row));
    text += row_text(cells, columns, widths);
  }
  return text;
}

std::string prose_html(std::string_view text) {
  std::string html;
  for (auto begin = text.find('`'); begin != std::string_view::npos; begin = text.find('`')) {
    const auto end = text.find('`', begin + 1);
    if (end == std::string_view::npos) break;
    html += escaped(text.substr(0, begin)) + "<code>" +
            escaped(text.substr(begin + 1, end - begin - 1)) + "</code>";
    text.remove_prefix(end + 1);
  }
  return html + escaped(text);
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kSigns = "<>&\"'";
  constexpr std::array kWords = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
  std::string out;
  for (const char c : text) {
    const auto sign = kSigns.find(c);
    if (sign != std::string_view::npos) {
      out += kWords.at(sign);
    } else {
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

}  // namespace surveybridge::daemon
