// The status page of a real daemon in a real browser: wide and narrow, light and dark, by keyboard.
// The pictures are in the folder status-page of the build, for people who want to look.
#include "connectors/crm/ledger/ledger.hpp"
#include "tests/program/browser/chromium.hpp"
#include "tests/program/world.hpp"

namespace program {
namespace {

namespace crm = surveybridge::crm;
using testing::IsEmpty;
using testing::StartsWith;

struct StatusPageInChromium : BridgeAndSqlite {
  // In a folder whose name the pictures of the documents may show.
  void configure(const std::string& brake) {
    config_ = shown_.write("bridge.toml",
                           with_page(replaced(usual_, "brake = false", "brake = " + brake), port_));
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  bool shows(Daemon& daemon, const std::string& text) {
    return daemon.until([&] { return body_of(port_, "/").find(text) != std::string::npos; });
  }
  // Rows that wait for a person, as a bad day leaves them.
  void make_trouble() {
    make_tables();
    crm::Ledger ledger(crm_.database());
    std::vector<crm::Ledger::SetAside> rows{
        {"<script>document.body.remove()</script>", "Email: not an address: no @"},
        {std::string(120, '0'), "refused by the service: Ann <ann@nowhere.example> is no customer"},
        {"0ann@nowhere.example", "Email: required, the column \"email\" is null or empty"}};
    for (int i = 0; i < 230; ++i)
      rows.push_back({"A-" + std::to_string(1000 + i), "Answers[0].Value: not an integer"});
    ASSERT_EQ(ledger.set_aside("orders", crm::State::quarantined, rows), 233);
    ledger.set_aside("orders", crm::State::suppressed, {{"S-1", "opted out"}});
    ledger.claim({"batch-1", "orders", "nobody"}, {{"H-1", "x@y.example", {}}});
    ledger.settle("orders", "batch-1", {crm::Outcome::unknown, 502, "HTTP 502"},
                  {{"H-1", crm::State::held, "the service does not list it after settle"}});
  }
  // What can be asserted of each page and view.
  void expect_readable(const std::string& path, const View& view, const std::string& name) {
    browser_.open(url(path), view);
    const std::string picture = named_by(name, view);
    browser_.save_picture(pictures_ + "/" + picture + ".png");
    EXPECT_THAT(browser_.evaluate(beyond_the_edge_of("h1")), IsEmpty()) << picture;
    EXPECT_THAT(browser_.evaluate(kFaint), IsEmpty()) << picture;
    EXPECT_EQ(browser_.evaluate("document.scripts.length"), 0) << picture;
    EXPECT_EQ(browser_.evaluate(kLinksLikeText), 0) << picture;
  }
  // In the first screen, without scrolling.
  bool sees(const std::string& selector) {
    return browser_
        .evaluate("(() => { const e = document.querySelector('" + selector +
                  "'); if (!e) return false; const box = e.getBoundingClientRect();"
                  " return box.top >= 0 && box.height > 0 && box.bottom <= innerHeight; })()")
        .get<bool>();
  }
  std::string text_of(const std::string& selector) {
    return browser_.evaluate("document.querySelector('" + selector + "').innerText");
  }
  // The link that has the focus; empty: nothing, or an element without a link.
  std::string focused() {
    return browser_.evaluate("document.activeElement.getAttribute('href') || ''");
  }

  int port_ = support::free_port();
  support::TemporaryFolder shown_;
  const std::string pictures_ = folder_of_pictures("status-page");
  Chromium& browser_ = Chromium::shared();
};

TEST_F(StatusPageInChromium, CanBeReadWhenAllIsWell) {
  configure("false");
  crm_.insert(orders(5));
  expect({"sync"}, 0);
  Daemon daemon(config_);
  ASSERT_TRUE(shows(daemon, "<b>Well.</b>"));
  for (const auto& view : kViews) {
    expect_readable("/", view, "well");
    EXPECT_TRUE(sees(".verdict"));
    EXPECT_THAT(text_of(".verdict"), StartsWith("WELL."));
  }
  expect_readable("/quarantine", {390, 844, false}, "well-quarantine");
  EXPECT_THAT(text_of("body"), has("There are none."));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusPageInChromium, ShowsVerdictAndFirstNeedAtOnceWhenSomethingIsWrong) {
  configure("true");
  crm_.insert(orders(5));
  make_trouble();
  sandbox_.fault("before:503:rating:1000");
  Daemon daemon(config_);
  ASSERT_TRUE(shows(daemon, "the brake holds"));
  for (const auto& view : kViews) {
    expect_readable("/", view, "trouble");
    EXPECT_TRUE(sees(".verdict")) << view.width;
    EXPECT_TRUE(sees("ol > li:first-child code")) << view.width;
    EXPECT_THAT(text_of(".verdict"), StartsWith("NEEDS A PERSON."));
  }
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusPageInChromium, ListsRowsWithoutTellingWhatTheyHoldAndIsUsedByKeyboard) {
  configure("true");
  make_trouble();
  Daemon daemon(config_);
  ASSERT_TRUE(shows(daemon, "233 transactions set aside"));
  for (const auto& view : kViews) {
    expect_readable("/quarantine", view, "quarantine");
    EXPECT_EQ(browser_.evaluate("document.querySelectorAll('tbody tr').length"), 200);
    EXPECT_THAT(text_of("tbody"), has("(an address)"));
    EXPECT_THAT(text_of("tbody"), has("refused by the service"));
    EXPECT_THAT(text_of("tbody"), has("<script>document.body.remove()</script>"));
    EXPECT_THAT(text_of("body"), lacks("nowhere.example"));
    EXPECT_THAT(text_of("body"), has("surveybridge quarantine retry KEY"));
  }
  expect_readable("/quarantine?page=2", {390, 844, true}, "quarantine-2");
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('tbody tr').length"), 33);
  expect_readable("/doubts", {390, 844, false}, "doubts");
  EXPECT_THAT(text_of("tbody"), has("H-1"));
  expect_readable("/suppressed", {1280, 800, false}, "suppressed");
  EXPECT_THAT(text_of("tbody"), has("S-1"));
  browser_.open(url("/"), {390, 844, false});
  const auto links = browser_.evaluate("[...document.links].map(a => a.getAttribute('href'))");
  ASSERT_GE(links.size(), 5u) << links;
  for (const auto& link : links) {
    browser_.press_tab();
    EXPECT_EQ(focused(), link.get<std::string>());
    EXPECT_GE(
        browser_.evaluate("(() => { const s = getComputedStyle(document.activeElement);"
                          " return s.outlineStyle === 'none' ? 0 : parseFloat(s.outlineWidth);"
                          " })()"),
        2)
        << "nobody sees where the focus is";
  }
  browser_.open(url("/"), {390, 844, false});
  browser_.press_tab();
  const auto first = focused();
  browser_.press_enter_and_load();
  EXPECT_EQ(browser_.evaluate("location.pathname"), first);
  browser_.press_tab();
  EXPECT_EQ(focused(), "/") << "the way back is the first link";
  browser_.press_enter_and_load();
  EXPECT_TRUE(sees(".verdict"));
  EXPECT_EQ(daemon.stop(), 0);
}

}  // namespace
}  // namespace program
