// filter = { … } of a pull: each parameter of the list (docs/SERVICE.md 4.2 to 4.4) by its type.
#include <algorithm>
#include <limits>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/service_list.hpp"

namespace surveybridge::config {
namespace {

using Texts = std::vector<std::string>;
using Value = decltype(Filter::value);

// A whole number, boolean or text as it is sent.
Kind<std::string> scalar(std::string type) {
  const auto read = [type](const Node& node, const Trail& trail) -> std::optional<std::string> {
    if (const auto* number = node.as<std::int64_t>()) return std::to_string(*number);
    if (const auto* truth = node.as<bool>()) return *truth ? "true" : "false";
    const auto* text = node.as<std::string>();
    if (text != nullptr && !text->empty() && !has_control(*text)) return *text;
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  return {type, read, {}, {}, Form::toml, R"({"type":["string","integer","boolean"]})"};
}

Kind<std::string> whole_number() {
  const auto number = bytes(0, std::numeric_limits<std::int64_t>::max());
  const auto read = [number](const Node& node, const Trail& trail) -> std::optional<std::string> {
    const auto value = number.read(node, trail);
    if (!value) return std::nullopt;
    return std::to_string(*value);
  };
  return {"a whole number", read, {}, {}, number.form, number.schema};
}

Kind<std::string> truth() {
  const auto read = [](const Node& node, const Trail& trail) -> std::optional<std::string> {
    const auto value = flag().read(node, trail);
    if (!value) return std::nullopt;
    return *value ? "true" : "false";
  };
  return {"true or false", read, {}, {}, Form::toml, flag().schema};
}

// At least one item: an empty list would select everything.
template <class V>
Kind<std::vector<V>> some(std::string type, Kind<V> item) {
  const auto list = list_of(std::move(type), std::move(item));
  const auto read = [list](const Node& node, const Trail& trail) -> std::optional<std::vector<V>> {
    const auto* items = node.as<Node::List>();
    if (items != nullptr && items->empty()) {
      trail.wrong(node.place, "is an empty list");
      return std::nullopt;
    }
    return list.read(node, trail);
  };
  return {list.type, read, {}, {}, list.form, list.schema};
}

// A table whose keys the user chooses: `add` takes each entry.
template <class V>
Kind<V> open_table(std::string type, void (*add)(V&, const Entry&, const Trail&)) {
  const auto read = [type, add](const Node& node, const Trail& trail) -> std::optional<V> {
    const auto* table = filled_table(node, trail, type);
    if (table == nullptr) return std::nullopt;
    V value;
    for (const Entry& entry : *table)
      add(value, entry, trail.key(entry.key));
    return value;
  };
  return {type, read, {}, {}, Form::table, R"({"type":"object"})"};
}

void add_data(std::vector<Filter::Column>& data, const Entry& entry, const Trail& trail) {
  if (auto value = scalar("a text, a whole number, true or false").read(entry.node, trail)) {
    data.push_back({entry.key, *std::move(value)});
  }
}

void add_member(Filter::Answer& answer, const Entry& entry, const Trail& trail) {
  const auto one = scalar("a text or a whole number, or a list of them");
  const bool list = entry.node.as<Node::List>() != nullptr;
  const Node several{entry.node.place, Node::List{entry.node}};
  auto values = some(one.type, one).read(list ? entry.node : several, trail);
  if (values) answer.members.emplace_back(entry.key, *std::move(values));
}

bool is_later(const Date& a, const Date& b) {
  const auto utc = [](const Date& date) {
    return date.local - date.offset.value_or(std::chrono::minutes{0});
  };
  return utc(a) > utc(b);
}

void check_dates(const Node::Table&, const TextPlace& place, const Trail& trail,
                 Filter::Dates& dates) {
  if (!dates.from && !dates.to) trail.wrong(place, "needs from, to or both");
  if (dates.from && dates.to && is_later(*dates.from, *dates.to)) {
    trail.wrong(place, "ends before it begins");
  }
}

Kind<Filter::Dates> dates() {
  return section<Filter::Dates>({key("from", &Filter::Dates::from, date(), "the first"),
                                 key("to", &Filter::Dates::to, date(), "the last")},
                                check_dates);
}

// A parameter of this type.
template <class V>
Kind<Value> any(std::string type, Kind<V> of) {
  const auto read = [of](const Node& node, const Trail& trail) -> std::optional<Value> {
    auto value = of.read(node, trail);
    if (!value) return std::nullopt;
    return Value{*std::move(value)};
  };
  const bool is_section = static_cast<bool>(of.inside);
  return {std::move(type), read, {}, {}, of.form, is_section ? R"({"type":"object"})" : of.schema};
}

Kind<Value> kind_of(ParameterType type) {
  switch (type) {
    case ParameterType::date_filter:
      return any("{ from = date, to = date }, one of them or both", dates());
    case ParameterType::data_filters:
      return any("a table: data column = value",
                 open_table<std::vector<Filter::Column>>("a table: data column = value", add_data));
    case ParameterType::answer_filters:
      return any("a list of tables: member = value or values",
                 some("a list of tables", open_table<Filter::Answer>("a table", add_member)));
    case ParameterType::boolean:
      return any("true or false", truth());
    case ParameterType::integers:
      return any("a list of whole numbers", some("a list of whole numbers", whole_number()));
    case ParameterType::texts:
      return any("a list of texts", some("a list of texts", name("a text")));
    case ParameterType::review_status:
      return any("a name or a number", scalar("a name or a number"));
    case ParameterType::paging:
      break;
  }
  return {};
}

// Why this parameter cannot be set here; empty: it can.
std::string why_not(const Parameter& parameter, bool walk) {
  if (parameter.type == ParameterType::paging) return "is set by the bridge, which turns the pages";
  if (walk && shapes_rows(parameter.name)) {
    return "says what is stored of each row: set it in the filter of the whole list";
  }
  return "";
}

std::vector<Parameter> settable(Pull::List list, bool walk) {
  std::vector<Parameter> parameters;
  for (const Parameter& parameter : parameters_of(list)) {
    if (why_not(parameter, walk).empty()) parameters.push_back(parameter);
  }
  return parameters;
}

std::string unknown_parameter(const std::string& name, Pull::List list, bool walk) {
  Texts known;
  for (const Parameter& parameter : settable(list, walk))
    known.emplace_back(parameter.name);
  return unknown_key(name, known);
}

void read_entry(Pull::List list, bool walk, const Entry& entry, const Trail& trail,
                std::vector<Filter>& filters) {
  const auto all = parameters_of(list);
  const auto meant = std::ranges::find(all, entry.key, &Parameter::name);
  if (meant == all.end()) {
    return trail.wrong(entry.place, unknown_parameter(entry.key, list, walk));
  }
  const std::string refused = why_not(*meant, walk);
  if (!refused.empty()) return trail.wrong(entry.place, refused);
  if (auto value = read_value(kind_of(meant->type), entry.node, trail)) {
    filters.push_back({entry.key, entry.place, *std::move(value)});
  }
}

}  // namespace

Kind<std::vector<Filter>> filter_section(Pull::List list, bool walk) {
  Kind<std::vector<Filter>> kind;
  kind.type = "a table: parameter = value";
  kind.read = [list, walk, type = kind.type](
                  const Node& node, const Trail& trail) -> std::optional<std::vector<Filter>> {
    const auto* table = content<Node::Table>(node, trail, type);
    if (table == nullptr) return std::nullopt;
    std::vector<Filter> filters;
    for (const Entry& entry : *table)
      read_entry(list, walk, entry, trail.key(entry.key), filters);
    return filters;
  };
  kind.inside = [list, walk](const std::string& at, const std::vector<Filter>&) {
    std::vector<Setting> settings;
    for (const Parameter& parameter : settable(list, walk)) {
      const auto of = kind_of(parameter.type);
      settings.push_back({at, std::string(parameter.name), of.type, "", false,
                          "a parameter of the list", whole_schema(of.form, of.schema)});
    }
    return settings;
  };
  return kind;
}

}  // namespace surveybridge::config
