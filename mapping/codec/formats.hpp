// The functions of each format that codec.cpp and error_body.cpp use. Only json_codec.cpp includes
// nlohmann, only xml_codec.cpp includes pugixml. Pure; used by the codecs only.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mapping/codec/record_builder.hpp"

namespace surveybridge::mapping {

// Passes the content of the body to the builder. False: it is not JSON of the usual kind
// (json_scan.hpp), and read_json() must read it anew, with another builder.
bool read_usual_json(std::string_view body, RecordBuilder& builder,
                     std::optional<Malformed>& malformed);

// Passes the content of the body to the builder. Empty: the whole body was read.
std::optional<Malformed> read_json(std::string_view body, RecordBuilder& builder);
std::optional<Malformed> read_xml(std::string_view body, const Limits& limits,
                                  RecordBuilder& builder);

// The same with what a parser makes of the body before it stops. False: that is not all of it.
bool read_xml_as_far_as_it_goes(std::string_view body, RecordBuilder& builder);

std::string write_json(const Record& record);
std::string write_xml(const Record& record, const XmlNamespaces& namespaces);

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
