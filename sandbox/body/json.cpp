#include <algorithm>
#include <memory>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sandbox/body/body.hpp"
#include "sandbox/model/http.hpp"

namespace sandbox {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepestJson = 64;

// Refuses a second member of the same name, and an object or a list that is too deep.
class Checks {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth >= kDeepestJson)
      throw std::runtime_error(fmt::format("deeper than {} levels", kDeepestJson));
    if (opens) names_.resize(static_cast<std::size_t>(depth) + 1);
    if (opens) names_.back().clear();
    if (event != Event::key) return true;
    const auto& name = parsed.get_ref<const std::string&>();
    if (!names_.at(static_cast<std::size_t>(depth) - 1).insert(name).second)
      throw std::runtime_error(fmt::format("the member \"{}\" appears twice in one object", name));
    return true;
  }

 private:
  std::vector<std::set<std::string>> names_;  // of the objects that are open, by depth
};

Node node_of(Json& json) {
  switch (json.type()) {
    case Json::value_t::boolean:
      return {json.get<bool>()};
    case Json::value_t::number_integer:
      return {json.get<std::int64_t>()};
    case Json::value_t::number_unsigned:
      if (json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) return {Decimal{}};
      return {json.get<std::int64_t>()};
    case Json::value_t::number_float:
      return {Decimal{}};
    case Json::value_t::string:
      return {std::move(json.get_ref<std::string&>())};
    case Json::value_t::array: {
      List list;
      for (Json& item : json)
        list.items.push_back(node_of(item));
      return {std::move(list)};
    }
    case Json::value_t::object: {
      Object object;
      for (auto& [name, value] : json.get_ref<Json::object_t&>())
        object.members.push_back({name, node_of(value)});
      return {std::move(object)};
    }
    default:
      return {Null{}};
  }
}

class JsonWriter {
 public:
  explicit JsonWriter(const WritingStyle& style) : style_(style) {}

  Json write(const Node& node) const {
    return std::visit([this](const auto& value) { return this->json(value); }, node.value);
  }

 private:
  const WritingStyle& style_;

  static Json json(Null) { return nullptr; }
  static Json json(bool value) { return value; }
  static Json json(std::int64_t value) { return value; }
  static Json json(const Decimal&) { return nullptr; }  // only read
  static Json json(const Untyped& value) { return value.text; }
  static Json json(const std::string& text) { return text; }

  Json json(const Enumeration& value) const {
    using Enumerations = WritingStyle::Enumerations;
    if (style_.enumerations == Enumerations::name) return std::string(value.name);
    if (style_.enumerations == Enumerations::number_text) return std::to_string(value.number);
    return value.number;
  }

  Json json(const List& list) const {
    if (list.items.empty() && style_.null_lists) return nullptr;
    Json out = Json::array();
    for (const Node& item : list.items)
      out.push_back(write(item));
    return out;
  }

  // Clients must ignore the case of names; some deployments write another case.
  std::string spelled(std::string name) const {
    using Names = WritingStyle::Names;
    const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; };
    if (style_.names == Names::camel && !name.empty()) name[0] = lower_case(name.substr(0, 1))[0];
    if (style_.names == Names::upper) std::transform(name.begin(), name.end(), name.begin(), upper);
    return name;
  }

  Json json(const Object& object) const {
    Json out = Json::object();
    for (const Member& member : object.members) {
      if (style_.omit_nulls && std::holds_alternative<Null>(member.node.value)) continue;
      out.emplace(spelled(member.name), write(member.node));
    }
    return out;
  }
};

}  // namespace

ParseResult read_json(std::string_view text) {
  try {
    Json json = Json::parse(text, [checks = std::make_shared<Checks>()](
                                      int depth, Json::parse_event_t event, const Json& parsed) {
      return (*checks)(depth, event, parsed);
    });
    return node_of(json);
  } catch (const Json::parse_error& error) {
    return Malformed{fmt::format("not JSON at byte {}", error.byte)};
  } catch (const std::exception& error) {
    return Malformed{error.what()};
  }
}

std::string write_json(const Node& node, const WritingStyle& style) {
  return JsonWriter(style).write(node).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace sandbox
