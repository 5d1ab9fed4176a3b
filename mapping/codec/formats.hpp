// What each format offers to codec.cpp and error_body.cpp, so that its library stays in its file:
// json_codec.cpp alone knows nlohmann, xml_codec.cpp alone pugixml. Pure; the codecs' own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "mapping/codec/record_builder.hpp"

namespace surveybridge::mapping {

// Tells the builder what is in the body. Empty: all of it was read.
std::optional<Malformed> read_json(std::string_view body, RecordBuilder& builder);
std::optional<Malformed> read_xml(std::string_view body, const Limits& limits,
                                  RecordBuilder& builder);

std::string write_json(const Record& record);
std::string write_xml(const Record& record, const XmlNamespaces& namespaces);

// Every text of a body of any shape, with the name of the member it stands in ("" for none), in
// order. False: the body is not of that format; what was seen before that has been told.
using TextSeen = std::function<void(std::string_view name, std::string_view text)>;
bool each_json_text(std::string_view body, const TextSeen& seen);
bool each_xml_text(std::string_view body, const TextSeen& seen);

}  // namespace surveybridge::mapping
