// The source of a field's value: a column's name, or a table with more keys.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "config/keys/kinds.hpp"
#include "config/sections/load.hpp"
#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {

namespace {

constexpr std::size_t kLongestTemplate = 1000, kMostMeanings = 1000;

// "{{" and "}}" stand for the braces themselves.
Answer<std::vector<Piece>> read_pieces(std::string_view text) {
  std::vector<Piece> pieces;
  std::string literal;
  const auto end_literal = [&] {
    if (!literal.empty()) pieces.push_back({std::move(literal), ""});
    literal.clear();
  };
  while (!text.empty()) {
    const char c = text.front();
    if (text.starts_with("{{") || text.starts_with("}}")) {
      literal += c;
      text.remove_prefix(2);
    } else if (c == '}') {
      return Broken{"has a \"}\" without \"{\" (write \"}}\" for the brace itself)"};
    } else if (c == '{') {
      end_literal();
      const auto end = std::min(text.find('}'), text.size());
      const std::string_view column = text.substr(1, end - 1);
      if (end == text.size() || column.find('{') != column.npos) {
        return Broken{"has a \"{\" without \"}\" (write \"{{\" for the brace itself)"};
      }
      if (!is_name(column)) return Broken{"has a \"{}\" without a column's name in it"};
      pieces.push_back({"", std::string(column)});
      text.remove_prefix(end + 1);
    } else {
      literal += c;
      text.remove_prefix(1);
    }
  }
  end_literal();
  return pieces;
}

Answer<std::vector<Piece>> read_template(const std::string& text) {
  if (text.size() > kLongestTemplate) {
    return Broken{fmt::format("is longer than {} bytes", kLongestTemplate)};
  }
  auto read = read_pieces(text);
  const auto* pieces = std::get_if<std::vector<Piece>>(&read);
  const auto of_column = [](const Piece& piece) { return !piece.column.empty(); };
  if (pieces != nullptr && std::none_of(pieces->begin(), pieces->end(), of_column)) {
    return Broken{"names no column: write a constant as \"value\""};
  }
  return read;
}

std::optional<std::vector<Meaning>> read_meanings(const Node& node, const std::string& type,
                                                  const Trail& trail) {
  const auto* table = node.as<Node::Table>();
  if (table == nullptr || table->empty() || table->size() > kMostMeanings) {
    trail.wrong(node.place,
                must_be(type, table == nullptr ? described(node)
                              : table->empty() ? "an empty table"
                                               : fmt::format("{} of them", table->size())));
    return std::nullopt;
  }
  std::vector<Meaning> all;
  for (const Entry& entry : *table) {
    const Trail at = trail.key(entry.key);
    if (entry.key.empty()) at.wrong(entry.place, "an empty cell is null: \"default\" is for that");
    if (auto to = constant().read(entry.node, at)) all.push_back({entry.key, *to, entry.place});
  }
  return all;
}

Kind<std::vector<std::string>> texts() {
  return list_of("a list of texts", name("a text"));
}

void check_words(const Node::Table&, const TextPlace& place, const Trail& trail, Words& words) {
  for (const std::string& yes : words.yes) {
    for (const std::string& no : words.no) {
      if (same_ignoring_case(yes, no))
        trail.wrong(place, quoted(no) + " means both true and false");
    }
  }
}

Kind<std::vector<Piece>> template_text() {
  return from_text<std::vector<Piece>>("a text with columns in braces such as \"{first} {last}\"",
                                       read_template);
}

// The reference page shows it as one key, not as a table.
Kind<Words> words() {
  auto kind = section<Words>(
      {
          required(key("true", &Words::yes, texts(), "the column's words for true")),
          required(key("false", &Words::no, texts(), "the column's words for false")),
      },
      check_words);
  kind.inside = nullptr;
  kind.schema = R"({"type":"object"})";
  return kind;
}

Kind<Constant> date_or_column() {
  const std::string type = "a date without quotes, or a column's name";
  const auto read = [=](const Node& node, const Trail& trail) -> std::optional<Constant> {
    const auto* text = node.as<std::string>();
    if (text == nullptr && node.as<Date>() != nullptr) return date().read(node, trail);
    if (text != nullptr && is_name(*text)) return *text;
    trail.wrong(node.place, must_be(type, described(node)));
    return std::nullopt;
  };
  return {type, read, {}, {}, Form::toml, R"({"type":"string"})"};
}

using Required = FieldSource::Required;

using namespace std::chrono_literals;

// Keys that change or check a cell, and so need a column.
constexpr const char* kNeedColumn[] = {
    "required", "trim", "max_length", "lower",  "upper",     "map",     "number", "boolean",
    "date",     "zone", "otherwise",  "folder", "max_bytes", "address", "html",   "split"};

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
  const Entry* part = find(table, "part");
  if (part != nullptr && find(table, "split") == nullptr)
    trail.key("part").wrong(part->place, "needs a split");
  if (part != nullptr && to.part == 0)
    trail.key("part").wrong(part->place, "counts from 1, or from -1 backwards");
  const Entry* otherwise = find(table, "otherwise");
  if (otherwise != nullptr && column && find(table, "map") == nullptr)
    trail.key("otherwise").wrong(otherwise->place, "needs a map");
}

