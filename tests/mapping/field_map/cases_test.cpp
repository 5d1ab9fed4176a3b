// Walks tests/mapping/cases: each folder is one field map and one row, and what must come of them.
//   map.toml          the rest of [push.x] (key "id", when "at"), below the lines of kBefore
//   row.txt           the query's columns and their cells: "column: type: value"
//   data_columns.txt  the service's data columns, "id: name: display name: required archived";
//                     without the file the mapper is offline
//   expected.json     the customer, or
//   expected.txt      "unmappable: reason", or the problems of the map, one a line
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "config/sections/load.hpp"
#include "mapping/codec/codec.hpp"
#include "mapping/field_map/mapper.hpp"
#include "tests/mapping/row_text.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::mapping {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBefore = R"([service]
base_url = "https://surveys.example.com"
[crm]
connection = "sqlite3://crm.db"
time_zone = "Europe/Amsterdam"
[push.x]
query = "SELECT * FROM orders"
key = "id"
when = "at"
start = 2026-01-01
)";

fs::path cases() {
  return fs::path(support::source_dir()) / "tests/mapping/cases";
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// JSON without blanks between its tokens.
std::string compact(std::string_view json) {
  std::string text;
  bool quoted = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (quoted && json[i] == '\\')
      text += json[i++];
    else if (json[i] == '"')
      quoted = !quoted;
    if (quoted || !std::isspace(static_cast<unsigned char>(json[i]))) text += json[i];
  }
  return text;
}

// Places are shown as if map.toml were the whole file.
std::string shown(std::vector<config::Problem> problems) {
  std::string text;
  for (config::Problem& problem : problems) {
    problem.place.line -= static_cast<int>(std::ranges::count(kBefore, '\n'));
    text += config::to_string(problem) + "\n";
  }
  return text;
}

std::string outcome(const fs::path& folder) {
  auto read = config::parse(std::string(kBefore) + content(folder / "map.toml"), "map.toml");
  if (auto* problems = std::get_if<std::vector<config::Problem>>(&read)) return shown(*problems);
  const auto& settings = std::get<config::Settings>(read);
  const RowText row = read_row(content(folder / "row.txt"));
  const auto made =
      Mapper::make(settings.pushes.at(0), row.columns,
                   read_data_columns(content(folder / "data_columns.txt")), settings.crm.time_zone);
  if (auto* problems = std::get_if<std::vector<config::Problem>>(&made)) return shown(*problems);
  const Mapped mapped = std::get<Mapper>(made).map(row.row);
  if (const auto* unmappable = std::get_if<Unmappable>(&mapped))
    return "unmappable: " + unmappable->reason + "\n";
  return write(std::get<Record>(mapped), Format::json);
}

class MappingCase : public testing::TestWithParam<std::string> {};

TEST_P(MappingCase, ComesToWhatIsExpected) {
  const fs::path folder = cases() / GetParam();
  if (fs::exists(folder / "expected.json")) {
    EXPECT_EQ(compact(outcome(folder)), compact(content(folder / "expected.json")));
  } else {
    ASSERT_TRUE(fs::exists(folder / "expected.txt")) << "a case expects something";
    EXPECT_EQ(outcome(folder), content(folder / "expected.txt"));
  }
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(cases())) {
    found.push_back(entry.path().filename().string());
  }
  std::ranges::sort(found);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Folder, MappingCase, testing::ValuesIn(names()),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace surveybridge::mapping
