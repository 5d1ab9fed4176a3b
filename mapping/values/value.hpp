// One scalar between a database cell, a resource's field and bytes. Nothing is lost: decimals stay
// text, instants have microseconds, integers 64 bits. Plain data.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace surveybridge::mapping {

// A point in time, always UTC.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;
// A local time whose zone is not known yet.
using LocalTime = std::chrono::local_time<std::chrono::microseconds>;

struct Null {
  bool operator==(const Null&) const = default;
};

// An exact decimal number as text: optional '-', digits, optional '.' and digits. No exponent.
struct Decimal {
  std::string text;
  bool operator==(const Decimal&) const = default;
};

struct Bytes {
  std::string bytes;
  bool operator==(const Bytes&) const = default;
};

// A value of an enumeration of the service: a number (JSON), a name (XML) or both. At least one is
// known. Unknown values are kept as they came.
struct Enumerator {
  std::optional<std::int64_t> number;
  std::string name;
  bool operator==(const Enumerator&) const = default;
};

using Value = std::variant<Null, bool, std::int64_t, Decimal, std::string, Instant, LocalTime,
                           Bytes, Enumerator>;

inline bool is_null(const Value& value) {
  return std::holds_alternative<Null>(value);
}

// The text of a value; empty: it is none.
inline const std::string& text_of(const Value& value) {
  static const std::string none;
  const auto* text = std::get_if<std::string>(&value);
  return text == nullptr ? none : *text;
}

}  // namespace surveybridge::mapping
