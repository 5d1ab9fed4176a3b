#include "mapping/field_map/data_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

// The one live column of that name, or a problem and nothing.
std::optional<DataColumn> resolve(const std::string& name, const config::TextPlace& place,
                                  const std::string& key, const std::vector<DataColumn>& known,
                                  const Compiling& to) {
  auto found = find_column(name, known);
  if (const auto* fault = std::get_if<std::string>(&found)) {
    to.problem(place, key, *fault);
    return {};
  }
  if (!std::get<DataColumn>(found).archived) return std::get<DataColumn>(std::move(found));
  to.problem(place, key, fmt::format("the data column \"{}\" is archived", name));
  return {};
}

void resolve_into(DataRule& rule, const config::TextPlace& place, const std::string& key,
                  const std::vector<DataColumn>& known, const Compiling& to) {
  if (known.empty()) return;
  const auto column = resolve(rule.name, place, key, known, to);
  if (!column) return;
  rule.id = column->id;
  rule.required = column->required;
}

bool same_column(const DataRule& a, const DataRule& b) {
  return a.id && b.id ? *a.id == *b.id : same_name(a.name, b.name);
}

// The key as it is, and nothing done to it?
bool is_key(const config::FieldSource& source, const std::string& key) {
  const bool changed = source.trim || source.address || source.lower || source.upper ||
                       !source.meanings.empty() ||
                       source.number != config::FieldSource::Number::plain || source.boolean ||
                       !source.date.empty() || source.max_length || source.fallback;
  return source.column == key && !changed;
}

void check_required(const config::Push& push, const std::vector<DataRule>& rules,
                    const std::vector<DataColumn>& known, const Compiling& to) {
  for (const DataColumn& column : known) {
    const auto carries = [&](const DataRule& rule) {
      return rule.id == column.id || is_called(column, rule.name);
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
          fmt::format(
              "carries the key: it must be the column \"{}\", which push.{}.key names, and no "
              "more",
              push.key, push.name));
    }
  }
  check_required(push, rules, known, to);
  return rules;
}

}  // namespace surveybridge::mapping
