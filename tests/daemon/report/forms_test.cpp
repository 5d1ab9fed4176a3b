// What each form of the report has to hold by itself: escaping, widths, empty reports.
#include <algorithm>
#include <pugixml.hpp>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "daemon/report/pictures.hpp"
#include "daemon/report/report.hpp"
#include "daemon/report/shown_text.hpp"
#include "tests/daemon/report/sample_report.hpp"

namespace {

using namespace surveybridge::daemon;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> pictures_in(const std::string& page) {
  std::vector<std::string> pictures;
  for (auto at = page.find("<svg "); at != std::string::npos; at = page.find("<svg ", at + 1))
    pictures.push_back(page.substr(at, page.find("</svg>", at) + 6 - at));
  return pictures;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

std::vector<SurveyReport> all_samples() {
  auto hostile = sample::hostile_quarter();
  hostile.with_texts = true;
  return {sample::quarter(), hostile, sample::nothing(), sample::one_customer()};
}

TEST(ReportPage, EscapesEveryName) {
  auto report = sample::hostile_quarter();
  report.with_texts = true;
  const std::string page = report_html(report);
  for (const char* raw : {"<script", "<img", "<i>", "<svg onload", "<b>well", "<b>run", "\x1b",
                          "\xe2\x80\xae", "javascript:"})
    EXPECT_THAT(page, Not(HasSubstr(raw)));
  for (const char* shown :
       {"&lt;script&gt;alert(&#39;push&#39;)&lt;/script&gt;", "&lt;img src=x onerror=alert(1)&gt;",
        "Filiale &quot;&lt;i&gt;&quot;",
        "evil\ufffd [31m &quot;quoted&quot; &amp; &#39;single&#39;", "<bdi>فرع دمشق الرئيسي</bdi>",
        "(no value)", "&lt;b&gt;well packed&lt;/b&gt;"})
    EXPECT_THAT(page, HasSubstr(shown));
}

TEST(ReportPage, AsksNobodyForAnything) {
  for (const auto& report : all_samples()) {
    const std::string page = report_html(report);
    for (const char* part :
         {"src=\"", "url(", "@import", "<link", "<script", "<iframe", "http-equiv=\"refresh"})
      EXPECT_THAT(page, Not(HasSubstr(part)));
    EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
  }
}

TEST(ReportPage, PicturesAreWellFormedAndSayWhatTheyShow) {
  std::size_t pictures = 0;
  for (const auto& report : all_samples()) {
    std::set<std::string> ids;
    for (const auto& picture : pictures_in(report_html(report))) {
      pugi::xml_document document;
      const auto read = document.load_string(picture.c_str());
      ASSERT_TRUE(read) << read.description() << picture;
      const auto svg = document.child("svg");
      EXPECT_STREQ(svg.attribute("role").value(), "img");
      EXPECT_STRNE(svg.child("title").text().get(), "");
      EXPECT_STRNE(svg.child("desc").text().get(), "");
      EXPECT_TRUE(ids.insert(svg.child("title").attribute("id").value()).second);
      EXPECT_GT(count_of(picture, "<rect") + count_of(picture, "<circle"), 0U) << picture;
      for (const char* broken : {"nan", "inf", "-0\""})
        EXPECT_THAT(picture, Not(HasSubstr(broken)));
      ++pictures;
    }
  }
  EXPECT_EQ(pictures, 15U + 15U + 0U + 1U);
}

TEST(ReportPage, IdsAreUnique) {
  for (const auto& report : all_samples()) {
    const std::string page = report_html(report);
    const std::regex id(" id=\"([^\"]*)\"");
    std::set<std::string> ids;
    for (std::sregex_iterator it(page.begin(), page.end(), id), end; it != end; ++it)
      EXPECT_TRUE(ids.insert((*it)[1]).second) << (*it)[1];
  }
}

TEST(ReportPage, PicturesShowTheThirtyLargestSegmentsAndTablesAll) {
  const std::string page = report_html(sample::hostile_quarter());
  EXPECT_THAT(page, HasSubstr("The picture shows the 30 largest; 270 more are in the table."));
  const auto begin = page.find("aria-labelledby=\"p-segments_response_rate-t");
  const std::string picture = page.substr(begin, page.find("</svg>", begin) - begin);
  EXPECT_EQ(count_of(picture, "class=\"bar light\""), 30U);
  const auto table = page.find("<table id=\"segments_response_rate\"");
  EXPECT_EQ(count_of(page.substr(table, page.find("</table>", table) - table), "<th scope=\"row\""),
            300U);
  EXPECT_THAT(page, HasSubstr(std::string(400, 'W'))) << "whole in the table";
  EXPECT_THAT(picture, Not(HasSubstr(std::string(60, 'W')))) << "cut in the picture";
  EXPECT_THAT(picture, HasSubstr("30 of 30 largest segments have enough answers"));
}

TEST(ReportPage, OfNothingIsASentenceWithoutAPicture) {
  const std::string page = report_html(sample::nothing());
  EXPECT_THAT(page, HasSubstr("Nothing was sent and nothing was answered in this time."));
  EXPECT_THAT(page, Not(HasSubstr("<svg")));
  EXPECT_THAT(page, Not(HasSubstr("<table")));
}

// People read "Feb 2026", programs the first day.
TEST(ReportForms, NameMonthsForPeopleAndDaysForPrograms) {
  auto report = sample::quarter();
  report.period = "month";
  const std::vector<std::string> days = {"2026-01-01", "2026-02-01", "2026-03-01"};
  report.periods.resize(days.size());
  for (std::size_t i = 0; i < days.size(); ++i)
    report.periods[i].name = days[i];
  const std::string page = report_html(report);
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\" class=\"name day\"><bdi>Feb 2026</bdi>"));
  EXPECT_THAT(page, Not(HasSubstr("2026-02-01")));
  EXPECT_THAT(report_text(report, 100), HasSubstr("\nFeb 2026 "));
  EXPECT_THAT(report_json(report), testing::AllOf(HasSubstr("2026-02-01"), Not(HasSubstr("Feb"))));
  EXPECT_THAT(report_csv(report).at("period_counts.csv"), HasSubstr("\r\n2026-02-01,"));
}

