#include "daemon/commands/customer_fields.hpp"

#include <algorithm>

namespace surveybridge::daemon {

namespace {

// By what a path finds an item of a list.
std::string name_in_list(const mapping::Field& list, const mapping::Record& item,
                         std::size_t position, const std::vector<mapping::DataColumn>& columns) {
  if (list.name == "Data") {
    const auto id = item.get<std::int64_t>("CustomerDataColumnId");
    if (!id) return mapping::text_of(item.value("Name"));
    const auto column = std::ranges::find(columns, *id, &mapping::DataColumn::id);
    return column == columns.end() ? std::to_string(*id) : column->name;
  }
  const auto question =
      list.name == "Answers" ? item.get<std::int64_t>("BaseQuestionId") : std::nullopt;
  return std::to_string(question.value_or(static_cast<std::int64_t>(position)));
}

void add_fields(const mapping::Record& record, const std::string& before,
                const std::vector<mapping::DataColumn>& columns, CustomerFields& fields) {
  for (std::size_t slot = 0; slot < record.slots.size(); ++slot) {
    const mapping::Field& field = record.resource->fields[slot];
    const mapping::Slot& content = record.slots[slot];
    const std::string path = before + std::string(field.name);
    if (!mapping::is_null(content.value)) fields.emplace_back(path, content.value);
    for (std::size_t i = 0; i < content.values.size(); ++i)
      fields.emplace_back(path + "[" + std::to_string(i) + "]", content.values[i]);
    for (std::size_t i = 0; i < content.records.size(); ++i) {
      const mapping::Record& item = content.records[i];
      const std::string at = path + "[" + name_in_list(field, item, i, columns) + "]";
      if (field.name == "Data")
        fields.emplace_back(at, item.value("Value"));
      else
        add_fields(item, at + ".", columns, fields);
    }
  }
}

}  // namespace

CustomerFields fields_of(const mapping::Record& customer,
                         const std::vector<mapping::DataColumn>& columns) {
  CustomerFields fields;
  add_fields(customer, "", columns, fields);
  return fields;
}

}  // namespace surveybridge::daemon
