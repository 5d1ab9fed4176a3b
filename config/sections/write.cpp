// [[pull.LIST.write]]: values of the service written into a table of the CRM.
#include <algorithm>

#include <fmt/format.h>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {

namespace {

// The SQL quotes this name. A quote or a second dot in it is a mistake.
bool is_identifier(std::string_view text) {
  return is_name(text) && text.find_first_of("\"'`;[].") == std::string_view::npos &&
         text.front() != ' ' && text.back() != ' ';
}

Kind<std::string> table_name() {
  return text_that("a table such as \"orders\" or \"sales.orders\"", [](const std::string& text) {
    const std::size_t dot = text.find('.');
    return dot == std::string::npos
               ? is_identifier(text)
               : is_identifier(text.substr(0, dot)) && is_identifier(text.substr(dot + 1));
  });
}

Kind<std::string> path_text() {
  return name("a path such as \"Status.StatusName\"");
}

void check_cell(const Node::Table&, const TextPlace& place, const Trail& trail, Write::Cell& cell) {
  if (cell.path.empty() == !cell.value) trail.wrong(place, "needs either a path or a value");
  const bool changed =
      !cell.meanings.empty() || !cell.date.empty() || cell.one_way || cell.max_length;
  if (cell.value && changed) trail.wrong(place, "map, date, one_way and max_length are for a path");
  if (!cell.meanings.empty() && !cell.date.empty()) trail.wrong(place, "date clashes with map");
  if (cell.otherwise && cell.meanings.empty()) trail.wrong(place, "otherwise needs a map");
}

}  // namespace

Kind<Write::Cell> cell_section() {
  using Cell = Write::Cell;
  return section<Cell>(
      {key("path", &Cell::path, path_text(),
           "where the value is in the record. A zero date is NULL"),
       key("value", &Cell::value, constant(), "a constant instead of a path"),
       key("map", &Cell::meanings, meanings(),
           "what each text becomes. One that neither it nor `otherwise` names leaves the cell "
           "alone"),
       key("otherwise", &Cell::otherwise, constant(), "what the map does not name"),
       key("date", &Cell::date, name("a pattern such as \"%d-%m-%Y\""),
           "how the text writes a date"),
       key("one_way", &Cell::one_way, flag(),
           "only true is written: a flag that the CRM's own staff set is never taken back"),
       key("max_length", &Cell::max_length, integer(1, 1'000'000),
           "longer text is cut; without it a text that the column has no room for is not written")},
      check_cell);
}

namespace {

// "column", or "column[key]": a key of the JSON object in it. Empty: it is neither.
std::optional<Write::Cell> read_column(const std::string& written) {
  Write::Cell cell;
  const auto bracket = written.find('[');
  cell.column = written.substr(0, bracket);
  if (bracket != std::string::npos && written.back() == ']')
    cell.key = written.substr(bracket + 1, written.size() - bracket - 2);
  const bool whole = cell.shown() == written && is_name(written);
  return whole && is_identifier(cell.column) ? std::optional(cell) : std::nullopt;
}

// column = path, or column = { path = …, map = … }.
Kind<std::vector<Write::Cell>> cells() {
  const std::string type = "a table: column = path or a cell";
  const auto path = path_text();
  const auto table_of = cell_section();
  const auto read = [=](const Node& node,
                        const Trail& trail) -> std::optional<std::vector<Write::Cell>> {
    const auto* table = filled_table(node, trail, type);
    if (table == nullptr) return std::nullopt;
    std::vector<Write::Cell> cells;
    for (const Entry& entry : *table) {
      const Trail at = trail.key(entry.key);
      const auto name = read_column(entry.key);
      if (!name) at.wrong(entry.place, "is no column's name, and no key of one as column[key]");
      std::optional<Write::Cell> cell;
      if (entry.node.as<Node::Table>() != nullptr) {
        cell = table_of.read(entry.node, at);
      } else if (auto text = path.read(entry.node, at)) {
        cell.emplace().path = *std::move(text);
      }
      if (!name || !cell) continue;
      cell->column = name->column;
      cell->key = name->key;
      cell->place = entry.node.place;
      cells.push_back(*std::move(cell));
    }
    return cells;
  };
  return {type,
          read,
          {},
          {},
          Form::table,
          R"({"type":"object","additionalProperties":{"anyOf":[{"type":"string"},)"
          R"({"$ref":"#/$defs/cell"}]}})"};
}

using Bounds = std::vector<Write::Bound>;

// One bound such as "<= 6".
std::optional<Write::Bound> read_bound(std::string_view text) {
  using Is = Write::Bound::Is;
  constexpr std::pair<std::string_view, Is> kSigns[] = {
      {"<=", Is::at_most}, {">=", Is::at_least}, {"<", Is::below}, {">", Is::above}};
  const auto without_blanks = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
  };
  without_blanks();
  for (const auto& [sign, is] : kSigns) {
    if (!text.starts_with(sign)) continue;
    text.remove_prefix(sign.size());
    without_blanks();
    const auto number = to_real(text);
    return number ? std::optional(Write::Bound{is, *number}) : std::nullopt;
  }
  return std::nullopt;
}

// "<= 6", or ">= 3, <= 6".
Kind<Bounds> range() {
  return from_text<Bounds>("a range of numbers such as \"<= 6\" or \">= 3, <= 6\"",
                           [](const std::string& written) -> Answer<Bounds> {
                             Bounds bounds;
                             for (std::size_t at = 0; at <= written.size();) {
                               const auto end = std::min(written.find(',', at), written.size());
                               const auto bound = read_bound(written.substr(at, end - at));
                               if (!bound) return Broken{};
                               bounds.push_back(*bound);
                               at = end + 1;
                             }
                             return bounds;
                           });
}

// A constant, a list of constants, or a range.
std::optional<Write::Condition> read_condition(const Node& node, const Trail& trail) {
  static const auto kValues = list_of("a list of values", constant());
  Write::Condition condition{"", {}, node.place};
  const auto* text = node.as<std::string>();
  if (const auto* list = node.as<Node::List>()) {
    if (list->empty()) trail.wrong(node.place, "no value is one of an empty list");
    condition.any_of = *kValues.read(node, trail);
  } else if (text != nullptr && (text->starts_with('<') || text->starts_with('>'))) {
    auto bounds = range().read(node, trail);
    if (!bounds) return std::nullopt;
    condition.bounds = *std::move(bounds);
  } else if (auto is = constant().read(node, trail)) {
    condition.any_of.push_back(*std::move(is));
  } else {
    return std::nullopt;
  }
  return condition;
}

}  // namespace

