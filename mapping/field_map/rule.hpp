// A compiled field map: every name is a position, every constant has the field's type. Plain
// values, made by compile.cpp (those of Data by mapper.cpp), used by mapper.cpp.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "mapping/interface/resource.hpp"
#include "mapping/values/date_pattern.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// A part of a template: a text, or the cell of a column.
struct Piece {
  std::string text;
  std::optional<std::size_t> column;
};
// One entry of a map; its value already has the field's type.
struct MapEntry {
  std::string from;
  Value to;
};

// How one value is computed (value_rule.cpp): cells or a constant; then, in this order, the
// address, trim, lower or upper, the meaning of the text (or the file that it names), conversion to
// the field's type, default, plus and at, not_before, max_length.
struct ValueRule {
  std::string place;  // the field in reasons: "Answers[0].Text"
  Type type = Type::text;
  std::optional<std::size_t> column;  // position in the row
  std::vector<Piece> pieces;          // a template; neither of the two: a constant
  std::string columns;                // in reasons: the column "email"
  Value constant;                     // already of the field's type
  Value fallback;                     // the same; Null: none
  bool required = false;
  bool address = false;        // an e-mail address: always trimmed, must have the form of one
  bool takes_address = false;  // of the text the first e-mail address, where there is one
  bool trim = false;
  bool lower = false, upper = false;
  std::vector<MapEntry> meanings;  // empty: no map
  Value otherwise;                 // Null: a text that the map does not have is an error
  config::FieldSource::Number number = config::FieldSource::Number::plain;
  std::optional<config::Words> words;
  std::optional<DatePattern> pattern;
  std::string pattern_text;
  std::string zone;           // of its wall clocks
  std::string folder;         // the columns name a file in this folder; empty: none
  std::size_t bytes_max = 0;  // for base64: the largest file
  config::Milliseconds plus{0};
  std::optional<std::chrono::minutes> at;
  Value not_before;                              // an instant; Null: none
  std::optional<std::size_t> not_before_column;  // or this cell
  std::optional<int> max_length;                 // code points

  bool reads() const { return column || !pieces.empty(); }
};

// One field of an object: a value, a list of values or a list of objects.
struct Rule {
  std::size_t slot = 0;  // in Record::slots
  const Field* field = nullptr;
  std::vector<ValueRule> value_rules;    // one, unless a list of scalars
  std::vector<std::vector<Rule>> items;  // a list of objects: the rules of each
};

// One entry of Data.
struct DataRule {
  std::optional<std::int64_t> id;   // not known offline; then the name goes out
  std::string name;                 // as the map writes it
  bool required = false;            // by the service: a row without a value is not sent
  std::optional<ValueRule> origin;  // none: the row's key
};

}  // namespace surveybridge::mapping
