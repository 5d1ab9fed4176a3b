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

Kind<std::vector<Write::Cell>> cells() {
  const std::string type = "a table: column = path";
  const auto path = name("a path such as \"Status.StatusName\"");
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
      if (auto text = path.read(entry.node, at)) {
        cells.push_back({entry.key, *std::move(text), entry.node.place});
      }
    }
    return cells;
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
                         required(key("match", &Write::match, cells(), "which row: column = path")),
                         required(key("set", &Write::set, cells(), "what it gets: column = path")),
                         key("forget", &Write::forget, flag(),
                             "`surveybridge forget` empties (NULL) what it set for that person"),
                     },
                     check_write));
}

}  // namespace surveybridge::config
