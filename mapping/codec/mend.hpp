// Mends the body of a page in which a record is not well-formed, so that one record does not cost
// the others. What can be written well without changing what it says (a line end in a text, a bare
// "&", half a surrogate pair, NaN for a number) is repaired; another record is cut out and told.
// Pure; used by the codecs only. The time is linear in the body, whatever it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/codec/codec.hpp"
#include "mapping/codec/json_scan.hpp"

namespace surveybridge::mapping {

struct Mended {
  std::string body;  // well-formed as far as its records are concerned
  struct Cut {
    std::size_t item;     // its place in the list as it came
    std::string raw;      // as it came
    std::string legible;  // the same with what is wrong in it replaced: still not what was meant
  };
  std::vector<Cut> cut;
};

// Empty: the body is not such a page, or is cut off, or what is wrong lies outside of its records.
std::optional<Mended> mend_json(std::string_view body, std::string_view list, const Resource& item,
                                const Limits& limits);
std::optional<Mended> mend_xml(std::string_view body, std::string_view list, const Limits& limits);

// Is this one element, and nothing else? In xml_codec.cpp.
bool is_xml(std::string_view text, const Limits& limits);

// Adds the character at the start of `text` to `out`, as UTF-8; returns how many bytes it took. A
// pair of surrogates that were written as two characters is one character. What is none becomes
// U+FFFD: then `harmless` is false.
inline std::size_t take_character(std::string_view text, std::string& out, bool& harmless) {
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const std::size_t whole = byte(0) < 0x80 ? 1 : wide_character(text).bytes;
  if (whole > 0) {
    out += text.substr(0, whole);
    return whole;
  }
  const auto half = [&](std::size_t at, unsigned from) {
    return byte(at) == 0xED && byte(at + 1) >= from && byte(at + 1) < from + 0x10 &&
           (byte(at + 2) & 0xC0U) == 0x80;
  };
  if (half(0, 0xA0) && half(3, 0xB0)) {
    const char32_t code = 0x10000 + ((byte(1) & 0x0FU) << 16 | (byte(2) & 0x3FU) << 10) +
                          ((byte(4) & 0x0FU) << 6 | (byte(5) & 0x3FU));
    out += config::utf8_of({&code, 1});
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
