// One scalar as a body spells it becomes a value of its field's type. Pure; the codecs' own, the
// same for JSON and XML, so that both formats mean the same. Follows "Reading answers tolerantly".
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "mapping/interface/resource.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// `text` is the raw number, the unescaped text, or true/false. Markup is XML's text: everything
// is one there, blanks around a number do not count, and 1 and 0 are booleans too.
struct Token {
  enum class Kind { null, boolean, number, text, markup } kind = Kind::null;
  std::string_view text;
};

struct Scalar {
  Value value;
  bool finer = false;  // an instant had digits beyond microseconds, which were cut
};

// The value, or the rule it breaks (`expected integer, got "x"`). A blank is Null in every type
// but text. U+0000 in text, which no database takes, becomes U+FFFD. Dates without an offset are
// read in `zone`.
std::variant<Scalar, std::string> read_scalar(Type type, Token token, const std::string& zone);

// What a field of this type wants to see: "integer", "true or false", "an object".
std::string_view wanted(Type type);

}  // namespace surveybridge::mapping
