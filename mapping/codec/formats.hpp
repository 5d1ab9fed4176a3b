// The functions of each format that codec.cpp and error_body.cpp use. Only json_codec.cpp includes
// nlohmann, only xml_codec.cpp includes pugixml. Pure; used by the codecs only.
#pragma once

#include <functional>
#include <optional>
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

// Calls `seen` for every text of a body of any shape, in order, with the name of its member ("" for
// none). False: the body is not of that format; texts before the error were passed on.
using TextSeen = std::function<void(std::string_view name, std::string_view text)>;
bool each_json_text(std::string_view body, const TextSeen& seen);
bool each_xml_text(std::string_view body, const TextSeen& seen);

}  // namespace surveybridge::mapping
