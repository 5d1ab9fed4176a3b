// `surveybridge report` and the page at /report, over what a real bridge has pulled.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iomanip>
#include <map>
#include <sstream>
#include <utility>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/program/bridge_and_crm.hpp"
#include "tests/program/private_words.hpp"
#include "tests/support/loopback.hpp"

namespace program {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kReport = R"(
[report]
segments = ["Product"]
hidden   = ["FirstName", "LastName"]
least    = 1
[[report.question]]
id    = 1200
label = "Recommend"
kind  = "nps"
)";

// Those that a report must not have.
std::vector<std::string> private_words_of_report(const std::string& text) {
  auto words = private_words_in(text);
  std::erase(words, kDomain);
  if (text.find(std::string("@") + kDomain) != std::string::npos) words.emplace_back("an address");
  return words;
}

// Of "2026-11-02 12:00:00" and the like, since 1970.
double seconds_of(const std::string& time) {
  std::tm parts{};
  std::istringstream(time.substr(0, 10) + " " + time.substr(11, 8)) >>
      std::get_time(&parts, "%Y-%m-%d %H:%M:%S");
  return static_cast<double>(timegm(&parts));
}

class ReportOf : public BridgeAndCrm {
 protected:
  ReportOf() : BridgeAndCrm({"--speed", "500000000"}) { write(usual_ + kReport); }
  // Everything goes out, is answered and comes back.
  void pull_everything() {
    ASSERT_EQ(bridge({"sync", "push", "-c", config_}).status, 0);
    for (int i = 0; i < 30; ++i) {
      ASSERT_EQ(bridge({"sync", "pull", "-c", config_}).status, 0);
      const auto finished = count("survey_customer WHERE survey_finished_date IS NOT NULL");
      if (std::exchange(finished_, finished) == finished && finished > 0) return;
    }
    FAIL() << "nobody answers";
  }
  // Not by bridge(): the domains of bounces belong into a report.
  support::Finished report(const Arguments& more = {}) {
    Arguments words = {"report", "-c", config_, "--from", "2025-01-01"};
    words.insert(words.end(), more.begin(), more.end());
    return support::run(bridge_program(words), std::chrono::seconds(120));
  }
  std::int64_t count(const std::string& from) {
    return std::stoll(crm_.cell("SELECT COUNT(*) FROM " + from));
  }

  std::int64_t finished_ = 0;  // as counted last
};

// The rows of a table of the report, by the text in its first column.
std::map<std::string, nlohmann::json> rows_of(const nlohmann::json& report, const std::string& id,
                                              const std::string& key) {
  std::map<std::string, nlohmann::json> rows;
  for (const auto& table : report.at("tables")) {
    if (table.at("id") != id) continue;
    for (const auto& row : table.at("rows"))
      rows[row.at(key).get<std::string>()] = row;
  }
  return rows;
}

std::int64_t sum_of(const nlohmann::json& report, const std::string& id,
                    const std::string& column) {
  std::int64_t all = 0;
  for (const auto& table : report.at("tables")) {
    if (table.at("id") != id) continue;
    for (const auto& row : table.at("rows"))
      all += row.at(column).get<std::int64_t>();
  }
  return all;
}

// The first ten questions of docs/REPORTS.md by one command, against the raw tables.
class ReportOfAnswers : public ReportOf {
 protected:
  nlohmann::json asked_for(Arguments more) {
    more.insert(more.begin(), "--json");
    const auto told = report(more);
    EXPECT_EQ(told.status, 0) << told.err;
    return nlohmann::json::parse(told.out);
  }
  // The funnel, scores and segments.
  void expect_counts_of_the_raw_tables(const nlohmann::json& json);
  // 1 and 6: by month; 3: a score for each segment.
  void expect_months_and_segments(const nlohmann::json& json);
  // 4, 5, 7 and 9, for a word.
  void expect_time_bounces_and_words(const nlohmann::json& json);
  // 10: the change of the score against the time before, worked out here from the raw answers.
  void expect_the_change();
};

