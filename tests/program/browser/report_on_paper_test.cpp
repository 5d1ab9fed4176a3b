// A long survey report, printed by a real browser and read back from the PDF: A4, nothing outside
// of the margins, no row and no picture over two pages, no heading alone at the end of a page. The
// PDF is in the folder report-page of the build, for people who want to look.
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "daemon/report/report.hpp"
#include "tests/daemon/report/sample_report.hpp"
#include "tests/program/browser/chromium.hpp"
#include "tests/program/browser/paper.hpp"

namespace program {
namespace {

using testing::HasSubstr;

constexpr double kMargin = 15 / 25.4 * 72;  // of @page
constexpr double kAbout = 2;                // the box of a letter is larger than what is printed

// Puts a word before and behind the text of each row's cells with words, at the top and the bottom
// of each picture, and behind each heading: "~12a" and "~12b", "~12h". The number of marks, and for
// each heading with a row or a picture below it the marks of both.
constexpr const char* kMark = R"JS((() => {
  let at = 0;
  const marks = new Map(), below = [];
  for (const cell of document.querySelectorAll('tbody th, tbody td.name')) {
    marks.set(cell, at);
    cell.prepend(`~${at}a `);
    cell.append(` ~${at++}b`);
  }
  for (const picture of document.querySelectorAll('svg')) {
    marks.set(picture, at);
    const height = picture.viewBox.baseVal.height;
    for (const [y, end] of [[8, 'a'], [height - 2, 'b']]) {
      const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
      text.setAttribute('y', y);
      text.textContent = `~${at}${end}`;
      picture.append(text);
    }
    ++at;
  }
  for (const heading of document.querySelectorAll('h2, .cards h3, caption, figcaption')) {
    const first = heading.closest('table, figure, section').querySelector('tbody th, svg');
    if (first) below.push([at, marks.get(first)]);
    heading.append(` ~${at++}h`);
  }
  return {marks: at, below: below};
})())JS";

class ReportOnPaper : public testing::Test {
 protected:
  // Several pages: long names, long texts, a year of weeks.
  static surveybridge::daemon::SurveyReport long_report() {
    auto report = sample::quarter();
    report.with_texts = true;
    const auto weeks = report.periods, branches = report.segments;
    for (int i = 0; i < 3; ++i)
      report.periods.insert(report.periods.end(), weeks.begin(), weeks.end());
    for (int i = 0; i < 40; ++i) {
      report.segments.push_back(branches.at(static_cast<std::size_t>(i) % branches.size()));
      report.segments.back().name =
          fmt::format("Branch {} of the north-east with warehouse, workshop and show room", i);
    }
    for (int i = 0; i < 30; ++i) {
      report.texts.push_back({"2026-11-17", "Satisfaction with the delivery", "", i % 11});
      for (int word = 0; word <= i * 7 % 90; ++word)
        report.texts.back().text += "The parcel was left in the rain. ";
      report.quarantined.push_back(
          {fmt::format("Answers[{}].Value: not an integer that the question's scale has", i), 2});
    }
    return report;
  }

  void print(const surveybridge::daemon::SurveyReport& report, bool marked) {
    browser_.open(
        "file://" + folder_.write("report.html", surveybridge::daemon::report_html(report)),
        {1280, 800, false});
    if (marked) marked_ = browser_.evaluate(kMark);
    browser_.save_paper(pdf_);
    pages_ = pages_of(pdf_);
    found_.clear();
    for (std::size_t page = 0; page < pages_.size(); ++page)
      for (const auto& word : pages_[page].words)
        if (word.text.starts_with("~")) found_[word.text].push_back(page + 1);
  }

  support::TemporaryFolder folder_;
  // Of each test its own: they run at the same time.
  const std::string pdf_ = folder_of_pictures("report-page") + "/" +
                           testing::UnitTest::GetInstance()->current_test_info()->name() + ".pdf";
  Chromium browser_;
  nlohmann::json marked_;
  std::vector<PaperPage> pages_;
  std::map<std::string, std::vector<std::size_t>> found_;  // the pages of each mark
};

TEST_F(ReportOnPaper, IsA4WithEverythingInsideOfTheMargins) {
  print(long_report(), false);
  EXPECT_THAT(facts_of(pdf_), HasSubstr("(A4)"));
  EXPECT_THAT(facts_of(pdf_), HasSubstr("JavaScript:      no"));
  ASSERT_GT(pages_.size(), 8U);
  std::size_t number = 0;
  for (const auto& page : pages_) {
    ++number;
    EXPECT_NEAR(page.width, 210 / 25.4 * 72, 1) << number;
    EXPECT_NEAR(page.height, 297 / 25.4 * 72, 1) << number;
    EXPECT_FALSE(page.words.empty()) << number;
    for (const auto& word : page.words) {
      const bool inside =
          word.left > kMargin - kAbout && word.right < page.width - kMargin + kAbout &&
          word.top > kMargin - kAbout && word.bottom < page.height - kMargin + kAbout;
      EXPECT_TRUE(inside) << "page " << number << ": " << word.text << " at " << word.left << " "
                          << word.top << " " << word.right << " " << word.bottom;
    }
  }
}

TEST_F(ReportOnPaper, CutsNoRowAndNoPicture) {
  print(long_report(), true);
  const int marks = marked_["marks"];
  ASSERT_GT(marks, 800);
  for (int mark = 0; mark < marks; ++mark) {
    const auto name = "~" + std::to_string(mark);
    if (found_.contains(name + "h")) continue;
    EXPECT_EQ(found_[name + "a"].size(), 1U) << name << " is lost";
    EXPECT_EQ(found_[name + "a"], found_[name + "b"]) << name << " is over two pages";
  }
}

// The first row or picture below a heading is on its page.
TEST_F(ReportOnPaper, LeavesNoHeadingAlone) {
  for (const auto& report : {sample::quarter(), long_report()}) {
    print(report, true);
    ASSERT_GT(marked_["below"].size(), 30U);
    for (const auto& pair : marked_["below"]) {
      const auto heading = "~" + pair.at(0).dump() + "h", below = "~" + pair.at(1).dump() + "a";
      EXPECT_EQ(found_[heading].size(), 1U) << heading << " is lost";
      EXPECT_EQ(found_[heading], found_[below]) << heading << " is alone";
    }
  }
}

}  // namespace
}  // namespace program
