#include "daemon/report/data_text.hpp"

#include <algorithm>
#include <array>

#include "config/text.hpp"

namespace surveybridge::daemon {

namespace {

struct Range {
  char32_t first, last;
};

template <std::size_t size>
bool within(const std::array<Range, size>& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return point >= range.first && point <= range.last;
  });
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

bool is_address(std::string_view word) {
  const auto at = word.find('@');
  return at != std::string_view::npos && at > 0 && at + 1 < word.size();
}

// The bytes of the first character; 0 if there is none or it is broken.
std::size_t first_size(std::string_view text) {
  for (std::size_t size = 1; size <= 4 && size <= text.size(); ++size)
    if (config::is_utf8(text.substr(0, size))) return size;
  return 0;
}

}  // namespace

std::string fit_to_show(std::string_view text) {
  std::u32string fit;
  while (!text.empty()) {
    const std::size_t size = first_size(text);
    const char32_t point = size == 0 ? U'\ufffd' : config::code_points(text.substr(0, size))[0];
    if (!within(kDirections, point)) fit += within(kControls, point) ? U' ' : point;
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
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
  const std::u32string points = config::code_points(text);
  const bool turns = std::any_of(points.begin(), points.end(),
                                 [](char32_t point) { return within(kRightToLeft, point); });
  return turns ? "\u2068" + std::string(text) + "\u2069" : std::string(text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char32_t point : config::code_points(text))
    width += cells_of(point);
  return width;
}

std::string_view first_cells(std::string_view text, std::size_t width) {
  std::size_t bytes = 0, cells = 0;
  while (bytes < text.size()) {
    const std::size_t size = std::max<std::size_t>(first_size(text.substr(bytes)), 1);
    cells += display_width(text.substr(bytes, size));
    if (cells > width) break;
    bytes += size;
  }
  return text.substr(0, bytes);
}

std::string cut(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  return std::string(first_cells(text, width > 0 ? width - 1 : 0)) + (width > 0 ? "…" : "");
}

}  // namespace surveybridge::daemon