Kind<std::string> separator() {
  return text_that("a text of 1 to 20 bytes",
                   [](const std::string& text) { return !text.empty() && text.size() <= 20; });
}

Kind<FieldSource> source_table() {
  return section<FieldSource>(
      {
          key("column", &FieldSource::column, name("a column's name"), "a column of the query"),
          key("template", &FieldSource::pieces, template_text(),
              "several columns in one text. One blank beside an empty column is dropped; with all "
              "of them empty the text is empty"),
          key("value", &FieldSource::value, constant(), "a constant"),
          key("html", &FieldSource::html, flag(),
              "the column has HTML: its text on one line as a browser shows it, each entity "
              "decoded once (of `&amp;lt;` remains `&lt;`). What only looks like a tag or an "
              "entity (`2 < 3`, `A&B`) stays"),
          key("split", &FieldSource::split, separator(),
              "the text is a list with this between: of `a;b;c` the part 1 is `a`, the part -1 is "
              "`c`"),
          key("part", &FieldSource::part, integer(-1000, 1000),
              "which part of it, from 1 on, or from -1 backwards; one that is not there is null"),
          key("trim", &FieldSource::trim, flag(), "without blanks at either end"),
          key("lower", &FieldSource::lower, flag(),
              "in small letters, of every script; a letter without a counterpart of one letter (ß) "
              "stays"),
          key("upper", &FieldSource::upper, flag(), "in capitals, likewise"),
          key("address", &FieldSource::address, flag(),
              "the first e-mail address in the text: of a list, of \"Name <address>\", behind "
              "mailto:. A text without one stays as it is"),
          key("map", &FieldSource::meanings, meanings(),
              "what becomes of each of the column's texts, as they are after `trim`, `lower` and "
              "`upper`; an empty one is for `default`"),
          key("otherwise", &FieldSource::otherwise, constant(),
              "what becomes of all other texts; without it, such a row is no customer"),
          key("number", &FieldSource::number,
              choice<FieldSource::Number>(
                  {{"comma", FieldSource::Number::comma}, {"point", FieldSource::Number::point}}),
              "the sign before the column's decimals: \"comma\" reads `1.234,50`. The other one, "
              "blanks and apostrophes may part groups of three digits: `1.5` with a decimal comma "
              "is no number"),
          key("boolean", &FieldSource::boolean, words(),
              "the column's words: { true = [\"ja\"], false = [\"nee\"] }"),
          key("date", &FieldSource::date, name("a pattern such as \"%d-%m-%Y %H:%M\""),
              "how the column's text writes a date: `%Y %m %d %H %M %S %f %z %%`, every other "
              "character stands for itself. Without it a text is read as ISO 8601"),
          key("zone", &FieldSource::zone, zone(),
              "where a date without an offset is read; else the CRM's. A time that does not exist, "
              "as the clock was put forward, has the offset before the change: 02:30 becomes 03:30 "
              "summer time. One that exists twice is the first of the two"),
          key("folder", &FieldSource::folder, absolute_path(),
              "for `Data` of `FileAnswers`: the column (or `template`) names a file in this "
              "folder, whose content is the value. Without it the column has the content, as bytes "
              "or in base64. A row is set aside whose file is missing, unreadable, too large, no "
              "regular file, a link, or outside. While the folder is away, nothing goes out"),
          key("max_bytes", &FieldSource::max_bytes, bytes(1, 64 * 1024 * 1024),
              "a file's content that is larger, from a column or a folder: the row is no "
              "customer; else 5 MiB"),
          key("default", &FieldSource::fallback, constant(),
              "when the column is null or empty, also after `trim`"),
          key("required", &FieldSource::required,
              flag_or<Required>(Required::no, Required::yes, {"skip", Required::skip}),
              "null or empty: the row is no customer and is quarantined; \"skip\": it is left out "
              "(suppressed) until the CRM has a value, while it lies within `look_back`"),
          key("plus", &FieldSource::plus, duration(1ms, 24h * 3650),
              "a date later by so much: whole days in the zone, every other duration as elapsed "
              "time"),
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

Kind<std::vector<Meaning>> meanings() {
  const std::string type =
      fmt::format("a table of 1 to {} texts and what each becomes", kMostMeanings);
  return {type,
          [=](const Node& node, const Trail& trail) { return read_meanings(node, type, trail); },
          {},
          {},
          Form::table,
          R"({"type":"object"})"};
}

std::string source_rules() {
  std::string clashes;
  for (const auto& [one, other] : kClashes)
    clashes += fmt::format(R"({}{{"not":{{"required":["{}","{}"]}}}})", clashes.empty() ? "" : ",",
                           one, other);
  return R"({"allOf":[)" + clashes + "]}";
}

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
