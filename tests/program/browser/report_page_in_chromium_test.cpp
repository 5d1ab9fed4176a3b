// The survey report's page in a real browser, from a file as somebody has it who got it by mail:
// wide and narrow, light and dark, on paper, by keyboard. The pictures and the paper are in the
// folder report-page of the build, for people who want to look.
#include <filesystem>

#include <gmock/gmock.h>

#include "daemon/report/report.hpp"
#include "tests/daemon/report/sample_report.hpp"
#include "tests/program/browser/chromium.hpp"

namespace program {
namespace {

using testing::HasSubstr;
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

class ReportPageInChromium : public testing::Test {
 protected:
  std::string file_of(surveybridge::daemon::SurveyReport report) {
    report.with_texts = true;
    return "file://" + folder_.write("report.html", surveybridge::daemon::report_html(report));
  }
  void expect_readable(const std::string& url, const View& view, const std::string& name) {
    browser_.open(url, view);
    const std::string picture = named_by(name, view);
    browser_.save_picture(pictures_ + "/" + picture + ".png");
    EXPECT_THAT(browser_.evaluate(kBeyondTheEdge), IsEmpty()) << picture;
    EXPECT_THAT(browser_.evaluate(kFaint), IsEmpty()) << picture;
    EXPECT_THAT(browser_.evaluate(kTangled), IsEmpty()) << picture;
    EXPECT_THAT(browser_.evaluate(kUnnamed), IsEmpty()) << picture;
    EXPECT_EQ(browser_.evaluate("document.scripts.length"), 0) << picture;
    EXPECT_EQ(browser_.evaluate("performance.getEntriesByType('resource').length"), 0) << picture;
    EXPECT_EQ(browser_.evaluate(kLinksLikeText), 0) << picture;
  }

  support::TemporaryFolder folder_;
  const std::string pictures_ = folder_of_pictures("report-page");
  Chromium browser_;
};

TEST_F(ReportPageInChromium, CanBeReadInEveryView) {
  const std::string url = file_of(sample::quarter());
  for (const auto& view : kViews)
    expect_readable(url, view, "quarter");
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('svg').length"), 15);
  EXPECT_EQ(browser_.evaluate(kDotsAgree), 11);
}

TEST_F(ReportPageInChromium, CanBeReadWithHostileNames) {
  const std::string url = file_of(sample::hostile_quarter());
  for (const auto& view : kViews)
    expect_readable(url, view, "hostile");
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('img, script, main i').length"), 0);
}

TEST_F(ReportPageInChromium, CanBeReadWithOneCustomerAndWithNothing) {
  for (const auto& view : kViews) {
    expect_readable(file_of(sample::one_customer()), view, "one");
    browser_.open(file_of(sample::nothing()), view);
    EXPECT_THAT(browser_.evaluate(kBeyondTheEdge), IsEmpty());
    EXPECT_THAT(browser_.evaluate("document.body.innerText").get<std::string>(),
                HasSubstr("Nothing was sent and nothing was answered in this time."));
  }
}

TEST_F(ReportPageInChromium, TheKeyboardReachesEveryLinkAndNothingElse) {
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
TEST_F(ReportPageInChromium, IsPrintedOnPaper) {
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

}  // namespace
}  // namespace program
