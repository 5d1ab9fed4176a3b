// Cells to text and back: the rules that all drivers share. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "connectors/crm/driver/database.hpp"

namespace surveybridge::crm {

// The value of a cell that was read as text, by the kind of its column. A text that the kind cannot
// express (infinity, a date before year 1, NaN) stays text; an integer beyond 64 bits becomes a
// Decimal. An instant without an offset is UTC. Of bits the text is their bytes.
Value read_cell(ColumnKind kind, std::string_view text);

// "1.5e+03" → "1500". Empty for a text that is no finite number (NaN, Infinity), or with an
// exponent beyond ±400, which no database's float has.
std::optional<std::string> plain_decimal(std::string_view number);
// The shortest text that is read as the same number; empty for NaN and infinities.
std::optional<std::string> plain_decimal(double number);

// A parameter as text that every dialect reads. Null and Enumerator have none: a programming error.
// NUL characters, which no database stores, become U+FFFD.
std::string parameter_text(const Value& value, Dialect dialect);
std::string without_nul(std::string text);

std::optional<std::string> from_hex(std::string_view text);

}  // namespace surveybridge::crm
