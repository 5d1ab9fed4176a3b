#include "mapping/tables/layout.hpp"

#include <algorithm>
#include <map>

#include "mapping/interface/root_resources.hpp"

namespace surveybridge::mapping {

namespace {

// "survey_answer" → "answer": what a child's key columns are called after.
std::string noun_of(const std::string& table) {
  return table.substr(table.find('_') + 1);
}

ColumnType column_type(Type type) {
  switch (type) {
    case Type::boolean:
      return ColumnType::boolean;
    case Type::integer:
      return ColumnType::integer;
    case Type::decimal:
      return ColumnType::decimal;
    case Type::instant:
      return ColumnType::instant;
    case Type::base64:
      return ColumnType::bytes;
    default:
      return ColumnType::text;
  }
}

// A nested object's name, unless the field repeats it: Batch.Id is batch_id, but Status.StatusCode
// is status_code.
std::string flattened(const std::string& object, std::string_view field) {
  const std::string name = snake_case(field);
  return object.empty() || name.starts_with(object + "_") ? name : object + "_" + name;
}

// In a table of its own a thing does not repeat its name either: survey_status has a code.
std::string without_noun(const std::string& column, const std::string& noun) {
  return column.starts_with(noun + "_") ? column.substr(noun.size() + 1) : column;
}

class Planner {
 public:
  Plan plan(const Resource& root) {
    Table table{std::string(root.table), {}, 1};
    const bool made_key = root.fields.front().type != Type::integer;
    if (made_key) table.columns.push_back({"id", ColumnType::key_text, true});
    const std::size_t at = add(std::move(table), root, noun_of(std::string(root.table)));
    Table& made = plan_.tables[at];
    made.columns.front().required = true;
    made.columns.push_back({"digest", ColumnType::key_text, true});
    made.columns.push_back({"changed_at", ColumnType::instant, true});
    plan_.layouts[at].made_key = made_key;
    return std::move(plan_);
  }

 private:
  // Begun with its key columns, the table gets those of the fields; then come its children.
  std::size_t add(Table begun, const Resource& resource, const std::string& dropped) {
    const std::size_t at = plan_.tables.size();
    plan_.tables.push_back(std::move(begun));
    plan_.layouts.emplace_back();
    add_fields(at, resource, "", dropped, {});
    for (const Field& field : resource.fields) {
      if (!field.list || field.type != Type::object) continue;
      const std::size_t child = add(child_of(at, field), *field.of, "");
      plan_.layouts[at].children.push_back({resource.index(field), child});
    }
    return at;
  }

  void add_fields(std::size_t at, const Resource& resource, const std::string& object,
                  const std::string& dropped, const std::vector<std::size_t>& way) {
    for (const Field& field : resource.fields) {
      if (field.list) continue;
      auto onward = way;
      onward.push_back(resource.index(field));
      const std::string name = without_noun(flattened(object, field.name), dropped);
      if (field.type == Type::object) {
        add_fields(at, *field.of, name, dropped, onward);
      } else if (field.type == Type::enumeration) {
        add_column(at, {name, ColumnType::integer}, {onward, Leaf::Part::number});
        add_column(at, {name + "_name", ColumnType::text}, {onward, Leaf::Part::name});
      } else {
        add_column(at, {name, column_type(field.type)}, {onward});
      }
    }
  }

  // A field called like a key column says the same (a note's CustomerId): the key stands for both.
  void add_column(std::size_t at, TableColumn column, Leaf leaf) {
    auto& columns = plan_.tables[at].columns;
    const auto same = std::ranges::find(columns, column.name, &TableColumn::name);
    if (same != columns.end()) {
      const auto key = static_cast<std::size_t>(same - columns.begin());
      plan_.layouts[at].copies.push_back({std::move(leaf), key});
      return;
    }
    columns.push_back(std::move(column));
    plan_.layouts[at].leaves.push_back(std::move(leaf));
  }

  // The parent's key, called after the parent, and the position in its list.
  Table child_of(std::size_t parent, const Field& field) const {
    const Table& above = plan_.tables[parent];
    Table table{std::string(field.table), {}, above.key_size + 1};
    for (std::size_t i = 0; i < above.key_size; ++i) {
      TableColumn key = above.columns[i];
      if (i + 1 == above.key_size) key.name = noun_of(above.name) + (i == 0 ? "_id" : "_position");
      key.required = true;
      table.columns.push_back(std::move(key));
    }
    table.columns.push_back({"position", ColumnType::integer, true});
    return table;
  }

  Plan plan_;
};

std::map<const Resource*, Plan> all_plans() {
  std::map<const Resource*, Plan> plans;
  for (const Resource* root : root_resources())
    plans.emplace(root, Planner{}.plan(*root));
  return plans;
}

}  // namespace

const Plan& plan_of(const Resource& root) {
  static const std::map<const Resource*, Plan> plans = all_plans();
  return plans.at(&root);
}

}  // namespace surveybridge::mapping
