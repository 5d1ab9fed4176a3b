// What a service may do to a key and to a date that it is given, and what its own copy of one
// proves of another. Pure.
#pragma once

#include <string_view>

#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// `known` is a key that the service lists byte for byte. Would it have listed `key` so, too? Not
// where `key` is longer and has more than eight bytes, or has a letter case, a mark, a blank or a
// character beyond ASCII that `known` has not, or may be read as a number, or as one with zeros
// that do not count, and `known` may not: services cut, fold, trim and convert.
bool covers_form_of(std::string_view known, std::string_view key);

// May a service that was given the transaction date `sent` list it as `listed`? It may round to a
// second, shift by a zone (whole quarters of an hour, at most 26 hours), or keep the day alone.
bool may_be_date(Instant listed, Instant sent);

}  // namespace surveybridge::mapping