TEST_P(ReportOfAnswers, HaveTheFiguresOfTheRawTables) {
  crm_.insert(orders(300));
  pull_everything();
  expect_counts_of_the_raw_tables(asked_for({}));
  expect_months_and_segments(asked_for({"--period", "month"}));
  expect_time_bounces_and_words(asked_for({"--word", "PARCEL"}));
  expect_the_change();
}

void ReportOfAnswers::expect_counts_of_the_raw_tables(const nlohmann::json& json) {
  const auto finished = count("survey_customer WHERE survey_finished_date IS NOT NULL");
  ASSERT_GT(finished, 10);
  auto steps = rows_of(json, "steps", "step");
  EXPECT_EQ(steps["Transactions"].at("number"), count("survey_push"));
  EXPECT_EQ(steps["Sent"].at("number"), count("survey_customer"));
  EXPECT_EQ(steps["Invited"].at("number"), count("survey_customer WHERE date_invited IS NOT NULL"));
  EXPECT_EQ(steps["Finished"].at("number"), finished);
  const std::string given =
      "survey_answer a JOIN survey_answer_scale_position p ON p.customer_id = a.customer_id"
      " AND p.answer_position = a.position WHERE a.base_question_id = 1200"
      " AND a.date_answered IS NOT NULL AND p.value ";
  const auto answers = count(given + "BETWEEN 0 AND 10");
  const double nps = 100.0 * static_cast<double>(count(given + ">= 9") - count(given + "<= 6")) /
                     static_cast<double>(answers);
  auto summary = rows_of(json, "summary", "figure");
  const auto recommend = std::ranges::find_if(
      summary, [](const auto& row) { return row.first.starts_with("Recommend"); });
  ASSERT_NE(recommend, summary.end());
  EXPECT_EQ(recommend->second.at("n"), answers);
  EXPECT_NEAR(recommend->second.at("value").template get<double>(), nps, 1e-5);
  std::int64_t of_segments = 0;
  for (const auto& [name, row] : rows_of(json, "segment_counts", "name"))
    of_segments += row.at("transactions").template get<std::int64_t>();
  EXPECT_EQ(of_segments, count("survey_push"));
  const auto by_push = nlohmann::json::parse(report({"--json", "--by", "push"}).out);
  EXPECT_EQ(by_push.at("scope").at("segment"), "push");
  auto pushes = rows_of(by_push, "segment_counts", "name");
  ASSERT_EQ(pushes.size(), 1U);
  EXPECT_EQ(pushes["orders"].at("transactions"), count("survey_push"));
  const auto by_both = nlohmann::json::parse(report({"--json", "--by", "push,product"}).out);
  EXPECT_EQ(by_both.at("scope").at("segment"), "push / Product");
  std::int64_t of_both = 0;
  for (const auto& [name, row] : rows_of(by_both, "segment_counts", "name")) {
    EXPECT_TRUE(name.starts_with("orders / ")) << name;
    of_both += row.at("transactions").template get<std::int64_t>();
  }
  EXPECT_EQ(of_both, count("survey_push"));
}

