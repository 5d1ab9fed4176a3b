// A value of each type that docs/SERVICE.md knows, in every spelling in which a test needs it.
#pragma once

#include <nlohmann/json.hpp>

#include "mapping/values/value.hpp"
#include "tests/interface/document.hpp"

namespace interface {

using Json = nlohmann::json;

struct Sample {
  Json json;
  std::string xml;  // the text of an element
  surveybridge::mapping::Value value;
};
Sample sample(const std::string& type);

// A body with this value at this leaf and nothing else, made from the transcription alone.
Json json_body(const Leaf& leaf, const Json& value);
// The elements inside the root, alphabetical as the service wants them.
std::string xml_inside(const Json& object, const std::string& resource);

}  // namespace interface