Kind<std::vector<Write::Condition>> conditions() {
  const std::string type = "a table: path = value, list of values, or range such as \"<= 6\"";
  const auto read = [=](const Node& node,
                        const Trail& trail) -> std::optional<std::vector<Write::Condition>> {
    const auto* table = filled_table(node, trail, type);
    if (table == nullptr) return std::nullopt;
    std::vector<Write::Condition> all;
    for (const Entry& entry : *table) {
      if (auto condition = read_condition(entry.node, trail.key(entry.key))) {
        condition->path = entry.key;
        all.push_back(*std::move(condition));
      }
    }
    return all;
  };
  return {type, read, {}, {}, Form::table, R"({"type":"object"})"};
}

namespace {

void check_write(const Node::Table&, const TextPlace& place, const Trail& trail, Write& write) {
  write.place = place;
  for (const Write::Cell& cell : write.match) {
    const Trail at = trail.key("match").key(cell.shown());
    if (cell.max_length) at.wrong(cell.place, "max_length would find other rows");
    if (!cell.key.empty()) at.wrong(cell.place, "a key of a JSON object finds no row");
  }
  for (const Write::Cell& cell : write.set) {
    const Trail at = trail.key("set").key(cell.shown());
    if (std::ranges::find(write.match, cell.column, &Write::Cell::column) != write.match.end())
      at.wrong(cell.place, "clashes with match: it finds the row");
    const bool whole =
        std::ranges::find(write.set, cell.column, &Write::Cell::shown) != write.set.end();
    if (!cell.key.empty() && whole)
      at.wrong(cell.place, "clashes with " + cell.column + ": the whole column is set");
  }
  if (write.forget == Write::Forget::deletes && !write.insert)
    trail.key("forget").wrong(place,
                              "\"delete\" is for rows that are made: it needs insert = true");
}

}  // namespace

Kind<std::vector<Write>> writes_section() {
  using Forget = Write::Forget;
  return list_of(
      "a list of tables: [[pull.LIST.write]]",
      section<Write>(
          {
              required(key("table", &Write::table, table_name(), "the CRM's table")),
              required(key("match", &Write::match, cells(),
                           "which row; all rows that match, where there are several")),
              required(key("set", &Write::set, cells(),
                           "what it gets; `column[key]`: a key of the JSON object in it")),
              key("forget", &Write::forget,
                  flag_or<Forget>(Forget::nothing, Forget::empties, {"delete", Forget::deletes}),
                  "`surveybridge forget` empties (NULL) what it set for that person; \"delete\": "
                  "it removes the rows that were made for that person and have nobody else's "
                  "answer"),
              key("when", &Write::when, conditions(),
                  "only records that meet all of this write: a value, a list of which the record "
                  "has one, or a range such as \">= 3, <= 6\". What is absent, or no number, is in "
                  "no range. A text that itself begins with `<` or `>` is written as a list of "
                  "one"),
              key("insert", &Write::insert, flag(),
                  "a row is made, of match and set, where none matches. Without it such records "
                  "are tried again every hour, or at once by `surveybridge write-back LIST`"),
              key("push", &Write::push, name("a push"),
                  "only records of this push's transactions write"),
              key("feedback", &Write::feedback,
                  choice<Write::Feedback>({{"original", Write::Feedback::original},
                                           {"second", Write::Feedback::second},
                                           {"both", Write::Feedback::both}}),
                  "which customers write where one was asked a second time"),
          },
          check_write));
}