void ReportOfAnswers::expect_months_and_segments(const nlohmann::json& json) {
  const std::string invited = "survey_customer WHERE date_invited IS NOT NULL";
  // 1 and 6: by month, in the table of counts.
  EXPECT_EQ(sum_of(json, "period_counts", "invited"), count(invited));
  EXPECT_EQ(sum_of(json, "period_counts", "finished"),
            count("survey_customer WHERE survey_finished_date IS NOT NULL"));
  const std::string out = "survey_customer WHERE opted_out_date IS NOT NULL";
  ASSERT_GT(count(out), 0);
  EXPECT_EQ(sum_of(json, "period_counts", "opted_out"), count(out));
  // 3: a score for each segment.
  const std::string scored =
      "survey_answer a JOIN survey_answer_scale_position p ON p.customer_id = a.customer_id"
      " AND p.answer_position = a.position JOIN survey_customer_data d ON d.customer_id ="
      " a.customer_id AND d.name = 'Product' WHERE a.base_question_id = 1200"
      " AND a.date_answered IS NOT NULL AND p.value ";
  int segments = 0;
  for (const auto& table : json.at("tables")) {
    const auto id = table.at("id").template get<std::string>();
    const bool of_scores = id.starts_with("segments_") && table.contains("measure") &&
                           table.at("measure") != "response";
    if (!of_scores || table.at("rows").empty() ||
        !table.at("caption").template get<std::string>().starts_with("Recommend"))
      continue;
    for (const auto& row : table.at("rows")) {
      const std::string of = " AND d.value = '" + row.at("name").template get<std::string>() + "'";
      const auto n = count(scored + "BETWEEN 0 AND 10" + of);
      EXPECT_EQ(row.at("n"), n) << of;
      if (n == 0) continue;
      ++segments;
      const auto better = count(scored + ">= 9" + of) - count(scored + "<= 6" + of);
      EXPECT_NEAR(row.at("value").template get<double>(),
                  100.0 * static_cast<double>(better) / static_cast<double>(n), 1e-5);
    }
  }
  EXPECT_GT(segments, 1);
}

void ReportOfAnswers::expect_time_bounces_and_words(const nlohmann::json& json) {
  // 4: the time to answer.
  double hours = 0;
  const auto answered = crm_.rows(
      "SELECT date_invited, survey_finished_date FROM survey_customer"
      " WHERE survey_finished_date >= date_invited");
  for (const auto& row : answered)
    hours += (seconds_of(row.at(1)) - seconds_of(row.at(0))) / 3600;
  const auto time = json.at("answer_time");
  EXPECT_EQ(time.at("answers"), static_cast<std::int64_t>(answered.size()));
  EXPECT_NEAR(time.at("hours").template get<double>(), hours / static_cast<double>(answered.size()),
              0.01);
  // 5: bounces.
  EXPECT_EQ(sum_of(json, "bounces", "number"), count("survey_bouncer"));
  // 7: who waits to be contacted.
  const auto customers =
      json.at("contact").at("customers").template get<std::vector<std::int64_t>>();
  std::vector<std::int64_t> waiting;
  for (const auto& row :
       crm_.rows("SELECT id FROM survey_customer WHERE is_contact_requested = TRUE AND"
                 " (form_status_name IS NULL OR form_status_name = 'New') ORDER BY id"))
    waiting.push_back(std::stoll(row.at(0)));
  EXPECT_EQ(json.at("contact").at("open"), static_cast<std::int64_t>(waiting.size()));
  if (waiting.size() > 50) waiting.resize(50);
  EXPECT_EQ(customers, waiting);
  // 9: texts with a word.
  std::int64_t texts = 0;
  for (const auto& table : json.at("tables")) {
    if (table.at("id") != "texts") continue;
    for (const auto& row : table.at("rows")) {
      ++texts;
      EXPECT_THAT(row.at("text").template get<std::string>(), HasSubstr("parcel"));
    }
  }
  EXPECT_GT(texts, 0);
  EXPECT_EQ(texts, std::min<std::int64_t>(
                       50, count("survey_answer WHERE date_answered IS NOT NULL AND LOWER(text)"
                                 " LIKE '%parcel%'")));
}

