// The status page of a real daemon in a real browser: wide and narrow, light and dark, by keyboard.
// The pictures are in the folder status-page of the build, for people who want to look.
#include <filesystem>

#include <gmock/gmock.h>

#include "connectors/crm/ledger/ledger.hpp"
#include "tests/program/bridge.hpp"
#include "tests/program/browser/chromium.hpp"
#include "tests/program/configuration.hpp"
#include "tests/program/crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/program/sandbox_program.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

namespace crm = surveybridge::crm;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::vector<View> kViews = {
    {1280, 800, false}, {1280, 800, true}, {390, 844, false}, {390, 844, true}};

// Every element that goes beyond the right edge of the text, and whether the page scrolls sideways.
constexpr const char* kTooWide = R"JS((() => {
  const edge = document.querySelector('h1').getBoundingClientRect().right;
  const wide = [...document.querySelectorAll('body *')].filter(
      e => e.getBoundingClientRect().right > edge + 0.5).map(e => e.outerHTML.slice(0, 120));
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) wide.push('the page scrolls sideways');
  return wide;
})())JS";

// Texts whose contrast with the page is below 4.5 (WCAG 2.1, 1.4.3).
constexpr const char* kTooFaint = R"JS((() => {
  const light = text => {
    const part = text.match(/[0-9.]+/g).slice(0, 3).map(v => v / 255).map(
        v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.backgroundColor = 'Canvas';
  const page = light(getComputedStyle(probe).backgroundColor);
  probe.remove();
  const has_text = e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== '');
  return [...document.querySelectorAll('body *')].filter(has_text).filter(e => {
    const text = light(getComputedStyle(e).color);
    return (Math.max(text, page) + 0.05) / (Math.min(text, page) + 0.05) < 4.5;
  }).map(e => e.outerHTML.slice(0, 120));
})())JS";

class StatusPageInChromium : public testing::Test {
 protected:
  void configure(const std::string& brake) {
    folder_.write("bridge.toml", replaced(configuration(crm_.connection(), sandbox_.url()),
                                          "brake = false", "brake = " + brake) +
                                     "\n[status]\nlisten = \"127.0.0.1:" + std::to_string(port_) +
                                     "\"\n");
  }
  std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  std::string fetched(const std::string& path) const {
    return support::run({{"curl", "-s", "--max-time", "20", url(path)}, {}}).out;
  }
  bool comes(Daemon& daemon, const std::string& text) {
    return daemon.until([&] { return fetched("/").find(text) != std::string::npos; });
  }
  // Rows that wait for a person, as a bad day leaves them.
  void make_trouble() {
    ASSERT_EQ(bridge({"forget", "--unknown", "nobody@example.test", "-c", config_}).status, 0);
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
    const std::string picture =
        name + "-" + std::to_string(view.width) + (view.dark ? "-dark" : "-light") + ".png";
    browser_.save_picture(pictures_ + "/" + picture);
    EXPECT_THAT(browser_.evaluate(kTooWide), IsEmpty()) << picture;
    EXPECT_THAT(browser_.evaluate(kTooFaint), IsEmpty()) << picture;
    EXPECT_EQ(browser_.evaluate("document.scripts.length"), 0) << picture;
    EXPECT_EQ(browser_.evaluate("[...document.links].filter(a => !getComputedStyle(a)"
                                ".textDecorationLine.includes('underline')).length"),
              0)
        << picture << ": a link that only its colour shows";
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

  Crm crm_{Server::sqlite};
  SandboxProgram sandbox_{{"--speed", "0"}};
  support::TemporaryFolder folder_;
  int port_ = support::free_port();
  const std::string config_ = folder_.path() + "/bridge.toml";
  const std::string pictures_ = [] {
    const auto folder = std::filesystem::path(support::bin_dir()).parent_path() / "status-page";
    std::filesystem::create_directories(folder);
    return folder.string();
  }();
  Chromium browser_;
};

TEST_F(StatusPageInChromium, CanBeReadWhenAllIsWell) {
  configure("false");
  crm_.insert(orders(5));
  ASSERT_EQ(bridge({"sync", "-c", config_}).status, 0);
  Daemon daemon(config_);
  ASSERT_TRUE(comes(daemon, "<b>Well.</b>")) << fetched("/");
  for (const auto& view : kViews) {
    expect_readable("/", view, "well");
    EXPECT_TRUE(sees(".verdict"));
    EXPECT_THAT(text_of(".verdict"), StartsWith("WELL."));
  }
  expect_readable("/quarantine", {390, 844, false}, "well-quarantine");
  EXPECT_THAT(text_of("body"), HasSubstr("There are none."));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusPageInChromium, ShowsVerdictAndFirstNeedAtOnceWhenSomethingIsWrong) {
  configure("true");
  crm_.insert(orders(5));
  make_trouble();
  sandbox_.fault("before:503:rating:1000");
  Daemon daemon(config_);
  ASSERT_TRUE(comes(daemon, "the brake holds")) << fetched("/");
  for (const auto& view : kViews) {
    expect_readable("/", view, "trouble");
    EXPECT_TRUE(sees(".verdict")) << view.width;
    EXPECT_TRUE(sees("ol > li:first-child code")) << view.width;
    EXPECT_THAT(text_of(".verdict"), StartsWith("NEEDS A PERSON."));
  }
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusPageInChromium, ListsRowsWithoutRunningOrTellingWhatTheyHold) {
  configure("true");
  make_trouble();
  Daemon daemon(config_);
  ASSERT_TRUE(comes(daemon, "233 transactions set aside"));
  for (const auto& view : kViews) {
    expect_readable("/quarantine", view, "quarantine");
    EXPECT_EQ(browser_.evaluate("document.querySelectorAll('tbody tr').length"), 200);
    EXPECT_THAT(text_of("tbody"), HasSubstr("(an address)"));
    EXPECT_THAT(text_of("tbody"), HasSubstr("refused by the service"));
    EXPECT_THAT(text_of("tbody"), HasSubstr("<script>document.body.remove()</script>"));
    EXPECT_THAT(text_of("body"), Not(HasSubstr("nowhere.example")));
    EXPECT_THAT(text_of("body"), HasSubstr("surveybridge quarantine retry KEY"));
  }
  expect_readable("/quarantine?page=2", {390, 844, true}, "quarantine-2");
  EXPECT_EQ(browser_.evaluate("document.querySelectorAll('tbody tr').length"), 33);
  expect_readable("/doubts", {390, 844, false}, "doubts");
  EXPECT_THAT(text_of("tbody"), HasSubstr("H-1"));
  expect_readable("/suppressed", {1280, 800, false}, "suppressed");
  EXPECT_THAT(text_of("tbody"), HasSubstr("S-1"));
  EXPECT_EQ(daemon.stop(), 0);
}

TEST_F(StatusPageInChromium, IsUsedByKeyboard) {
  configure("true");
  make_trouble();
  Daemon daemon(config_);
  ASSERT_TRUE(comes(daemon, "233 transactions set aside"));
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
