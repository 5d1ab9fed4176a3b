// A compiled field map: every name is a position, every constant has the field's type. Plain
// values, made by compile.cpp (those of Data by mapper.cpp), and how one value of a row is computed
// by its rule. Pure.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/settings.hpp"
#include "mapping/field_map/coerce.hpp"
#include "mapping/interface/resource.hpp"
#include "mapping/values/date_pattern.hpp"
#include "mapping/values/value.hpp"

namespace surveybridge::mapping {

// The row's key in the ledger, and its cells in the order of the query's columns.
struct Row {
  std::string key;
  std::vector<Value> cells;
};

struct Unmappable {
  std::string reason;  // names the field and the rule, never a person's value
  bool skips = false;  // the map says to leave such a row out (`required = "skip"`)
};

// The content of the file `name` in `folder` as Bytes, at most `bytes_max`; or the fault of this
// file, as the end of the sentence "the file named by the column ...". Throws when no file of the
// folder can be read now: that is not a fault of the row.
using FileReader = std::function<Coerced(const std::string& folder, const std::string& name,
                                         std::size_t bytes_max)>;

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

// How one value is computed (rule.cpp): cells or a constant; then, in this order, the
// text of HTML, part of a list, address, trim, lower or upper, the meaning of the text (or the file
// that it names), conversion to the field's type, default, plus and at, not_before, max_length.
struct ValueRule {
  std::string place;  // the field in reasons: "Answers[0].Text"
  Type type = Type::text;
  std::optional<std::size_t> column;  // position in the row
  std::vector<Piece> pieces;          // a template; neither of the two: a constant
  std::string columns;                // in reasons: the column "email"
  Value constant;                     // already of the field's type
  Value fallback;                     // the same; Null: none
  bool required = false;
  bool skips = false;          // with `required`: such a row is left out
  bool address = false;        // an e-mail address: always trimmed, must have the form of one
  bool takes_address = false;  // of the text the first e-mail address, where there is one
  bool html = false;
  std::string split;  // empty: the whole text
  int part = 1;       // from 1 on, or from -1 backwards
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

using Found = std::variant<Value, Unmappable>;

// The value in the field's type; Null if there is none. Or why the row cannot be a customer: the
// field and the rule, never a person's value.
Found value_of(const ValueRule& origin, const Row& row, const FileReader& read_file);

Unmappable because(const ValueRule& origin, std::string_view rule);
// "required by the service, the column "email" is null or empty"; "skipped, …" where it skips.
std::string missing(const ValueRule& origin, std::string_view by);

}  // namespace surveybridge::mapping
