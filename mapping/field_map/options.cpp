#include "mapping/field_map/options.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "mapping/values/text.hpp"
#include "mapping/values/unicode_case.hpp"

namespace surveybridge::mapping {

namespace {

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

}  // namespace

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

}  // namespace surveybridge::mapping
