// [push.NAME.customer]: fields of the service and the sources of their values, in the order
// written. The mapping checks whether a field exists and fits its type.
#include <algorithm>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

FieldMap read_fields(const Node::Table& table, const TextPlace& place, const Trail& trail);

bool is_object(const Node& node) {
  const auto* table = node.as<Node::Table>();
  return table != nullptr && !is_source(*table);
}

// A list contains either objects or values.
void read_list(const Node& node, const Node::List& list, const Trail& trail, FieldRule& rule) {
  const auto objects = std::count_if(list.begin(), list.end(), is_object);
  if (list.empty() || (objects > 0 && objects < std::ssize(list))) {
    trail.wrong(node.place, list.empty() ? "is an empty list"
                                         : "must be a list of tables or of columns, not of both");
    return;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (objects > 0) {
      rule.items.push_back(read_fields(*list[i].as<Node::Table>(), list[i].place, trail.item(i)));
    } else if (auto value = source().read(list[i], trail.item(i))) {
      rule.scalars.push_back(*std::move(value));
    }
  }
}

FieldRule read_rule(const Entry& entry, const Trail& trail) {
  FieldRule rule;
  rule.field = entry.key;
  rule.place = entry.place;
  if (!is_name(entry.key)) {
    trail.wrong(entry.place, "is no field's name");
  } else if (const auto* list = entry.node.as<Node::List>()) {
    read_list(entry.node, *list, trail, rule);
  } else if (is_object(entry.node)) {
    rule.items.push_back(read_fields(*entry.node.as<Node::Table>(), entry.node.place, trail));
  } else if (auto value = source().read(entry.node, trail)) {
    rule.source = *std::move(value);
  }
  return rule;
}

FieldMap read_fields(const Node::Table& table, const TextPlace& place, const Trail& trail) {
  FieldMap map{place, {}};
  for (const Entry& entry : table)
    map.rules.push_back(read_rule(entry, trail.key(entry.key)));
  return map;
}

// Each entry is one value: a data column has no fields.
std::vector<DataRule> read_data(const Node& node, const Trail& trail) {
  std::vector<DataRule> rules;
  const auto* table = content<Node::Table>(node, trail, "a table of data columns");
  if (table == nullptr) return rules;
  for (const Entry& entry : *table) {
    const Trail at = trail.key(entry.key);
    if (!is_name(entry.key)) at.wrong(entry.place, "is no data column's name");
    if (auto value = source().read(entry.node, at)) {
      rules.push_back({entry.key, entry.place, *std::move(value)});
    }
  }
  return rules;
}

std::optional<CustomerMap> read_customer(const Node& node, const Trail& trail) {
  const auto* table = filled_table(node, trail, "a table of fields");
  if (table == nullptr) return std::nullopt;
  CustomerMap map;
  Node::Table fields = *table;
  const auto data = std::find_if(fields.begin(), fields.end(),
                                 [](const Entry& entry) { return entry.key == "Data"; });
  if (data != fields.end()) {
    map.data = read_data(data->node, trail.key("Data"));
    fields.erase(data);
  }
  map.fields = read_fields(fields, node.place, trail);
  return map;
}

}  // namespace

Kind<CustomerMap> customer_section() {
  Kind<CustomerMap> kind{"a table of fields", read_customer};
  kind.inside = [](const std::string& at, const CustomerMap&) {
    constexpr const char* kColumn =
        R"({"anyOf":[{"type":["string","number","boolean"]},{"$ref":"#/$defs/source"}]})";
    return std::vector<Setting>{{at, "FIELD", source().type, "", false, "a field of ImportCustomer",
                                 R"({"$ref":"#/$defs/field"})"},
                                {dotted(at, "Data"), "COLUMN", source().type, "", false,
                                 "a data column of the service", kColumn}};
  };
  return kind;
}

}  // namespace surveybridge::config
