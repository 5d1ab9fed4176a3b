// The forms of a report against each other: text, CSV, JSON and HTML show the same figures.
#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "daemon/report/figures.hpp"
#include "tests/daemon/report/sample_report.hpp"

namespace {

using namespace surveybridge::daemon;
using nlohmann::json;

// RFC 4180.
std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && text.substr(i, 2) == "\"\"") {
      rows.back().back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text.substr(i, 2) == "\r\n") {
      rows.push_back({""});
      ++i;
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

// The texts of the cells of each row of a table of the page.
std::vector<std::vector<std::string>> page_rows(const std::string& page, const std::string& id) {
  const auto begin = page.find("<table id=\"" + id + "\"");
  if (begin == std::string::npos) return {};
  const auto end = page.find("</table>", begin) + 8;
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(page.substr(begin, end - begin).c_str())) << id;
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : document.child("table").child("tbody").children()) {
    rows.emplace_back();
    for (const auto& cell : row.children())
      rows.back().push_back(cell.child("bdi") ? cell.child("bdi").text().get() : cell.text().get());
  }
  return rows;
}

// The first number of a text: "30 %" is 30, "1,040" is 1040. Empty: there is none.
std::optional<double> first_number(std::string text) {
  std::erase(text, ',');
  if (text.empty() || text.find_first_of("0123456789") > 1) return std::nullopt;
  return std::stod(text);
}

const std::vector<std::string> kTables = {"steps",
                                          "losses",
                                          "summary",
                                          "periods_response_rate",
                                          "periods_question_1",
                                          "periods_question_4",
                                          "segments_response_rate",
                                          "segments_question_2",
                                          "answers_question_1",
                                          "answers_question_3",
                                          "period_counts",
                                          "segment_counts",
                                          "suppressed",
                                          "quarantined",
                                          "not_invited",
                                          "bounces",
                                          "texts"};

SurveyReport full_quarter() {
  auto report = sample::quarter();
  report.with_texts = true;
  return report;
}

TEST(Agreement, ThePageShowsWhatTheJsonHas) {
  const auto report = full_quarter();
  const auto all = json::parse(report_json(report));
  const std::string page = report_html(report);
  std::size_t cells = 0;
  for (const json& table : all["tables"]) {
    const auto id = table["id"].get<std::string>();
    const auto rows = page_rows(page, id);
    ASSERT_EQ(rows.size(), table["rows"].size()) << id;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const auto& [field, shown] : table["rows"][i]["shown"].items()) {
        const auto text = shown.get<std::string>();
        EXPECT_THAT(rows[i], testing::Contains(text)) << id << " " << i << " " << field;
        const json& number = table["rows"][i][field];
        if (number.is_null() || !first_number(text) || field == "change") continue;
        EXPECT_NEAR(*first_number(text), number.get<double>(), 0.5) << id << " " << text;
        ++cells;
      }
    }
  }
  EXPECT_GT(cells, 400U);
}

TEST(Agreement, TheCsvHasTheNumbersOfTheJson) {
  const auto report = full_quarter();
  const auto files = report_csv(report);
  std::map<std::string, std::size_t> next;  // by file: the row that a table of it begins with
  std::size_t cells = 0;
  const auto all = json::parse(report_json(report));
  for (const json& table : all["tables"]) {
    const auto id = table["id"].get<std::string>();
    const std::string stem =
        id.find("_question_") != std::string::npos || id.find("_response_rate") != std::string::npos
            ? id.substr(0, id.find('_'))
            : (id == "steps" || id == "losses"
                   ? "funnel"
                   : (id == "suppressed" || id == "quarantined" ? "reasons" : id));
    ASSERT_TRUE(files.contains(stem + ".csv")) << id;
    const auto rows = csv_rows(files.at(stem + ".csv"));
    for (const json& row : table["rows"]) {
      const auto& line = rows.at(1 + next[stem]++);
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (!row.contains(rows[0][i]) || row[rows[0][i]].is_string()) continue;
        const json& number = row[rows[0][i]];
        ASSERT_EQ(line[i].empty(), number.is_null()) << id << " " << rows[0][i];
        EXPECT_TRUE(!number.is_boolean() || line[i] == (number.get<bool>() ? "1" : "0"));
        const double other = number.is_number() ? number.get<double>() : std::nan("");
        EXPECT_TRUE(!number.is_number() || std::abs(std::stod(line[i]) - other) < 1e-6) << id;
        ++cells;
      }
    }
  }
  for (const auto& [file, rows] : next)
    EXPECT_EQ(csv_rows(files.at(file + ".csv")).size(), rows + 1) << file;
  EXPECT_GT(cells, 700U);
}

// As a terminal shows it.
std::string plain_signs(std::string text) {
  for (const auto& [sign, instead] :
       std::vector<std::pair<std::string, std::string>>{{"–", "-"}, {"\u00a0", " "}})
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign))
      text.replace(at, sign.size(), instead);
  return text;
}

TEST(Agreement, TheTextHasEveryFigureOfTheTables) {
  const auto report = full_quarter();
  const auto figures = figures_of(report);
  const std::string text = report_text(report, 120);
  std::size_t rows = 0;
  for (const auto& table : figures.tables) {
    if (table.file != "periods" && table.file != "segments") continue;
    const auto begin = text.find("\n" + table.caption + "\n");
    ASSERT_NE(begin, std::string::npos) << table.caption;
    const std::string shown = text.substr(begin, text.find("\n\n", begin + 1) - begin);
    for (const auto& row : table.rows) {
      const auto line_begin = shown.find("\n" + row[0].text + " ");
      ASSERT_NE(line_begin, std::string::npos) << row[0].text << shown;
      const std::string line =
          shown.substr(line_begin, shown.find('\n', line_begin + 1) - line_begin);
      for (std::size_t i = 1; i < row.size(); ++i)
        EXPECT_THAT(line, testing::HasSubstr(plain_signs(row[i].text)));
      ++rows;
    }
  }
  EXPECT_EQ(rows, 5U * (12 + 5));
}

TEST(Agreement, EveryTableOfTheJsonIsOnThePage) {
  const std::string page = report_html(full_quarter());
  for (const auto& id : kTables)
    EXPECT_FALSE(page_rows(page, id).empty()) << id;
}

TEST(Agreement, APictureHasTheNumbersOfItsTable) {
  const std::string page = report_html(full_quarter());
  for (const std::string id : {"steps", "answers_question_1", "answers_question_4"}) {
    const auto begin = page.find("aria-labelledby=\"p-" + id + "-t");
    ASSERT_NE(begin, std::string::npos) << id;
    const std::string picture = page.substr(begin, page.find("</svg>", begin) - begin);
    for (const auto& row : page_rows(page, id))
      EXPECT_THAT(picture, testing::HasSubstr(row[1] + " · " + row[2])) << id;
  }
  const auto begin = page.find("aria-labelledby=\"p-segments_question_1-t");
  const std::string picture = page.substr(begin, page.find("</svg>", begin) - begin);
  for (const auto& row : page_rows(page, "segments_question_1")) {
    if (row[2].starts_with("fewer")) continue;
    EXPECT_THAT(picture, testing::HasSubstr(fmt::format("<title>{}: {}, {}, n {}</title>", row[0],
                                                        row[2], row[3], row[1])));
  }
}

}  // namespace
