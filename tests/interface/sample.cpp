#include "tests/interface/sample.hpp"

#include <algorithm>
#include <stdexcept>

namespace interface {
namespace {

namespace mapping = surveybridge::mapping;

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string element(const std::string& name, const std::string& inside) {
  return "<" + name + ">" + inside + "</" + name + ">";
}

std::string xml_value(const Json& value, const Field& field) {
  return fields().count(field.type) != 0 ? xml_inside(value, field.type) : text_of(value);
}

std::string xml_member(const Json& value, const Field& field) {
  if (!field.is_list()) return element(field.name, xml_value(value, field));
  std::string items;
  for (const Json& item : value)
    items += element(field.item, xml_value(item, field));
  return element(field.name, items);
}

}  // namespace

Sample sample(const std::string& type) {
  if (type == "boolean") return {true, "true", true};
  if (type == "integer") return {4000000007, "4000000007", std::int64_t{4000000007}};
  if (type == "string") return {"text 1", "text 1", "text 1"};
  if (type == "enumeration") return {3, "Chosen", mapping::Enumerator{3, ""}};
  if (type == "base64") return {"AP8B", "AP8B", mapping::Bytes{std::string("\0\xFF\x01", 3)}};
  if (type == "date-time") {
    const std::string date = "2026-03-02T12:00:00.123456Z";
    return {date, date, mapping::Instant{std::chrono::microseconds{1'772'452'800'123'456}}};
  }
  if (type == "guid") {
    const std::string guid = "0d4d6ff4-6ae8-4a1c-9d1c-6f4f1e7f6a11";
    return {guid, guid, guid};
  }
  throw std::invalid_argument("no sample of type " + type);
}

Json json_body(const Leaf& leaf, const Json& value) {
  Json body = Json::object();
  Json* at = &body;
  for (const Field* field : leaf.way) {
    at = &(*at)[field->name];
    if (field->is_list()) at = &at->emplace_back();
  }
  *at = value;
  return body;
}

std::string xml_inside(const Json& object, const std::string& resource) {
  std::vector<Field> sorted = fields().at(resource);
  std::ranges::sort(sorted, {}, &Field::name);
  std::string out;
  for (const Field& field : sorted)
    if (object.contains(field.name)) out += xml_member(object.at(field.name), field);
  return out;
}

}  // namespace interface
