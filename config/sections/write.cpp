// [[pull.LIST.write]]: values of the service written into a table of the CRM.
#include <algorithm>

#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"

namespace surveybridge::config {
namespace {

// The SQL quotes this name. A quote or a second dot in it is a mistake.
bool is_identifier(std::string_view text) {
  return is_name(text) && text.find_first_of("\"'`;[].") == std::string_view::npos &&
         text.front() != ' ' && text.back() != ' ';
}

Kind<std::string> table_name() {
  const auto understand = [](const std::string& text) -> Answer<std::string> {
    const std::size_t dot = text.find('.');
    const bool fits = dot == std::string::npos ? is_identifier(text)
                                               : is_identifier(text.substr(0, dot)) &&
                                                     is_identifier(text.substr(dot + 1));
    if (fits) return text;
    return Broken{};
  };
  return from_text<std::string>("a table such as \"orders\" or \"sales.orders\"", understand,
                                [](const std::string&) { return ""; });
}

Kind<std::string> path_text() {
  return name("a path such as \"Status.StatusName\"");
}

void check_cell(const Node::Table&, const TextPlace& place, const Trail& trail, Write::Cell& cell) {
  if (cell.path.empty() == !cell.value) trail.wrong(place, "needs either a path or a value");
  const bool changed = !cell.meanings.empty() || !cell.date.empty() || cell.one_way;
  if (cell.value && changed) trail.wrong(place, "map, date and one_way are for a path");
  if (!cell.meanings.empty() && !cell.date.empty()) trail.wrong(place, "date clashes with map");
  if (cell.otherwise && cell.meanings.empty()) trail.wrong(place, "otherwise needs a map");
}

}  // namespace

Kind<Write::Cell> cell_section() {
  using Cell = Write::Cell;
  return section<Cell>(
      {key("path", &Cell::path, path_text(), "where the value is in the record"),
       key("value", &Cell::value, constant(), "a constant instead of a path"),
       key("map", &Cell::meanings, meanings(), "what each text becomes"),
       key("otherwise", &Cell::otherwise, constant(), "what the map does not name"),
       key("date", &Cell::date, name("a pattern such as \"%d-%m-%Y\""),
           "how the text writes a date"),
       key("one_way", &Cell::one_way, flag(), "only true is written")},
      check_cell);
}

namespace {

// column = path, or column = { path = …, map = … }.
Kind<std::vector<Write::Cell>> cells() {
  const std::string type = "a table: column = path or a cell";
  const auto path = path_text();
  const auto table_of = cell_section();
  const auto read = [=](const Node& node,
                        const Trail& trail) -> std::optional<std::vector<Write::Cell>> {
    const auto* table = node.as<Node::Table>();
    if (table == nullptr || table->empty()) {
      trail.wrong(node.place, must_be(type, table == nullptr ? described(node) : "an empty one"));
      return std::nullopt;
    }
    std::vector<Write::Cell> cells;
    for (const Entry& entry : *table) {
      const Trail at = trail.key(entry.key);
      if (!is_identifier(entry.key)) at.wrong(entry.place, "is no column's name");
      if (entry.node.as<Node::Table>() == nullptr) {
        if (auto text = path.read(entry.node, at))
          cells.push_back({entry.key, *std::move(text), entry.node.place});
      } else if (auto cell = table_of.read(entry.node, at)) {
        cell->column = entry.key;
        cell->place = entry.node.place;
        cells.push_back(*std::move(cell));
      }
    }
    return cells;
  };
  return {type, read};
}

Kind<std::vector<Write::Condition>> conditions() {
  const std::string type = "a table: path = value";
  const auto read = [=](const Node& node,
                        const Trail& trail) -> std::optional<std::vector<Write::Condition>> {
    const auto* table = node.as<Node::Table>();
    if (table == nullptr || table->empty()) {
      trail.wrong(node.place, must_be(type, table == nullptr ? described(node) : "an empty one"));
      return std::nullopt;
    }
    std::vector<Write::Condition> all;
    for (const Entry& entry : *table) {
      if (auto is = constant().read(entry.node, trail.key(entry.key)))
        all.push_back({entry.key, *std::move(is), entry.node.place});
    }
    return all;
  };
  return {type, read};
}

void check_write(const Node::Table&, const TextPlace& place, const Trail& trail, Write& write) {
  write.place = place;
  for (const Write::Cell& cell : write.set) {
    const bool matched =
        std::any_of(write.match.begin(), write.match.end(),
                    [&](const Write::Cell& other) { return other.column == cell.column; });
    if (matched) {
      trail.key("set").key(cell.column).wrong(cell.place, "clashes with match: it finds the row");
    }
  }
}

}  // namespace

Kind<std::vector<Write>> writes_section() {
  return list_of("a list of tables: [[pull.LIST.write]]",
                 section<Write>(
                     {
                         required(key("table", &Write::table, table_name(), "the CRM's table")),
                         required(key("match", &Write::match, cells(),
                                      "which row; all rows that match, where there are several")),
                         required(key("set", &Write::set, cells(), "what it gets")),
                         key("forget", &Write::forget, flag(),
                             "`surveybridge forget` empties (NULL) what it set for that person"),
                         key("when", &Write::when, conditions(),
                             "only records that hold these values write: path = value"),
                         key("insert", &Write::insert, flag(),
                             "a row is made, of match and set, where none matches"),
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

}  // namespace surveybridge::config
