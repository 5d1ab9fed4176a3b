// The survey report's page in a real browser, from a file as somebody has it who got it by mail:
// wide and narrow, light and dark, by keyboard; and printed, read back from the PDF: A4, nothing
// outside of the margins, no row and no picture over two pages, no heading alone at the end of a
// page. The pictures and the paper are in the folder report-page of the build, for people who want
// to look.
#include <filesystem>
#include <map>
#include <sstream>

#include <fmt/format.h>

#include "daemon/report/report.hpp"
#include "tests/daemon/report/sample_report.hpp"
#include "tests/program/bridge.hpp"
#include "tests/program/browser/chromium.hpp"

namespace program {
namespace {

using surveybridge::daemon::SurveyReport;
using testing::IsEmpty;

// A table's head that is not shown on a phone lies left of the page.
const std::string kBeyondTheEdge = beyond_the_edge_of("main");

// Texts of pictures that lie outside of their picture, or over another text of it.
constexpr const char* kTangled = R"JS((() => {
  const found = [];
  for (const picture of document.querySelectorAll('svg')) {
    const edge = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll('text')].map(e => [e, e.getBoundingClientRect()]);
    texts.forEach(([e, box], i) => {
      if (box.left < edge.left - 1 || box.right > edge.right + 1 || box.bottom > edge.bottom + 1)
        found.push('outside: ' + e.outerHTML);
      for (const [other, at] of texts.slice(i + 1))
        if (box.left < at.right - 1 && at.left < box.right - 1 && box.top < at.bottom - 4 &&
            at.top < box.bottom - 4)
          found.push('over each other: ' + e.outerHTML + other.outerHTML);
    });
  }
  return found;
})())JS";

// Tables without a caption, a head or a scope; pictures without a role, a name, a description, a
// caption or a table behind them; links without a text; headings that leave out a level; a page
// without its language, its title, its one first heading or its landmarks.
constexpr const char* kUnnamed = R"JS((() => {
  const bad = [...document.querySelectorAll('table')].filter(
      t => !t.caption || !t.caption.innerText.trim() || !t.tHead ||
           [...t.querySelectorAll('th')].some(h => !h.scope) ||
           [...t.tBodies[0].rows].some(r => r.cells[0].tagName !== 'TH'));
  for (const picture of document.querySelectorAll('svg')) {
    const names = picture.getAttribute('aria-labelledby').split(' ').map(
        id => document.getElementById(id));
    const figure = picture.closest('figure');
    if (names.length !== 2 || names.some(n => !n || !n.textContent) ||
        !figure.querySelector('figcaption') || !figure.parentElement.querySelector('table'))
      bad.push(picture);
  }
  bad.push(...[...document.querySelectorAll('svg:not([role=img])')]);
  bad.push(...[...document.links].filter(a => !a.innerText.trim()));
  if (!document.documentElement.lang || !document.title) bad.push(document.head);
  if (document.querySelectorAll('h1').length !== 1) bad.push(document.body);
  if (document.querySelectorAll('header, main, footer').length !== 3) bad.push(document.body);
  let last = 0;
  for (const heading of document.querySelectorAll('h1,h2,h3')) {
    const level = Number(heading.tagName[1]);
    if (level > last + 1 && !heading.closest('.tiles')) bad.push(heading);
    last = level;
  }
  return bad.map(e => e.outerHTML.slice(0, 160));
})())JS";

// The heights of the dots of a picture against the figures of the table behind it: points that are
// higher in the table must be higher in the picture. The number of dots; below 0: they differ.
constexpr const char* kDotsAgree = R"JS((() => {
  const picture = document.querySelector('svg[aria-labelledby^="p-periods_question_1-"]');
  const dots = [...picture.querySelectorAll('.dot')].map(d => Number(d.getAttribute('cy')));
  const rows = [...document.querySelectorAll('#periods_question_1 tbody tr')];
  const values = rows.map(r => r.cells[2].innerText).filter(t => !t.includes('fewer')).map(Number);
  if (dots.length !== values.length) return -1;
  for (let i = 0; i < dots.length; ++i)
    for (let k = 0; k < dots.length; ++k)
      if (values[i] > values[k] && dots[i] >= dots[k]) return -2;
  return dots.length;
})())JS";

struct ReportPage : testing::Test {
  std::string file_of(SurveyReport report) {
    report.with_texts = true;
    return "file://" + folder_.write("report.html", surveybridge::daemon::report_html(report));
  }
  void expect_readable(const std::string& url, const View& view, const std::string& name) {
    browser_.open(url, view);
    const std::string picture = named_by(name, view);
    browser_.save_picture(pictures_ + "/" + picture + ".png");
    for (const char* unfit : {kBeyondTheEdge.c_str(), kFaint, kTangled, kUnnamed})
      EXPECT_THAT(browser_.evaluate(unfit), IsEmpty()) << picture;
    for (const char* none : {"document.scripts.length", kLinksLikeText,
                             "performance.getEntriesByType('resource').length"})
      EXPECT_EQ(browser_.evaluate(none), 0) << picture;
  }

  support::TemporaryFolder folder_;
  const std::string pictures_ = folder_of_pictures("report-page");
  Chromium& browser_ = Chromium::shared();
};