void ReportOfAnswers::expect_the_change() {
  // The days of the transactions, divided in the middle of those with an answer.
  const auto answers = crm_.rows(
      "SELECT c.transaction_date, p.value FROM survey_customer c JOIN survey_answer a ON"
      " a.customer_id = c.id JOIN survey_answer_scale_position p ON p.customer_id = a.customer_id"
      " AND p.answer_position = a.position WHERE a.base_question_id = 1200 AND a.date_answered IS"
      " NOT NULL AND p.value BETWEEN 0 AND 10 ORDER BY c.transaction_date");
  ASSERT_GT(answers.size(), 10U);
  const auto day_of = [](double seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    std::ostringstream text;
    text << std::put_time(std::gmtime(&time), "%Y-%m-%d");
    return text.str();
  };
  constexpr double kDay = 86400, kLength = 90 * kDay;
  const double middle = std::floor(seconds_of(answers.at(answers.size() / 2).at(0)) / kDay) * kDay;
  struct Half {
    double n = 0, up = 0, down = 0;
    double score() const { return 100 * (up - down) / n; }
    // Each half with three more answers: 3/4 of one above, 3/4 of one below.
    double variance() const {
      const double p = (up + 0.75) / (n + 3), q = (down + 0.75) / (n + 3);
      return (p + q - (p - q) * (p - q)) / (n + 3);
    }
    double shifted() const { return 100 * (up - down) / (n + 3); }
  } now, before;
  for (const auto& row : answers) {
    const double at = seconds_of(row.at(0)), value = std::stod(row.at(1));
    if (at < middle - kLength || at >= middle + kLength) continue;
    Half& half = at >= middle ? now : before;
    half.n += 1;
    half.up += value >= 9 ? 1 : 0;
    half.down += value <= 6 ? 1 : 0;
  }
  ASSERT_GT(now.n, 3);
  ASSERT_GT(before.n, 3);
  const auto told =
      support::run(bridge_program({"report", "-c", config_, "--json", "--from", day_of(middle),
                                   "--to", day_of(middle + kLength - kDay)}),
                   std::chrono::seconds(120));
  ASSERT_EQ(told.status, 0) << told.err;
  const auto summary = rows_of(nlohmann::json::parse(told.out), "summary", "figure");
  const auto found = std::ranges::find_if(
      summary, [](const auto& row) { return row.first.starts_with("Recommend"); });
  ASSERT_NE(found, summary.end());
  const auto& row = found->second;
  const auto figure = [&](const char* name) { return row.at(name).template get<double>(); };
  EXPECT_EQ(figure("n"), now.n);
  EXPECT_EQ(figure("n_before"), before.n);
  EXPECT_NEAR(figure("value"), now.score(), 1e-5);
  EXPECT_NEAR(figure("before"), before.score(), 1e-5);
  EXPECT_NEAR(figure("change"), now.score() - before.score(), 1e-5);
  const double half = 195.9963984540054 * std::sqrt(now.variance() + before.variance()),
               centre = now.shifted() - before.shifted();
  EXPECT_NEAR(figure("change_low"), centre - half, 1e-4);
  EXPECT_NEAR(figure("change_high"), centre + half, 1e-4);
  EXPECT_EQ(row.at("is_change").template get<bool>(), centre - half > 0 || centre + half < 0);
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportOfAnswers,
                         testing::Values(Server::sqlite, Server::postgresql, Server::mariadb,
                                         Server::mysql),
                         support::server_name);

