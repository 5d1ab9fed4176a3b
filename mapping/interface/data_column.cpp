#include "mapping/interface/data_column.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "config/problem.hpp"
#include "config/text.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

using Columns = std::vector<DataColumn>;

Columns columns_called(std::string_view name, const Columns& known) {
  Columns live, archived;
  for (const DataColumn& column : known)
    if (is_called(column, name)) (column.archived ? archived : live).push_back(column);
  return live.empty() ? archived : live;
}

// " (it has \"City\", \"Shop\")"; nothing where it has none.
std::string spelled(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
    list += (list.empty() ? "" : ", ") + config::quoted(names[i]);
  if (names.size() > kShown) list += fmt::format(" and {} more", names.size() - kShown);
  return list.empty() ? "" : " (it has " + list + ")";
}

// The closest name, else those that there are.
std::string unknown(std::string_view name, const Columns& known) {
  std::vector<std::string> names, display_names;
  for (const DataColumn& column : known) {
    if (column.archived) continue;
    names.push_back(column.name);
    if (!column.display_name.empty()) display_names.push_back(column.display_name);
  }
  std::string meant = config::suggestion(name, names);
  if (meant.empty()) meant = config::suggestion(name, display_names);
  return fmt::format("the service has no data column \"{}\"{}", name,
                     meant.empty() ? spelled(names) : meant);
}

std::string ambiguous(std::string_view name, const Columns& found) {
  std::string ids;
  for (const DataColumn& column : found)
    ids += (ids.empty() ? "" : ", ") + std::to_string(column.id);
  return fmt::format("several data columns are called \"{}\"; write one of their numbers: {}", name,
                     ids);
}

bool holds(const Record& item, const DataColumn& column) {
  const bool numbered = item.resource->find("CustomerDataColumnId") != nullptr;
  const auto* id =
      numbered ? std::get_if<std::int64_t>(&item.value("CustomerDataColumnId")) : nullptr;
  if (id != nullptr && column.id != 0) return *id == column.id;
  const auto* name = std::get_if<std::string>(&item.value(numbered ? "Name" : "DisplayName"));
  if (name == nullptr || name->empty()) return false;
  return same_name(*name, column.name) || same_name(*name, column.display_name);
}

}  // namespace

Columns to_data_columns(const std::vector<Record>& records) {
  Columns columns;
  for (const Record& record : records) {
    const auto id = record.get<std::int64_t>("Id");
    if (!id) continue;
    columns.push_back({*id, text_of(record.value("Name")), text_of(record.value("DisplayName")),
                       record.is_true("Required"), record.is_true("Archived")});
  }
  return columns;
}

bool is_called(const DataColumn& column, std::string_view name) {
  return same_name(column.name, name) || same_name(column.display_name, name) ||
         std::to_string(column.id) == name;
}

std::variant<DataColumn, std::string> find_column(std::string_view name, const Columns& known) {
  Columns found = columns_called(name, known);
  if (found.empty()) return unknown(name, known);
  if (found.size() > 1) return ambiguous(name, found);
  return std::move(found.front());
}

DataColumn column_as_written(const std::string& name) {
  return {to_number<std::int64_t>(name).value_or(0), name, "", false, false};
}

std::string data_value(const Record& record, const DataColumn& column) {
  for (const Record& item : record.at("Data").records) {
    const auto* value = std::get_if<std::string>(&item.value("Value"));
    if (value != nullptr && !value->empty() && holds(item, column)) return *value;
  }
  return "";
}

}  // namespace surveybridge::mapping