TEST_F(ReportPage, CanBeReadInEveryViewAlsoWithHostileNamesAndWithNothing) {
  for (const auto& view : kViews) {
    expect_readable(file_of(sample::hostile_quarter()), view, "hostile");
    EXPECT_EQ(browser_.evaluate("document.querySelectorAll('img, script, main i').length"), 0);
    expect_readable(file_of(sample::one_customer()), view, "one");
    browser_.open(file_of(sample::nothing()), view);
    EXPECT_THAT(browser_.evaluate(kBeyondTheEdge), IsEmpty());
    EXPECT_THAT(browser_.evaluate("document.body.innerText").get<std::string>(),
                has("Nothing was sent and nothing was answered in this time."));
    expect_readable(file_of(sample::quarter()), view, "quarter");
  }
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('svg').length"), 15);
  EXPECT_EQ(browser_.evaluate(kDotsAgree), 11);
}

TEST_F(ReportPage, TheKeyboardReachesEveryLinkAndNothingElse) {
  browser_.open(file_of(sample::quarter()), {1280, 800, false});
  std::vector<std::string> reached;
  for (int i = 0; i < 4; ++i) {
    browser_.press_tab();
    reached.push_back(browser_.evaluate("document.activeElement.getAttribute('href') || ''"));
    EXPECT_NE(browser_.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none");
  }
  EXPECT_THAT(reached, testing::ElementsAre("?from=2026-08-31", "?from=2026-06-08", "?by=Branch",
                                            "?by=Product"));
  EXPECT_EQ(browser_.evaluate("document.links.length"), 4);
}

// On A4 in portrait, whatever the colours of the screen: dark letters on white, nothing cut at the
// right, no row and no picture over two pages.
TEST_F(ReportPage, IsPrintedOnPaper) {
  browser_.open(file_of(sample::quarter()), {680, 960, true});
  browser_.save_paper(pictures_ + "/quarter.pdf");
  EXPECT_GT(std::filesystem::file_size(pictures_ + "/quarter.pdf"), 20'000U);
  browser_.show_as_paper(true);
  EXPECT_THAT(browser_.evaluate(kBeyondTheEdge), IsEmpty());
  EXPECT_THAT(browser_.evaluate(kFaint), IsEmpty());
  EXPECT_EQ(browser_.evaluate("getComputedStyle(document.body).color"), "rgb(22, 32, 43)")
      << "dark letters";
  EXPECT_EQ(browser_.evaluate("getComputedStyle(document.querySelector('nav')).display"), "none");
  EXPECT_EQ(browser_.evaluate("[...document.querySelectorAll('tr, svg')].filter("
                              "e => getComputedStyle(e).breakInside !== 'avoid').length"),
            0);
  EXPECT_EQ(browser_.evaluate("getComputedStyle(document.querySelector('#summary thead')).display"),
            "table-header-group")
      << "a head on each page";
}

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

// Several pages: long names, long texts, a year of weeks.
surveybridge::daemon::SurveyReport long_report() {
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

// A PDF as poppler's programs read it: its pages with the places of their words, in points from the
// page's upper left corner.
struct PaperWord {
  double left, top, right, bottom;
  std::string text;
};

struct PaperPage {
  double width, height;
  std::vector<PaperWord> words;
};

std::string output_of(const std::vector<std::string>& command) {
  const auto done = support::run({command, {}}, std::chrono::seconds(60));
  if (done.status != 0) throw std::runtime_error(command.front() + ": " + done.err);
  return done.out;
}

// The number behind NAME=" in a line of XHTML.
double number_in(const std::string& line, const std::string& name) {
  const auto at = line.find(name + "=\"");
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in " + line);
  return std::stod(line.substr(at + name.size() + 2));
}

std::string text_in(const std::string& line) {
  const auto begin = line.find('>') + 1;
  std::string text = line.substr(begin, line.rfind('<') - begin);
  for (const auto& [name, letter] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}) {
    for (auto found = text.find(name); found != std::string::npos; found = text.find(name, found))
      text.replace(found++, std::string_view(name).size(), letter);
  }
  return text;
}

std::vector<PaperPage> pages_of(const std::string& pdf) {
  std::istringstream lines(output_of({"pdftotext", "-bbox", pdf, "-"}));
  std::vector<PaperPage> pages;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("<page ") != std::string::npos)
      pages.push_back({number_in(line, "width"), number_in(line, "height"), {}});
    if (line.find("<word ") == std::string::npos) continue;
    pages.back().words.push_back({number_in(line, "xMin"), number_in(line, "yMin"),
                                  number_in(line, "xMax"), number_in(line, "yMax"), text_in(line)});
  }
  return pages;
}

struct ReportOnPaper : ReportPage {
  void print(const SurveyReport& report, bool marked) {
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
  void expect_no_row_over_two_pages() {
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
  void expect_no_heading_alone() {
    ASSERT_GT(marked_["below"].size(), 30U);
    for (const auto& pair : marked_["below"]) {
      const auto heading = "~" + pair.at(0).dump() + "h", below = "~" + pair.at(1).dump() + "a";
      EXPECT_EQ(found_[heading].size(), 1U) << heading << " is lost";
      EXPECT_EQ(found_[heading], found_[below]) << heading << " is alone";
    }
  }

  const std::string pdf_ = pictures_ + "/long.pdf";
  nlohmann::json marked_;
  std::vector<PaperPage> pages_;
  std::map<std::string, std::vector<std::size_t>> found_;  // the pages of each mark
};

TEST_F(ReportOnPaper, IsA4AndCutsNoRowAndNoPictureAndLeavesNoHeadingAlone) {
  print(sample::quarter(), true);
  expect_no_heading_alone();
  print(long_report(), true);
  expect_no_row_over_two_pages();
  expect_no_heading_alone();
  print(long_report(), false);
  EXPECT_THAT(output_of({"pdfinfo", pdf_}), has("(A4)", "JavaScript:      no"));
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

}  // namespace
}  // namespace program
