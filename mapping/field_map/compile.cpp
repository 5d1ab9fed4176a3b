#include "mapping/field_map/compile.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "config/text.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/interface/resource.hpp"
#include "mapping/values/text.hpp"

namespace surveybridge::mapping {

namespace {

using config::FieldRule;
using config::FieldSource;

// Keys of a source, the types that they are for, and the message.
struct Option {
  bool written;
  std::initializer_list<Type> types;
  const char* rule;
};

// The text of a cell as it is looked up in the map.
std::string as_looked_up(const std::string& text, const ValueRule& origin) {
  const std::string kept(origin.trim ? trimmed(text) : std::string_view{text});
  if (!is_utf8(kept)) return kept;
  return origin.lower ? in_small_letters(kept) : origin.upper ? in_capitals(kept) : kept;
}

void check_map(const ValueRule& origin, const std::string& key, const FieldSource& source,
               const Compiling& to) {
  for (const config::Meaning& meaning : source.meanings) {
    const std::string comes = as_looked_up(meaning.from, origin);
    if (comes != meaning.from)
      to.problem(meaning.place, key + ".map",
                 fmt::format("\"{}\" never comes: it is \"{}\" by then", meaning.from, comes));
  }
}

// Adds a problem at the source's line for each key that the field's type cannot use, and for each
// text of a map that can never occur.
void check_options(const FieldSource& source, const ValueRule& origin, const std::string& key,
                   const Compiling& to) {
  const bool letters =
      (source.lower || source.upper) && source.meanings.empty() && source.folder.empty();
  const Option options[] = {
      {source.plus.count() != 0 || source.at, {Type::instant}, "plus and at are for dates"},
      {source.not_before.has_value(), {Type::instant}, "not_before is for dates"},
      {!source.date.empty(), {Type::instant, Type::text}, "date is for dates and text"},
      {!source.zone.empty(), {Type::instant, Type::text}, "zone is for dates and text"},
      {source.number != FieldSource::Number::plain,
       {Type::integer, Type::decimal, Type::text},
       "number is for numbers and text"},
      {source.boolean.has_value(), {Type::boolean, Type::text}, "boolean is for booleans and text"},
      {!source.folder.empty() || source.max_bytes,
       {Type::base64},
       "folder and max_bytes are for the content of files"},
      {letters, {Type::text, Type::enumeration}, "lower and upper are for text"},
      {source.html, {Type::text}, "html is for text"},
      {!source.split.empty() && source.folder.empty() && origin.type == Type::base64,
       {},
       "split is not for the content of files"},
      {source.address, {Type::text}, "address is for text"},
      {source.max_length.has_value(), {Type::text}, "max_length is for text"},
      {source.max_length && origin.address, {}, "max_length would cut an address"},
  };
  for (const Option& option : options) {
    const auto& types = option.types;
    if (option.written && std::find(types.begin(), types.end(), origin.type) == types.end())
      to.problem(source.place, key, option.rule);
  }
  check_map(origin, key, source, to);
}

std::optional<std::size_t> find_column(const std::string& name, const FieldSource& source,
                                       const std::string& key, const Compiling& to) {
  if (name.empty()) return {};
  const auto found = std::ranges::find(to.columns, name);
  const auto count = std::ranges::count(to.columns, name);
  if (count == 0) {
    to.problem(source.place, key,
               fmt::format("the query has no column \"{}\"{}", name,
                           config::suggestion(name, to.columns)));
  } else if (count > 1) {
    to.problem(source.place, key,
               fmt::format("the query has {} columns named \"{}\"", count, name));
  }
  return static_cast<std::size_t>(found - to.columns.begin());
}

Value constant_of(const std::optional<config::Constant>& constant, Type type,
                  const FieldSource& source, const std::string& key, const Compiling& to) {
  if (!constant) return Null{};
  Coerced value = from_constant(*constant, type, to.zone);
  if (const auto* misfit = std::get_if<ConversionError>(&value)) {
    to.problem(source.place, key, misfit->rule);
    return Null{};
  }
  return std::get<Value>(std::move(value));
}

bool says_nothing(const FieldSource& source) {
  return source.column.empty() && source.pieces.empty() && !source.value && !source.fallback;
}

// Compares the form of the rule with the type of the field; empty: they agree.
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
      rule.value_rules.push_back(compile(written.scalars[i], field.type, key + at, place + at, to));
    }
  } else {
    rule.value_rules.push_back(compile(written.source, field.type, key, place, to));
  }
  return rule;
}

