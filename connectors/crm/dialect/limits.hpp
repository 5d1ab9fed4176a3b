// Lengths of values in the bridge's own tables, and of cells that are read, the same on every
// database. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace surveybridge::crm {

// A longer key (in bytes) does not fit every database's keys: such a row cannot be pushed.
inline constexpr std::size_t kKeyBytesMax = 190;
// Can the ledger of every database hold this key? None stores NUL.
inline bool fits_as_key(std::string_view key) {
  return !key.empty() && key.size() <= kKeyBytesMax && key.find('\0') == std::string_view::npos;
}
// Reasons and details are cut to this many bytes, never within a character.
inline constexpr std::size_t kReasonBytesMax = 2000;
// A larger cell of the CRM's is not read.
inline constexpr std::size_t kCellBytesMax = 64 * 1024 * 1024;

}  // namespace surveybridge::crm
