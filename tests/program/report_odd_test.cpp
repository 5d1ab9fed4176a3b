// `surveybridge report` where there is nothing to count, and with names that break things.
#include "tests/program/report_of.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::Not;

class OddReportOf : public ReportOf {};

// Without a customer, and with test customers only.
TEST_P(OddReportOf, HasWordsWhereThereIsNothingToCount) {
  const auto expect_nothing = [&](const std::string& words) {
    const std::string page = folder_.path() + "/nothing.html", tables = folder_.path() + "/nothing";
    const auto told = report({"--json"});
    ASSERT_EQ(told.status, 0) << told.err;
    ASSERT_EQ(report({"--csv", tables, "--html", page}).status, 0);
    EXPECT_THAT(content(page), HasSubstr(words));
    EXPECT_THAT(report().out, HasSubstr(words));
    const auto json = nlohmann::json::parse(told.out);
    EXPECT_EQ(sum_of(json, "period_counts", "finished"), 0);
    for (const auto& [name, row] : rows_of(json, "summary", "figure")) {
      EXPECT_EQ(row.at("n"), 0) << name;
      EXPECT_TRUE(row.at("value").is_null()) << name;
    }
    for (const auto& text : {content(page), content(tables + "/summary.csv"), told.out})
      for (const char* word : {"nan", "inf,", "inf<", "-nan"})
        EXPECT_THAT(text, Not(HasSubstr(word)));
  };
  ASSERT_EQ(bridge({"sync", "-c", config_}).status, 0);
  expect_nothing("Nothing was sent and nothing was answered in this time.");
  crm_.insert(orders(60));
  pull_everything();
  crm_.execute("UPDATE survey_invitation SET test = 1");
  crm_.execute("DELETE FROM survey_push");
  crm_.execute("DELETE FROM survey_bounce");
  expect_nothing("Nothing was sent and nothing was answered in this time.");
}

// A data column and a label that no form of the report may take for its own language.
TEST_P(OddReportOf, ShowsNamesThatBreakThingsInEveryForm) {
  const std::string column = "\"; DROP TABLE survey_push; --<b>",
                    label = "Empfehlen \U0001F6CD \"'<i>";
  SandboxProgram odd({"--speed", "500000000", "--column", "1:OrderNumber", "--column",
                      "2:FirstName", "--column", "3:LastName", "--column", "4:" + column});
  const auto in_toml = [](const std::string& text) { return nlohmann::json(text).dump(); };
  std::string configured = configuration(crm_.connection(), odd.url()) + kReport;
  configured = replaced(configured, "Product     =", in_toml(column) + " =");
  configured = replaced(configured, "\"Product\"", in_toml(column));
  configured = replaced(configured, "\"Recommend\"", in_toml(label));
  folder_.write("bridge.toml", configured);
  crm_.insert(orders(60));
  pull_everything();
  const std::string tables = folder_.path() + "/odd", page = folder_.path() + "/odd.html";
  const auto told = report({"--json", "--by", column});
  ASSERT_EQ(told.status, 0) << told.err;
  ASSERT_EQ(report({"--csv", tables, "--html", page, "--by", column}).status, 0);
  const auto json = nlohmann::json::parse(told.out);
  EXPECT_EQ(json.at("scope").at("segment"), column);
  EXPECT_EQ(sum_of(json, "segment_counts", "transactions"), count("survey_push"));
  EXPECT_GT(rows_of(json, "segment_counts", "name").size(), 2U) << "the values are told apart";
  EXPECT_TRUE(std::ranges::any_of(json.at("measures"), [&](const auto& measure) {
    return measure.at("name") == "Empfehlen _ \"'<i>";
  })) << json.at("measures");
  EXPECT_THAT(content(tables + "/summary.csv"), HasSubstr("Empfehlen _ \"\"'<i>"));
  EXPECT_THAT(content(page), HasSubstr("Empfehlen _ &quot;"));
  EXPECT_THAT(content(page), HasSubstr("DROP TABLE survey_push; --&lt;b&gt;"));
  EXPECT_THAT(content(page), Not(HasSubstr("<i>")));
  EXPECT_THAT(content(page), Not(HasSubstr("<b>\"")));
  EXPECT_THAT(report({"--by", column}).out, HasSubstr("\"; DROP TABLE survey_push; --<b>"));
}

// Rows that the brake holds are not in the ledger: a report that is silent about them says that
// nothing waits.
TEST_P(OddReportOf, SaysWhatTheBrakeHolds) {
  const std::string apart = folder_.path() + "/store.db";
  const std::string braked =
      replaced(configuration(crm_.connection(), sandbox_.url()) + kReport, "brake = false\n", "");
  const auto expect_held = [&](const std::string& reason) {
    const std::string page = folder_.path() + "/held.html";
    const auto told = report({"--json"});
    ASSERT_EQ(told.status, 0) << told.err;
    const auto held = nlohmann::json::parse(told.out).at("held");
    ASSERT_EQ(held.size(), 1U) << told.out;
    EXPECT_EQ(held.at(0).at("push"), "orders");
    EXPECT_EQ(held.at(0).at("rows"), 7);
    EXPECT_THAT(held.at(0).at("reason").template get<std::string>(), HasSubstr(reason));
    ASSERT_EQ(report({"--html", page}).status, 0);
    EXPECT_THAT(content(page), HasSubstr("7 rows wait for `surveybridge release orders`"));
    EXPECT_THAT(report().out, HasSubstr("The brake holds orders ("));
  };
  crm_.insert(orders(7));
  for (const auto& store : {std::string(), "[store]\nconnection = \"sqlite3://" + apart + "\"\n"}) {
    folder_.write("bridge.toml", braked + store);
    ASSERT_EQ(bridge({"sync", "pull", "-c", config_}).status, 0);
    expect_held("it has sent nothing yet");
    bridge({"sync", "push", "-c", config_});
    expect_held("the first run: up to 7 transactions would go out");
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, OddReportOf,
                         testing::Values(Server::sqlite, Server::postgresql, Server::mariadb),
                         support::server_name);

}  // namespace
}  // namespace program
