// Bytes that are not UTF-8, for mend_json.cpp and mend_xml.cpp. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mapping/codec/json_scan.hpp"

namespace surveybridge::mapping {

// Adds the character at the start of `text` to `out`, as UTF-8; returns how many bytes it took. A
// pair of surrogates that were written as two characters is one character. What is none becomes
// U+FFFD: then `harmless` is false.
inline std::size_t take_character(std::string_view text, std::string& out, bool& harmless) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const std::size_t whole = byte(0) < 0x80 ? 1 : wide_character(text);
  if (whole > 0) {
    out += text.substr(0, whole);
    return whole;
  }
  const auto half = [&](std::size_t at, unsigned from) {
    return byte(at) == 0xED && byte(at + 1) >= from && byte(at + 1) < from + 0x10 &&
           (byte(at + 2) & 0xC0U) == 0x80;
  };
  if (half(0, 0xA0) && half(3, 0xB0)) {
    const std::uint32_t code = 0x10000 + ((byte(1) & 0x0FU) << 16 | (byte(2) & 0x3FU) << 10) +
                               ((byte(4) & 0x0FU) << 6 | (byte(5) & 0x3FU));
    for (const unsigned shift : {18U, 12U, 6U, 0U})
      out += static_cast<char>(shift == 18 ? 0xF0 | code >> 18 : 0x80 | (code >> shift & 0x3F));
    return 6;
  }
  if (byte(0) == 0xC0 && byte(1) == 0x80) {  // how some write U+0000
    out += "\uFFFD";
    return 2;
  }
  out += "\uFFFD";
  harmless = false;
  return 1;
}

}  // namespace surveybridge::mapping