std::string columns_in_words(const FieldSource& source) {
  if (source.pieces.empty()) return fmt::format("the column \"{}\"", source.column);
  std::string names;
  for (const config::Piece& piece : source.pieces)
    if (!piece.column.empty())
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", piece.column);
  return fmt::format("the columns {}", names);
}

std::optional<DatePattern> pattern_of(const FieldSource& source, const std::string& key,
                                      const Compiling& to) {
  if (source.date.empty()) return {};
  auto made = DatePattern::parse(source.date);
  if (const auto* fault = std::get_if<std::string>(&made)) {
    to.problem(source.place, key, "date: " + *fault);
    return {};
  }
  return std::get<DatePattern>(std::move(made));
}

// The earliest date: a constant or a column.
void bound(ValueRule& origin, const FieldSource& source, const std::string& key,
           const Compiling& to) {
  if (!source.not_before) return;
  if (const auto* column = std::get_if<std::string>(&*source.not_before)) {
    origin.not_before_column = find_column(*column, source, key, to);
  } else {
    origin.not_before = instant_of(std::get<config::Date>(*source.not_before), origin.zone);
  }
}

}  // namespace

ValueRule compile(const FieldSource& source, Type type, const std::string& key,
                  const std::string& place, const Compiling& to) {
  ValueRule origin;
  origin.place = place;
  origin.type = type;
  origin.zone = source.zone.empty() ? to.zone : source.zone;
  const auto constant = [&](const std::optional<config::Constant>& written) {
    return constant_of(written, type, source, key, to);
  };
  origin.column = find_column(source.column, source, key, to);
  for (const config::Piece& piece : source.pieces)
    origin.pieces.push_back({piece.text, find_column(piece.column, source, key, to)});
  origin.columns = columns_in_words(source);
  origin.constant = constant(source.value);
  origin.fallback = constant(source.fallback);
  origin.address = place == "Email";
  origin.takes_address = source.address;
  origin.required = source.required != FieldSource::Required::no || origin.address;
  origin.skips = source.required == FieldSource::Required::skip;
  origin.html = source.html;
  origin.split = source.split;
  origin.part = source.part;
  origin.trim = source.trim || origin.address;
  origin.lower = source.lower;
  origin.upper = source.upper;
  for (const config::Meaning& meaning : source.meanings)
    origin.meanings.push_back({meaning.from, constant(meaning.to)});
  origin.otherwise = constant(source.otherwise);
  origin.number = source.number;
  origin.words = source.boolean;
  origin.pattern = pattern_of(source, key, to);
  origin.pattern_text = source.date;
  origin.folder = source.folder;
  origin.bytes_max = static_cast<std::size_t>(source.max_bytes.value_or(config::kFileBytes));
  origin.plus = source.plus;
  origin.at = source.at;
  bound(origin, source, key, to);
  origin.max_length = source.max_length;
  check_options(source, origin, key, to);
  return origin;
}

std::vector<std::string> columns_of(const FieldSource& source) {
  std::vector<std::string> names;
  if (!source.column.empty()) names.push_back(source.column);
  for (const config::Piece& piece : source.pieces)
    if (!piece.column.empty()) names.push_back(piece.column);
  if (source.not_before && std::holds_alternative<std::string>(*source.not_before))
    names.push_back(std::get<std::string>(*source.not_before));
  return names;
}

namespace {

void collect(const config::FieldMap& map, std::vector<const FieldSource*>& sources) {
  for (const auto& rule : map.rules) {
    sources.push_back(&rule.source);
    for (const auto& item : rule.items)
      collect(item, sources);
    for (const auto& scalar : rule.scalars)
      sources.push_back(&scalar);
  }
}

}  // namespace

std::vector<const FieldSource*> sources_of(const config::Push& push) {
  std::vector<const FieldSource*> sources;
  collect(push.customer, sources);
  for (const auto& rule : push.data)
    sources.push_back(&rule.source);
  return sources;
}

std::vector<std::string> columns_of(const config::Push& push) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    const auto is_it = [&](const std::string& each) {
      return config::same_ignoring_case(each, name);
    };
    if (!name.empty() && std::ranges::none_of(names, is_it)) names.push_back(name);
  };
  add(push.key);
  add(push.when);
  if (push.quota) add(push.quota->column);
  for (const FieldSource* source : sources_of(push))
    for (const auto& name : columns_of(*source))
      add(name);
  return names;
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