namespace {

// A write, and where it stands.
struct Placed {
  const Pull& pull;
  const Write& write;
  std::size_t index;
};

bool same_constant(const Constant& a, const Constant& b) {
  return std::visit(
      [](const auto& one, const auto& other) {
        using One = std::decay_t<decltype(one)>;
        using Other = std::decay_t<decltype(other)>;
        if constexpr (std::is_same_v<One, Other> && !std::is_same_v<One, Date>) return one == other;
        return false;
      },
      a, b);
}

bool is_true(const Constant& constant) {
  return same_constant(constant, true) || same_constant(constant, std::int64_t{1});
}

// Does the column end up with the same value in whatever order the two are written?
bool any_order(const Write::Cell& a, const Write::Cell& b) {
  if (a.key != b.key) return false;
  if (a.value && b.value) return same_constant(*a.value, *b.value);
  const auto sets = [](const Write::Cell& cell) {
    return cell.value ? is_true(*cell.value) : cell.one_way;
  };
  return sets(a) && sets(b);
}

bool same_columns(const std::vector<Write::Cell>& a, const std::vector<Write::Cell>& b) {
  return std::ranges::is_permutation(
      a, b, [](const auto& x, const auto& y) { return same_ignoring_case(x.column, y.column); });
}

// Do they differ for every database, whatever texts its collation takes for equal?
bool are_apart(const Constant& a, const Constant& b) {
  if (std::holds_alternative<std::int64_t>(a) && std::holds_alternative<std::int64_t>(b))
    return !same_constant(a, b);
  const auto* one = std::get_if<std::string>(&a);
  const auto* other = std::get_if<std::string>(&b);
  const auto plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  return one != nullptr && other != nullptr && std::ranges::all_of(*one, plain) &&
         std::ranges::all_of(*other, plain) && !same_ignoring_case(*one, *other);
}

// Does one column keep them to different rows, as the name does in a table of names and values?
bool meet_apart(const Write& a, const Write& b) {
  return std::ranges::any_of(a.match, [&](const Write::Cell& one) {
    return std::ranges::any_of(b.match, [&](const Write::Cell& other) {
      return one.value && other.value && same_ignoring_case(one.column, other.column) &&
             are_apart(*one.value, *other.value);
    });
  });
}

// May both write the same row, in an order that nobody has chosen? The writes of one list are done
// in the order of the file, so a second one may refine what a first one has set.
bool may_clash(const Placed& a, const Placed& b) {
  if (!same_ignoring_case(a.write.table, b.write.table) || meet_apart(a.write, b.write))
    return false;
  if (!a.write.push.empty() && !b.write.push.empty() && a.write.push != b.write.push) return false;
  if (a.pull.list != b.pull.list) return true;
  const bool chosen = !a.write.when.empty() || !b.write.when.empty() ||
                      a.write.push != b.write.push || a.write.feedback != b.write.feedback;
  return !chosen && same_columns(a.write.match, b.write.match);
}

void check_pair(const Trail& trail, const Placed& first, const Placed& second) {
  if (!may_clash(first, second)) return;
  for (const Write::Cell& cell : second.write.set) {
    const auto other = std::ranges::find_if(first.write.set, [&](const Write::Cell& each) {
      const bool apart = each.key != cell.key && !each.key.empty() && !cell.key.empty();
      return same_ignoring_case(each.column, cell.column) && !apart;
    });
    if (other == first.write.set.end() || any_order(*other, cell)) continue;
    trail.key("pull")
        .key(second.pull.name)
        .key("write")
        .item(second.index)
        .key("set")
        .key(cell.shown())
        .wrong(cell.place,
               fmt::format("is set by pull.{}.write[{}] too, and the last write would win: give "
                           "each its own column, or one_way or the same constant to both",
                           first.pull.name, first.index));
  }
}

}  // namespace

void check_written_columns(const Trail& trail, const Settings& settings) {
  std::vector<Placed> all;
  for (const Pull& pull : settings.pulls)
    for (std::size_t i = 0; i < pull.writes.size(); ++i)
      all.push_back({pull, pull.writes[i], i});
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j)
      check_pair(trail, all[i], all[j]);
}

}  // namespace surveybridge::config
