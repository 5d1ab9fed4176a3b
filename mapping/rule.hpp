// A field map compiled: every name resolved to a position, every constant to the field's type.
// Plain values, made by compile.cpp and data_columns.cpp, carried out by mapper.cpp.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "mapping/resource.hpp"
#include "mapping/value.hpp"

namespace surveybridge::mapping {

// How one value comes about: a column's cell or a constant, then trim, default, coercion to the
// field's type, max_length, plus, at.
struct Origin {
  std::string place;  // the field in reasons: "Answers[0].Text"
  Type type = Type::text;
  std::optional<std::size_t> column;  // position in the row; none: a constant
  std::string column_name;
  Value constant;  // already of the field's type, as is
  Value fallback;  // this; Null: none
  bool required = false;
  bool address = false;  // an e-mail address: always trimmed, must not be surely wrong
  bool trim = false;
  std::optional<int> max_length;  // code points
  std::string folder;             // the column names a file in it
  std::size_t max_bytes = 0;      // of base64: a file or binary value
  config::Duration plus{0};
  std::optional<std::chrono::minutes> at;
};

// One field of an object: a value, a list of values or a list of objects.
struct Rule {
  std::size_t slot = 0;  // in Record::slots
  const Field* field = nullptr;
  std::vector<Origin> origins;           // one, unless a list of scalars
  std::vector<std::vector<Rule>> items;  // a list of objects: the rules of each
};

// One entry of Data.
struct DataRule {
  std::optional<std::int64_t> id;  // not known offline; then the name goes out
  std::string name;                // as the map writes it
  bool required = false;           // by the service: a row without it is no customer
  std::optional<Origin> origin;    // none: the row's key
};

}  // namespace surveybridge::mapping
