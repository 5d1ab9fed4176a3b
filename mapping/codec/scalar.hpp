// One scalar of a body becomes a value of its field's type (docs/SERVICE.md 2). Pure; used by the
// codecs only, for JSON and XML alike, so that both formats give the same value.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "mapping/interface/resource.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// `text` is the raw number, the unescaped text, or true/false. Markup is text of XML: everything is
// text there, and blanks around a number are ignored.
struct Token {
  enum class Kind { null, boolean, number, text, markup } kind = Kind::null;
  std::string_view text;
};

struct Scalar {
  Value value;
  bool finer = false;  // an instant had more digits than microseconds; they were cut
};

// The value, or the rule that it breaks (`expected integer, got "x"`). A blank is Null in every
// type except text. A boolean may also be 1 or 0, "yes" or "no" and the like, in any case, with
// blanks around it: whoever writes "OptedOut": 1 must not be mailed. U+0000 in a text becomes
// U+FFFD, because no database stores it. Dates without an offset are read in `zone`.
std::variant<Scalar, std::string> read_scalar(Type type, Token token, const std::string& zone);

// The expected value in words: "integer", "true or false", "an object".
std::string_view wanted(Type type);

}  // namespace surveybridge::mapping
