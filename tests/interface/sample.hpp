// A value of each type in docs/SERVICE.md, in every spelling that a test needs.
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

// A body with only this value at this leaf, made from the copied tables.
Json json_body(const Leaf& leaf, const Json& value);
// The elements inside the root, in alphabetical order.
std::string xml_inside(const Json& object, const std::string& resource);

}  // namespace interface
