// Text from a database, made fit to be shown. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace surveybridge::daemon {

// Well-formed UTF-8: a byte that is none becomes U+FFFD, a control character a blank. Characters
// that change the direction of the text behind them are left out.
std::string fit_to_show(std::string_view text);

// Each word with "@" inside it, an address or part of one, becomes "(an address)".
std::string without_addresses(std::string_view text);

// A name of the database, fit to be shown and without addresses. `if_empty`: instead of blanks.
std::string shown_name(std::string_view name, std::string_view if_empty);

// A text with letters that run from right to left stays one piece inside another text: U+2068 is
// before it and U+2069 behind it. Other texts stay as they are. Of well-formed UTF-8.
std::string isolated(std::string_view text);

// In the cells of a terminal. Of well-formed UTF-8.
std::size_t display_width(std::string_view text);
// The longest beginning that is at most `width` cells wide.
std::string_view first_cells(std::string_view text, std::size_t width);
// The whole text, or its beginning and "…", together at most `width` cells wide.
std::string cut(std::string_view text, std::size_t width);

}  // namespace surveybridge::daemon
