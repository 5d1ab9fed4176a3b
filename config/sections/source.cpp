// The source of a field's value: a column's name, or a table with more keys.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

using namespace std::chrono_literals;

// Keys that change or check a cell, and so need a column.
constexpr const char* kNeedColumn[] = {"required",  "trim",   "max_length", "lower",  "upper",
                                       "map",       "number", "boolean",    "date",   "zone",
                                       "otherwise", "folder", "max_bytes",  "address"};

struct Clash {
  const char* one;
  const char* other;
};
constexpr Clash kClashes[] = {
    // Two sources.
    {"column", "value"},
    {"template", "value"},
    {"column", "template"},
    // A constant is never absent, and with a default nothing is missing.
    {"value", "default"},
    {"default", "required"},
    {"lower", "upper"},
    // Each one reads the column's text in its own way.
    {"map", "number"},
    {"map", "boolean"},
    {"map", "date"},
    {"number", "boolean"},
    {"number", "date"},
    {"boolean", "date"},
    {"address", "map"},
    {"address", "number"},
    {"address", "boolean"},
    {"address", "date"},
    // The column's text is a file name. Is a default a name or a content?
    {"folder", "map"},
    {"folder", "default"},
};

// Misspelt keys count: they have been reported already.
bool has_origin(const Node::Table& table) {
  return std::any_of(table.begin(), table.end(), [](const Entry& entry) {
    return !closest(entry.key, {"column", "template", "value", "default"}).empty();
  });
}

void check_source(const Node::Table& table, const TextPlace& place, const Trail& trail,
                  FieldSource& to) {
  to.place = place;
  const bool column = find(table, "column") != nullptr || find(table, "template") != nullptr;
  if (!has_origin(table)) trail.wrong(place, "needs a column, a template, a value or a default");
  for (const Clash& clash : kClashes) {
    const Entry* entry = find(table, clash.other);
    if (find(table, clash.one) != nullptr && entry != nullptr) {
      trail.key(clash.other).wrong(entry->place, fmt::format("clashes with \"{}\"", clash.one));
    }
  }
  for (const char* name : kNeedColumn) {
    const Entry* entry = find(table, name);
    if (entry != nullptr && !column && has_origin(table))
      trail.key(name).wrong(entry->place, "needs a column");
  }
  const Entry* otherwise = find(table, "otherwise");
  if (otherwise != nullptr && column && find(table, "map") == nullptr)
    trail.key("otherwise").wrong(otherwise->place, "needs a map");
}

Kind<FieldSource> source_table() {
  return section<FieldSource>(
      {
          key("column", &FieldSource::column, name("a column's name"), "a column of the query"),
          key("template", &FieldSource::pieces, template_text(), "several columns in one text"),
          key("value", &FieldSource::value, constant(), "a constant"),
          key("trim", &FieldSource::trim, flag(), "without blanks at either end"),
          key("lower", &FieldSource::lower, flag(), "in small letters"),
          key("upper", &FieldSource::upper, flag(), "in capitals"),
          key("address", &FieldSource::address, flag(),
              "the first e-mail address in the text: of a list, of \"Name <address>\", behind "
              "mailto:"),
          key("map", &FieldSource::meanings, meanings(),
              "what becomes of each of the column's texts"),
          key("otherwise", &FieldSource::otherwise, constant(),
              "what becomes of all other texts; without it, such a row is no customer"),
          key("number", &FieldSource::number,
              choice<FieldSource::Number>(
                  {{"comma", FieldSource::Number::comma}, {"point", FieldSource::Number::point}}),
              "the sign before the column's decimals; the other one, blanks and apostrophes may "
              "part thousands"),
          key("boolean", &FieldSource::boolean, words(),
              "the column's words: { true = [\"ja\"], false = [\"nee\"] }"),
          key("date", &FieldSource::date, name("a pattern such as \"%d-%m-%Y %H:%M\""),
              "how the column's text writes a date"),
          key("zone", &FieldSource::zone, zone(),
              "where the column's clocks are read; else the CRM's"),
          key("folder", &FieldSource::folder, absolute_path(),
              "the column names a file in this folder: its content is the value"),
          key("max_bytes", &FieldSource::max_bytes, bytes(1, 64 * 1024 * 1024),
              "a file's content that is larger, from a column or a folder: the row is no "
              "customer; else 5 MiB"),
          key("default", &FieldSource::fallback, constant(), "when the column is null or empty"),
          key("required", &FieldSource::required, flag(), "null or empty: the row is no customer"),
          key("plus", &FieldSource::plus, duration(1ms, 24h * 3650), "a date later by so much"),
          key("at", &FieldSource::at, time_of_day(), "a date at this time of day, in the zone"),
          key("not_before", &FieldSource::not_before, date_or_column(),
              "the earliest date it may be"),
          key("max_length", &FieldSource::max_length, integer(1, 1'000'000), "longer text is cut"),
      },
      check_source);
}

// A text is a column's name; any other scalar is a constant.
std::optional<FieldSource> read_scalar(const Node& node, const std::string& type,
                                       const Trail& trail) {
  const auto* text = node.as<std::string>();
  if (text == nullptr ? !is_constant(node) : !is_name(*text)) {
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  }
  FieldSource source;
  source.place = node.place;
  if (text == nullptr) source.value = constant().read(node, trail);
  if (text != nullptr) source.column = *text;
  return source;
}

Kind<FieldSource> source_or_text() {
  Kind<FieldSource> kind = source_table();
  kind.type = "a column's name, a constant other than text, or a table { column = … }";
  kind.read = [of_table = kind.read, type = kind.type](const Node& node, const Trail& trail) {
    const bool is_table = node.as<Node::Table>() != nullptr;
    return is_table ? of_table(node, trail) : read_scalar(node, type, trail);
  };
  return kind;
}

}  // namespace

bool is_source(const Node::Table& table) {
  for (const Entry& entry : table) {
    if (!entry.key.empty() && std::islower(static_cast<unsigned char>(entry.key[0])) != 0) {
      return true;
    }
  }
  return table.empty();
}

const Kind<FieldSource>& source() {
  static const Kind<FieldSource> kind = source_or_text();
  return kind;
}

}  // namespace surveybridge::config