// A line with a single point tells nothing.
TEST(ReportPage, DrawsALineOfTwoPeriodsAtLeast) {
  auto report = sample::quarter();
  report.periods.resize(1);
  const std::string page = report_html(report);
  EXPECT_THAT(page, Not(HasSubstr("p-periods_response_rate-t")));
  EXPECT_THAT(page, HasSubstr("A picture takes two periods with enough answers."));
}

TEST(ReportPage, WithoutQuestionsStillShowsTheResponse) {
  auto report = sample::quarter();
  report.questions.clear();
  const std::string page = report_html(report);
  EXPECT_EQ(pictures_in(page).size(), 3U);
  EXPECT_THAT(page, Not(HasSubstr("What they answered")));
}

TEST(ReportPage, WithoutTransactionsHasWordsInsteadOfTheFunnel) {
  auto report = sample::quarter();
  report.total.funnel = {};
  const std::string page = report_html(report);
  EXPECT_THAT(page, HasSubstr("There are no transactions in this time."));
  EXPECT_THAT(page, Not(HasSubstr("p-steps-t")));
}

TEST(ReportPage, LeavesOutTheTextsUnlessAsked) {
  auto report = sample::quarter();
  EXPECT_THAT(report_html(report), Not(HasSubstr("well packed")));
  EXPECT_THAT(report_text(report, 100), Not(HasSubstr("well packed")));
  EXPECT_THAT(report_json(report), Not(HasSubstr("well packed")));
  EXPECT_FALSE(report_csv(report).contains("texts.csv"));
  for (const auto& [name, text] : report_csv(report))
    EXPECT_THAT(text, Not(HasSubstr("well packed"))) << name;
  report.with_texts = true;
  EXPECT_THAT(report_html(report), HasSubstr("well packed"));
  EXPECT_THAT(report_text(report, 100), HasSubstr("well packed"));
  EXPECT_THAT(report_json(report), HasSubstr("well packed"));
  EXPECT_THAT(report_csv(report).at("texts.csv"), HasSubstr("well packed"));
}

