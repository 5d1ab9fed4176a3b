#include "mapping/compile.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/constant.hpp"
#include "mapping/named_field.hpp"

namespace surveybridge::mapping {

namespace {

// Of one file, unless max_bytes says otherwise: in base64 it still fits a batch of standard size.
constexpr std::int64_t kFileBytesMax = 2 * 1024 * 1024;

using config::FieldRule;
using config::Source;

std::optional<std::size_t> find_column(const Source& source, const std::string& key,
                                       const Compiling& to) {
  const auto found = std::ranges::find(to.columns, source.column);
  const auto count = std::ranges::count(to.columns, source.column);
  if (count == 0) {
    to.problem(source.place, key,
               fmt::format("the query has no column \"{}\"{}", source.column,
                           config::suggestion(source.column, to.columns)));
  } else if (count > 1) {
    to.problem(source.place, key,
               fmt::format("the query has {} columns named \"{}\"", count, source.column));
  }
  return static_cast<std::size_t>(found - to.columns.begin());
}

Value constant_of(const std::optional<config::Constant>& constant, Type type, const Source& source,
                  const std::string& key, const Compiling& to) {
  if (!constant) return Null{};
  Coerced value = from_constant(*constant, type, to.zone);
  if (const auto* misfit = std::get_if<Misfit>(&value)) {
    to.problem(source.place, key, misfit->rule);
    return Null{};
  }
  return std::get<Value>(std::move(value));
}

// Settings that make no sense for the field's type.
void check_options(const Source& source, const Origin& origin, const std::string& key,
                   const Compiling& to) {
  const bool text = origin.type == Type::text;
  const bool shifted = source.plus.count() != 0 || source.at;
  if (shifted && origin.type != Type::instant)
    to.problem(source.place, key, "plus and at are for dates");
  if (source.max_length && !text) to.problem(source.place, key, "max_length is for text");
  const bool file = !source.folder.empty() || source.max_bytes;
  if (file && origin.type != Type::base64)
    to.problem(source.place, key, "folder and max_bytes are for the content of files");
  if (source.max_length && origin.address)
    to.problem(source.place, key, "max_length would cut an address");
}

bool says_nothing(const Source& source) {
  return source.column.empty() && !source.value && !source.fallback;
}

// How the rule is written, against what the field holds; empty: they agree.
std::string fault_in_shape(const FieldRule& rule, const Field& field) {
  const bool scalar = !says_nothing(rule.source);
  if (field.type == Type::object && field.list)
    return scalar || !rule.scalars.empty() ? "expected a list of objects" : "";
  if (field.type == Type::object) return rule.items.size() == 1 ? "" : "expected one object";
  if (field.list) return scalar || !rule.items.empty() ? "expected a list of values" : "";
  if (!rule.items.empty()) return "expected one value, got a list of objects";
  if (!rule.scalars.empty()) return "expected one value, got a list";
  return scalar ? "" : "says neither column nor value nor default";
}

Rule compile_field(const FieldRule& written, const Field& field, const std::string& key,
                   const std::string& place, const Compiling& to) {
  Rule rule;
  rule.field = &field;
  if (field.type == Type::object) {
    for (std::size_t i = 0; i < written.items.size(); ++i) {
      const std::string at = fmt::format("[{}]", i);
      rule.items.push_back(compile(written.items[i], *field.of, key + at, place + at + ".", to));
    }
  } else if (field.list) {
    for (std::size_t i = 0; i < written.scalars.size(); ++i) {
      const std::string at = fmt::format("[{}]", i);
      rule.origins.push_back(compile(written.scalars[i], field.type, key + at, place + at, to));
    }
  } else {
    rule.origins.push_back(compile(written.source, field.type, key, place, to));
  }
  return rule;
}

}  // namespace

Origin compile(const Source& source, Type type, const std::string& key, const std::string& place,
               const Compiling& to) {
  Origin origin;
  origin.place = place;
  origin.type = type;
  origin.column_name = source.column;
  if (!source.column.empty()) origin.column = find_column(source, key, to);
  origin.constant = constant_of(source.value, type, source, key, to);
  origin.fallback = constant_of(source.fallback, type, source, key, to);
  origin.address = place == "Email";
  origin.required = source.required || origin.address;
  origin.trim = source.trim || origin.address;
  origin.max_length = source.max_length;
  origin.plus = source.plus;
  origin.at = source.at;
  origin.folder = source.folder;
  origin.max_bytes = static_cast<std::size_t>(source.max_bytes.value_or(kFileBytesMax));
  check_options(source, origin, key, to);
  return origin;
}

std::vector<Rule> compile(const config::FieldMap& map, const Resource& shape,
                          const std::string& key, const std::string& place, const Compiling& to) {
  std::vector<Rule> rules;
  for (const FieldRule& written : map.rules) {
    const std::string field_key = key + "." + written.field;
    const auto found = named_field(shape, written.field);
    if (const auto* fault = std::get_if<std::string>(&found)) {
      to.problem(written.place, field_key, *fault);
      continue;
    }
    const Field* field = std::get<const Field*>(found);
    if (const std::string fault = fault_in_shape(written, *field); !fault.empty()) {
      to.problem(written.place, field_key, fault);
      continue;
    }
    rules.push_back(compile_field(written, *field, field_key, place + written.field, to));
    rules.back().slot = shape.index(*field);
  }
  return rules;
}

}  // namespace surveybridge::mapping
