// The alert rules of monitoring/: their unit tests, and the runbook that they name.
#include <algorithm>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/program/prometheus.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace program {
namespace {

using testing::HasSubstr;

std::string source(const std::string& path) {
  return support::read_file(support::source_dir() + "/" + path);
}

// What follows `opening` in each line that begins with it, without blanks around it.
std::vector<std::string> after(const std::string& text, const std::string& opening) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto begin = line.find_first_not_of(' ');
    if (begin != std::string::npos && line.compare(begin, opening.size(), opening) == 0)
      found.push_back(line.substr(begin + opening.size()));
  }
  return found;
}

std::set<std::string> alerts() {
  const auto names = after(source("monitoring/alerts.yml"), "- alert: ");
  return {names.begin(), names.end()};
}

TEST(Alerts, PassTheirUnitTests) {
  const std::string folder = support::source_dir() + "/monitoring";
  const auto tested = promtool({"test", "rules", folder + "/alerts_test.yml"});
  EXPECT_EQ(tested.status, 0) << tested.out << tested.err;
  const auto checked = promtool({"check", "rules", "--lint-fatal", folder + "/alerts.yml"});
  EXPECT_EQ(checked.status, 0) << checked.out << checked.err;
  EXPECT_EQ(after(source("monitoring/alerts.yml"), "- alert: ").size(), alerts().size());
}

TEST(Alerts, HaveEachATestInWhichItFiresAndOneInWhichItDoesNot) {
  std::set<std::string> fire, do_not;
  std::istringstream lines(source("monitoring/alerts_test.yml"));
  std::string alert;
  for (std::string line; std::getline(lines, line);) {
    const auto named = after(line, "- alertname: ");
    if (!named.empty()) alert = named.front();
    for (const auto& expected : after(line, "exp_alerts:"))
      (expected == " []" ? do_not : fire).insert(alert);
  }
  EXPECT_EQ(fire, alerts());
  EXPECT_EQ(do_not, alerts());
}

TEST(Alerts, AreNamedByTheRunbook) {
  const std::string runbook = source("docs/RUNBOOK.md");
  const auto begin = runbook.find("\n## Alerts\n");
  ASSERT_NE(begin, std::string::npos);
  std::set<std::string> rows;
  for (const auto& row :
       after(runbook.substr(begin, runbook.find("\n## ", begin + 1) - begin), "| `Surveybridge"))
    rows.insert("Surveybridge" + row.substr(0, row.find('`')));
  EXPECT_EQ(rows, alerts());
  const std::string rules = source("monitoring/alerts.yml");
  EXPECT_EQ(after(rules, "summary: ").size(), alerts().size());
  for (const auto& alert : alerts())
    EXPECT_THAT(rules,
                HasSubstr("runbook: 'docs/RUNBOOK.md, section \"Alerts\": " + alert + "'\n"));
}

}  // namespace
}  // namespace program