TEST(ReportPage, NoFormHasAnAddressOrWordsOfTheService) {
  const auto report = sample::hostile_quarter();
  std::vector<std::string> forms{report_html(report), report_text(report, 100),
                                 report_json(report)};
  for (const auto& [name, text] : report_csv(report))
    forms.push_back(text);
  for (const auto& form : forms)
    for (const char* secret : {"ann.smith", "Example Street", "Bob Jones"})
      EXPECT_THAT(form, Not(HasSubstr(secret)));
}

TEST(ReportPage, LinksOnlyLeadToPages) {
  auto report = sample::quarter();
  report.links = {{"Go",
                   {{"a", "?from=1&to=2", true},
                    {"b", "https://x.example/", false},
                    {"c", "javascript:alert(1)", false},
                    {"d", "//evil.example", false},
                    {"e", "/report", false},
                    {"f", " javascript:alert(1)", false},
                    {"g", "data:text/html,x", false},
                    {"h", "", false}}}};
  const std::string page = report_html(report);
  EXPECT_THAT(page, HasSubstr("<a href=\"?from=1&amp;to=2\" aria-current=\"page\">"));
  EXPECT_THAT(page, HasSubstr("<a href=\"https://x.example/\">"));
  EXPECT_THAT(page, HasSubstr("<a href=\"/report\">"));
  EXPECT_EQ(count_of(page, "<a "), 3U);
}

TEST(ReportCsv, DefusesFormulasOfTheDataAndQuotes) {
  auto report = sample::hostile_quarter();
  report.with_texts = true;
  const auto files = report_csv(report);
  EXPECT_THAT(files.at("segments.csv"), HasSubstr(",'=cmd|' /C calc'!A0,"));
  EXPECT_THAT(files.at("texts.csv"), HasSubstr("\"'=HYPERLINK(\"\"http://x\"\")\",\r\n"));
  EXPECT_THAT(files.at("segments.csv"), HasSubstr("evil\ufffd [31m \"\"quoted\"\" & 'single'\""));
  report.segments[0].name = "  -1+1|x";
  report.segments[1].name = "-12.5";
  report.segments[2].name = "＠SUM(1)";
  const std::string segments = report_csv(report).at("segments.csv");
  EXPECT_THAT(segments, HasSubstr(",  '-1+1|x,"));
  EXPECT_THAT(segments, HasSubstr(",'＠SUM(1),"));
  EXPECT_THAT(segments, HasSubstr(",-12.5,")) << "a number is none";
  for (const auto& [name, text] : files)
    EXPECT_EQ(count_of(text, "\n"), count_of(text, "\r\n")) << name;
}

// Read with another separator, or without regard to quotes in the midst of a line.
TEST(ReportCsv, DefusesFormulasBehindOtherSeparatorsAndBlanks) {
  auto report = sample::quarter();
  const auto shown = [&](const std::string& name) {
    report.segments[0].name = name;
    return report_csv(report).at("segments.csv");
  };
  EXPECT_THAT(shown("a;=1+1"), HasSubstr(",a;'=1+1,"));
  for (const char* name : {" =1", "\t=1", "\r=1", "\n=1"})
    EXPECT_THAT(shown(name), HasSubstr(", '=1,"));
  EXPECT_THAT(shown("a, b; \"+1\""), HasSubstr(",\"a, b; \"\"'+1\"\"\","));
  EXPECT_THAT(shown("a;;|\u00a0＝1"), HasSubstr(",a;;|\u00a0'＝1,"));
  EXPECT_THAT(shown("a=b; c-d"), HasSubstr(",a=b; c-d,"));
}

TEST(ReportCsv, HasAHeadAlsoWithoutRows) {
  const auto files = report_csv(sample::nothing());
  EXPECT_EQ(files.at("bounces.csv"), "domain,kind,number\r\n");
  EXPECT_EQ(files.at("periods.csv"), "measure,label,name,n,answered,value,low,high\r\n");
}

