// The opaque cursor of the lists: position, list, filter and time of issue. Its text contains + /
// =, so a client that does not encode it fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sandbox/values/time.hpp"

namespace sandbox {

struct Cursor {
  char list = 'c';             // c customers, r ratings, b bouncers
  std::int64_t after = 0;      // the last id that was listed, or how many rows were
  std::uint64_t filter = 0;    // fingerprint of the parameters
  std::int64_t issued_us = 0;  // since the epoch
  std::int64_t page = 0;       // number of pages before this one
};

std::string write_cursor(const Cursor& cursor);
// nullopt: not one of ours.
std::optional<Cursor> read_cursor(std::string_view text);

std::uint64_t fingerprint(std::string_view text);

std::string write_base64(std::string_view bytes);
std::optional<std::string> read_base64(std::string_view text);

}  // namespace sandbox
