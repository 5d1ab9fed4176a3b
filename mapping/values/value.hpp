// One scalar on its way between a database cell, a resource's field and bytes. A value loses
// nothing: decimals stay text, instants keep microseconds, integers 64 bits. Plain data, no owner.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace surveybridge::mapping {

// A point in time, always UTC.
using Instant = std::chrono::sys_time<std::chrono::microseconds>;
// A wall clock's reading whose zone is not known yet.
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

// A member of one of the service's enumerations, which come as number (JSON) or name (XML).
// At least one of the two is known; unknown ones are kept as they came.
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

}  // namespace surveybridge::mapping