TEST(ReportJson, IsOneObjectAlsoOfBrokenTexts) {
  for (const auto& report : all_samples()) {
    const auto all = nlohmann::json::parse(report_json(report));
    EXPECT_TRUE(all["tables"].is_array());
    EXPECT_EQ(all["measures"].size(), report.questions.size() + 1);
  }
  const auto all = nlohmann::json::parse(report_json(sample::quarter()));
  EXPECT_EQ(all["contact"]["open"], 3);
  EXPECT_EQ(all["scope"]["least"], 10);
  EXPECT_EQ(all["tables"][0]["rows"][0]["is_change"], true);
  EXPECT_EQ(all["tables"][0]["rows"][1]["is_change"], false);
}

TEST(ReportText, FitsTheWidthAndAlignsByCells) {
  for (const auto& report : all_samples())
    for (const int width : {72, 80, 132}) {
      std::istringstream lines(report_text(report, width));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(display_width(line), static_cast<std::size_t>(width)) << line;
    }
}

TEST(ReportText, HasNoEscapeSequenceAndNoSignOfOurOwnBeyondAscii) {
  const std::string text = report_text(sample::hostile_quarter(), 100);
  for (const char* sign : {"\x1b", "\u2068", "\u00a0", "–"})
    EXPECT_THAT(text, Not(HasSubstr(sign)));
}

TEST(ReportText, ColumnsAreWrappedByCells) {
  EXPECT_EQ(columns_text({{"Name", false, {"横浜市", "a longer name here"}},
                          {"Number", true, {"7", "1,000"}}},
                         19),
            "Name         Number\n"
            "-----------  ------\n"
            "横浜市            7\n"
            "a longer      1,000\n"
            "name here\n");
  EXPECT_THAT(wrapped("one two", 3), ElementsAre("one", "two"));
  EXPECT_THAT(wrapped("abcdefg", 3), ElementsAre("abc", "def", "g"));
  EXPECT_THAT(wrapped("", 3), ElementsAre(""));
  EXPECT_THAT(wrapped("横浜", 1), ElementsAre("横", "浜"));
}

TEST(Pictures, OfSegmentsBeginWithTheLargestNOfTheirMeasure) {
  const auto figures = figures_of(sample::hostile_quarter());
  for (const auto& table : figures.tables) {
    if (table.file != "segments") continue;
    std::vector<double> n;
    for (const auto& row : table.rows)
      n.push_back(*row.at(1).numbers.at(0));
    EXPECT_TRUE(std::is_sorted(n.rbegin(), n.rend())) << table.id;
  }
}

TEST(Pictures, LabelDaysShortly) {
  EXPECT_EQ(day_label("2026-09-07", false), "7 Sep");
  EXPECT_EQ(day_label("2026-12-31", true), "31 Dec ’26");
  EXPECT_EQ(day_label("2026-13-07", false), "2026-13-07");
  EXPECT_EQ(day_label("no day at all", false), "no day at…");
}

TEST(Pictures, HaveAGapWhereAFigureIsNotShown) {
  const auto figures = figures_of(sample::quarter());
  const auto table = std::ranges::find(figures.tables, "periods_question_1", &ReportTable::id);
  ASSERT_NE(table, figures.tables.end());
  const std::string scores = picture_of(*table);
  EXPECT_EQ(count_of(scores, "class=\"band\""), 2U) << "the fifth week has too few answers";
  EXPECT_EQ(count_of(scores, "class=\"dot\""), 11U);
  EXPECT_THAT(scores, HasSubstr("11 of 12 periods have enough answers to be shown."));
}

TEST(Pictures, DrawAPreliminaryFigureBesideTheLine) {
  auto report = sample::quarter();
  const auto picture = [&] {
    const auto figures = figures_of(report);
    return picture_of(
        *std::ranges::find(figures.tables, "periods_response_rate", &ReportTable::id));
  };
  const std::string before = picture();
  auto& funnel = report.periods[4].funnel;
  funnel.invited = 2 * funnel.due + funnel.bounced + 1;
  const std::string after = picture();
  const auto more = [&](const char* what) {
    return static_cast<int>(count_of(after, what)) - static_cast<int>(count_of(before, what));
  };
  EXPECT_EQ(more("class=\"dot open\""), 1);
  EXPECT_EQ(more("class=\"dot\""), -1);
  EXPECT_EQ(more("class=\"curve\""), 1) << "the line ends before it and begins after it";
}

}  // namespace
