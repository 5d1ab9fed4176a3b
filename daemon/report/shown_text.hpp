// Numbers and texts of a database, made fit to be shown: in a sentence, in a cell of a terminal, in
// HTML. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/statistics/statistics.hpp"

namespace surveybridge::daemon {

// A mean is a position of a scale, a score is one from -100 to 100, points are a difference of
// scores or of percentages.
enum class Unit { mean, percent, score, points };
const char* to_string(Unit unit);

// "1,040".
std::string count_text(std::int64_t count);
// "30 %", "41 points", "4.25"; never "-0".
std::string number_text(double value, Unit unit, int decimals);
// "27–33 %"; "-5 to 12 points" if an end is negative.
std::string range_text(const mapping::Interval& interval, Unit unit, int decimals);
// A part of a whole in percent, with a decimal where whole numbers would say none or all; "–"
// without a whole.
std::string part_text(std::int64_t part, std::int64_t whole);
std::optional<double> part_percent(std::int64_t part, std::int64_t whole);

// "2026-11-23". Empty: another text, or no day of the calendar.
std::optional<std::chrono::year_month_day> day_in(std::string_view text);

// For programs: at most six decimals, without zeros at the end.
std::string plain_number(double value);

// As many decimals, up to four, as it takes that no end of the interval looks like zero that is
// not; at least `decimals`.
int decimals_of_change(const mapping::Interval& interval, int decimals);

// The decimals with which an estimate is shown: more for a narrow interval, and where a share that
// is neither 0 nor 100 would look so.
int decimals_of(double value, const std::optional<mapping::Interval>& interval, Unit unit);

// Well-formed UTF-8: a byte that is none becomes U+FFFD, a control character a blank. Characters
// that change the direction of the text behind them are left out.
std::string fit_to_show(std::string_view text);

// Each word with "@" inside it, an address or part of one, becomes "(an address)".
std::string without_addresses(std::string_view text);

// A name of the database, fit to be shown and without addresses. `if_empty`: instead of blanks.
std::string shown_name(std::string_view name, std::string_view if_empty);

// The rest is of well-formed UTF-8. A text with letters that run from right to left stays one piece
// inside another text: U+2068 is before it and U+2069 behind it. Other texts stay as they are.
std::string isolated(std::string_view text);

// In the cells of a terminal.
std::size_t display_width(std::string_view text);
// The whole text, or its beginning and "…", together at most `width` cells wide.
std::string cut(std::string_view text, std::size_t width);
// The lines of a text, each at most `width` cells wide, broken at blanks where that is possible. At
// least one line.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

struct TextColumn {
  std::string head;
  bool right = false;  // its cells are figures: aligned to the right
  std::vector<std::string> cells;
};
// A line of heads, one of dashes, and the rows. The widest columns shrink until all fit into
// `width`; their texts are wrapped.
std::string columns_text(const std::vector<TextColumn>& columns, std::size_t width);

// As HTML shows it, also between quotation marks; a control character becomes a blank.
std::string escaped(std::string_view text);
// Escaped; what stands between two ` becomes a `code` element.
std::string prose_html(std::string_view text);

}  // namespace surveybridge::daemon
