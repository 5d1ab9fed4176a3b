// What the codecs share: the format of a body, and the functions of each format. Only xml_codec.cpp
// includes pugixml. Pure; used by the codecs only.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mapping/codec/record_builder.hpp"

namespace surveybridge::mapping {

// The type of a body: by its Content-Type, otherwise by its first bytes (docs/SERVICE.md 2).
enum class Media { nothing, json, xml, html, other };

// `body` without its byte order mark. A Content-Type of JSON or XML (also +json, +xml) decides,
// unless the body begins like HTML: gateways send HTML with any Content-Type.
Media media_of(std::string_view body, std::string_view content_type);

// Without a UTF-8 byte order mark and the blanks around it.
std::string_view without_mark(std::string_view body);

// Passes the content of the body to the builder. Empty: the whole body was read.
std::optional<Malformed> read_json(std::string_view body, RecordBuilder& builder);
std::optional<Malformed> read_xml(std::string_view body, const Limits& limits,
                                  RecordBuilder& builder);

// The same with what a parser makes of the body before it stops. False: that is not all of it.
bool read_xml_as_far_as_it_goes(std::string_view body, RecordBuilder& builder);

// A scalar of a body of any shape, which is not null.
struct Leaf {
  std::string_view name, text;  // the name of its member, or of that of its list; "" for none
  Token::Kind kind = Token::Kind::text;  // XML has texts only
  std::span<const std::string> names =
      {};                // of what contains it, the outermost first; `name` is last
  std::size_t item = 0;  // counts the objects of lists: the innermost that contains it; 0: none
};
// Calls `seen` for every one of them, in order. False: the body is not of that format; those before
// the error were passed on.
using LeafSeen = std::function<void(const Leaf&)>;
bool each_json_leaf(std::string_view body, const LeafSeen& seen);
bool each_xml_leaf(std::string_view body, const LeafSeen& seen);

}  // namespace surveybridge::mapping
