// Mends the body of a page in which a record is not well-formed, so that one record does not cost
// the others. What can be written well without changing what it says (a line end in a text, a bare
// "&", half a surrogate pair, NaN for a number) is repaired; another record is cut out and told.
// Pure; used by codec.cpp only. The time is linear in the body, whatever it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/codec/codec.hpp"

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

// Is this one value, or one element, and nothing else? In json_codec.cpp and xml_codec.cpp.
bool is_json(std::string_view text);
bool is_xml(std::string_view text, const Limits& limits);

}  // namespace surveybridge::mapping
