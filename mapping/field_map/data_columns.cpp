#include "mapping/field_map/data_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

bool is_named(const DataColumn& column, const std::string& name) {
  return same_name(column.name, name) || same_name(column.display_name, name) ||
         std::to_string(column.id) == name;
}

// An archived column often leaves its name to a new one, so live columns come first.
std::vector<const DataColumn*> columns_named(const std::string& name,
                                             const std::vector<DataColumn>& known) {
  std::vector<const DataColumn*> live, archived;
  for (const DataColumn& column : known) {
    if (is_named(column, name)) (column.archived ? archived : live).push_back(&column);
  }
  return live.empty() ? archived : live;
}

std::string unknown(const std::string& name, const std::vector<DataColumn>& known) {
  std::vector<std::string> names;
  for (const DataColumn& column : known) {
    if (!column.archived) names.push_back(column.name);
  }
  return fmt::format("the service has no data column \"{}\"{}", name,
                     config::suggestion(name, names));
}

std::string ambiguous(const std::string& name, const std::vector<const DataColumn*>& found) {
  std::string ids;
  for (const DataColumn* column : found)
    ids += (ids.empty() ? "" : ", ") + std::to_string(column->id);
  return fmt::format("several data columns are called \"{}\"; write one of their numbers: {}", name,
                     ids);
}

// The one live column of that name, or a problem and nothing.
const DataColumn* resolve(const std::string& name, const config::TextPlace& place,
                          const std::string& key, const std::vector<DataColumn>& known,
                          const Compiling& to) {
  const auto found = columns_named(name, known);
  if (found.empty()) {
    to.problem(place, key, unknown(name, known));
  } else if (found.front()->archived) {
    to.problem(place, key, fmt::format("the data column \"{}\" is archived", name));
  } else if (found.size() > 1) {
    to.problem(place, key, ambiguous(name, found));
  } else {
    return found.front();
  }
  return nullptr;
}

void resolve_into(DataRule& rule, const config::TextPlace& place, const std::string& key,
                  const std::vector<DataColumn>& known, const Compiling& to) {
  if (known.empty()) return;
  const DataColumn* column = resolve(rule.name, place, key, known, to);
  if (!column) return;
  rule.id = column->id;
  rule.required = column->required;
}

bool same_column(const DataRule& a, const DataRule& b) {
  return a.id && b.id ? *a.id == *b.id : same_name(a.name, b.name);
}

// The key as it is, and nothing done to it?
bool is_key(const config::FieldSource& source, const std::string& key) {
  const bool changed = source.trim || source.lower || source.upper || !source.meanings.empty() ||
                       source.number != config::FieldSource::Number::plain || source.boolean ||
                       !source.date.empty() || source.max_length || source.fallback;
  return source.column == key && !changed;
}

void check_required(const config::Push& push, const std::vector<DataRule>& rules,
                    const std::vector<DataColumn>& known, const Compiling& to) {
  for (const DataColumn& column : known) {
    const auto carries = [&](const DataRule& rule) {
      return rule.id == column.id || is_named(column, rule.name);
    };
    if (!column.required || column.archived || std::ranges::any_of(rules, carries)) continue;
    to.problem(
        push.customer.place, fmt::format("push.{}.customer.Data", push.name),
        fmt::format("the service requires the data column \"{}\" ({})", column.name, column.id));
  }
}

// The rule that carries the key; its problems are at the entry that maps it, if one does.
DataRule compile_correlate(const config::Push& push, const std::vector<DataColumn>& known,
                           const Compiling& to) {
  DataRule rule{{}, push.correlate, false, {}};
  config::TextPlace place = push.place;
  for (const config::DataRule& written : push.data) {
    if (same_name(written.column, push.correlate)) place = written.place;
  }
  resolve_into(rule, place, fmt::format("push.{}.correlate", push.name), known, to);
  return rule;
}

DataRule compile_entry(const config::Push& push, const config::DataRule& written,
                       const std::string& key, const std::vector<DataColumn>& known,
                       const Compiling& to) {
  DataRule rule{{}, written.column, false, {}};
  rule.origin =
      compile(written.source, Type::text, key, fmt::format("Data[{}]", written.column), to);
  if (!same_name(written.column, push.correlate)) resolve_into(rule, written.place, key, known, to);
  return rule;
}

}  // namespace

std::vector<DataRule> compile_data(const config::Push& push, const std::vector<DataColumn>& known,
                                   const Compiling& to) {
  std::vector<DataRule> rules;
  if (!push.correlate.empty()) rules.push_back(compile_correlate(push, known, to));
  for (const config::DataRule& written : push.data) {
    const std::string key = fmt::format("push.{}.customer.Data.{}", push.name, written.column);
    DataRule rule = compile_entry(push, written, key, known, to);
    const auto twin = std::ranges::find_if(
        rules, [&](const DataRule& other) { return same_column(rule, other); });
    if (twin == rules.end()) {
      rules.push_back(std::move(rule));
    } else if (twin->origin) {
      to.problem(written.place, key, "another entry maps the same data column");
    } else if (!is_key(written.source, push.key)) {
      to.problem(
          written.place, key,
          fmt::format("carries the key: it must be the column \"{}\" and no more", push.key));
    }
  }
  check_required(push, rules, known, to);
  return rules;
}

}  // namespace surveybridge::mapping