// Where the database makes no difference to what is proved.
TEST_P(ReportOf, WritesAPageAndTablesWithoutAWordOfACustomerAndNamesEveryProblem) {
  const auto early = report();
  EXPECT_EQ(early.status, 1);
  EXPECT_THAT(early.err, HasSubstr("no tables or views for reports yet"));
  crm_.insert(orders(60));
  pull_everything();
  const std::string page = folder_.path() + "/report.html", tables = folder_.path() + "/tables";
  const std::string elsewhere = folder_.write("elsewhere", "as it was");
  std::filesystem::create_symlink(elsewhere, page + ".new");
  const auto made = report({"--html", page, "--csv", tables});
  EXPECT_EQ(std::filesystem::file_size(elsewhere), 9u) << "a link was followed";
  const auto open_to = std::filesystem::status(page).permissions();
  EXPECT_EQ(open_to, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ASSERT_EQ(made.status, 0);
  EXPECT_EQ(made.err, "made the folder \"" + tables + "\"\n");
  EXPECT_EQ(report({"--csv", tables}).err, "") << "it is there";
  const auto nowhere = report({"--csv", tables + "x/y"});
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("y\" cannot be made: No such file or directory"));
  const std::string html = support::read_file(page);
  EXPECT_THAT(html, HasSubstr("Recommend"));
  EXPECT_THAT(private_words_of_report(html), IsEmpty());
  EXPECT_THAT(html, Not(HasSubstr("parcel was left"))) << "a customer wrote that";
  EXPECT_THAT(support::read_file(tables + "/funnel.csv"), HasSubstr("Finished"));
  EXPECT_THAT(report().out, HasSubstr("Recommend"));
  const std::string with = folder_.path() + "/texts.html";
  ASSERT_EQ(report({"--html", with, "--texts"}).status, 0);
  EXPECT_THAT(support::read_file(with), HasSubstr("parcel was left"));

  const auto asked_wrong = bridge(
      {"report", "-c", config_, "--from", "2025-02-30", "--by", "Shop", "--push", "parcels"});
  EXPECT_EQ(asked_wrong.status, 2);
  EXPECT_THAT(asked_wrong.err,
              HasSubstr("--from must be a day such as 2026-11-23, got \"2025-02-30\""));
  EXPECT_THAT(asked_wrong.err, HasSubstr("\"Shop\" is neither \"push\" nor a segment"));
  EXPECT_THAT(asked_wrong.err, HasSubstr("there is no push \"parcels\" (there are: orders)"));
}

TEST_P(ReportOf, IsServedBesideTheStatusPage) {
  crm_.insert(orders(30));
  pull_everything();
  const int number = support::free_port();
  const std::string port = std::to_string(number);
  Daemon daemon(write(with_page(usual_ + kReport, number, "report = true\n")));
  ASSERT_TRUE(daemon.says("started with"));
  const auto asked = [&](const std::string& path) {
    return support::run(
               {{"curl", "-s", "-i", "--max-time", "20", "http://127.0.0.1:" + port + path}, {}})
        .out;
  };
  std::string page;
  ASSERT_TRUE(daemon.until([&] {
    page = asked("/report?from=2025-01-01&by=product");
    return page.starts_with("HTTP/1.1 200");
  })) << page;
  EXPECT_THAT(page, HasSubstr("Delivery"));
  EXPECT_THAT(page, HasSubstr("<a href=\"/report?"));
  EXPECT_THAT(private_words_of_report(page), IsEmpty());
  EXPECT_THAT(asked("/report?from=yesterday"), HasSubstr("--from must be a day"));
  EXPECT_THAT(asked("/report?texts=1"), testing::StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(asked("/"), HasSubstr("surveybridge"));
  EXPECT_EQ(daemon.stop(), 0);
}

// Rows that the brake holds are not in the ledger: a report that is silent about them says that
// nothing waits.
TEST_P(ReportOf, SaysWhatTheBrakeHolds) {
  const std::string apart = folder_.path() + "/store.db";
  const std::string braked = replaced(usual_ + kReport, "brake = false\n", "");
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
    EXPECT_THAT(support::read_file(page),
                HasSubstr("7 rows wait for `surveybridge release orders`"));
    EXPECT_THAT(report().out, HasSubstr("The brake holds orders ("));
  };
  crm_.insert(orders(7));
  for (const auto& store : {std::string(), "[store]\nconnection = \"sqlite3://" + apart + "\"\n"}) {
    write(braked + store);
    ASSERT_EQ(bridge({"sync", "pull", "-c", config_}).status, 0);
    expect_held("it has sent nothing yet");
    bridge({"sync", "push", "-c", config_});
    expect_held("the first run: up to 7 transactions would go out");
  }
}

INSTANTIATE_TEST_SUITE_P(Database, ReportOf, testing::Values(Server::sqlite), support::server_name);

}  // namespace
}  // namespace program
