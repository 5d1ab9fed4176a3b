// `surveybridge report` and the page at /report, over what a real bridge has pulled, against the
// raw tables. What each database counts: tests/crm/report; how it is shown: tests/daemon/report.
#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include <fmt/format.h>

#include "tests/program/world.hpp"
#include "tests/support/paths.hpp"

namespace program {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::IsEmpty;

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

// Those that a report must not have: the domains of bounces belong into it.
std::vector<std::string> private_words_of_report(const std::string& text) {
  auto words = private_words_in(text);
  std::erase(words, kDomain);
  if (text.find(std::string("@") + kDomain) != std::string::npos) words.emplace_back("an address");
  return words;
}

struct ReportOf : BridgeAndCrm {
  ReportOf() : BridgeAndCrm({"--speed", "500000000"}) { write(usual_ + kReport); }
  // Everything goes out, is answered at once (a life is over in a fiftieth of a second) and comes
  // back.
  void pull_everything(int count) {
    crm_.insert(orders(count));
    expect({"sync", "push"}, 0);
    expect({"sync", "pull"}, 0);
    ASSERT_GT(number("survey_customer WHERE survey_finished_date IS NOT NULL"), 10);
  }
  // Not by bridge(), which searches for the domain.
  support::Finished report(Arguments more = {}) {
    more.insert(more.begin(), {"report", "-c", config_, "--from", "2025-01-01"});
    return support::run(bridge_program(more), std::chrono::seconds(120));
  }
  json asked_for(Arguments more) {
    more.emplace_back("--json");
    const auto said = report(more);
    EXPECT_EQ(said.status, 0) << said.err;
    return json::parse(said.out);
  }
  std::int64_t number(const std::string& from) { return std::stoll(crm_.count(from)); }
};

json table_of(const json& report, const std::string& id) {
  for (const auto& table : report.at("tables"))
    if (table.at("id") == id) return table.at("rows");
  return json::array();
}

// The rows of a table of the report, by the text in one column.
std::map<std::string, json> rows_of(const json& report, const std::string& id,
                                    const std::string& key) {
  std::map<std::string, json> rows;
  for (const auto& row : table_of(report, id))
    rows[row.at(key).get<std::string>()] = row;
  return rows;
}

std::int64_t sum_of(const json& report, const std::string& id, const std::string& column) {
  std::int64_t all = 0;
  for (const auto& row : table_of(report, id))
    all += row.at(column).get<std::int64_t>();
  return all;
}

// The first ten questions of docs/REPORTS.md by one command.
struct ReportOfAnswers : ReportOf {
  struct Score {
    std::int64_t n, better;
    double nps() const { return 100.0 * static_cast<double>(better) / static_cast<double>(n); }
  };
  // Of the question that was answered, by the raw tables; `of`: a further condition.
  Score score(const std::string& of = "") {
    const std::string given =
        "survey_answer a JOIN survey_answer_scale_position p ON p.customer_id = a.customer_id"
        " AND p.answer_position = a.position JOIN survey_customer c ON c.id = a.customer_id"
        " JOIN survey_customer_data d ON d.customer_id = c.id AND d.name = 'Product'"
        " WHERE a.base_question_id = 1200 AND a.date_answered IS NOT NULL" +
        of + " AND p.value ";
    return {number(given + "BETWEEN 0 AND 10"),
            number(given + ">= 9") - number(given + "BETWEEN 0 AND 6")};
  }
  static json recommended(const json& report) {
    for (const auto& [figure, row] : rows_of(report, "summary", "figure"))
      if (figure.starts_with("Recommend")) return row;
    return nullptr;
  }
};

TEST_P(ReportOfAnswers, HaveTheFiguresOfTheRawTables) {
  pull_everything(300);
  const std::string customers = "survey_customer WHERE ";
  const auto sent = number("survey_push"),
             finished = number(customers + "survey_finished_date IS NOT NULL"),
             invited = number(customers + "date_invited IS NOT NULL"),
             out = number(customers + "opted_out_date IS NOT NULL");
  const auto whole = asked_for({"--word", "PARCEL"});
  auto steps = rows_of(whole, "steps", "step");
  EXPECT_EQ(steps["Transactions"].at("number"), sent);
  EXPECT_EQ(steps["Sent"].at("number"), number("survey_customer"));
  EXPECT_EQ(steps["Invited"].at("number"), invited);
  EXPECT_EQ(steps["Finished"].at("number"), finished);
  const auto all = score();
  EXPECT_EQ(recommended(whole).at("n"), all.n);
  EXPECT_NEAR(recommended(whole).at("value").get<double>(), all.nps(), 1e-5);
  EXPECT_EQ(sum_of(whole, "bounces", "number"), number("survey_bouncer"));
  EXPECT_EQ(sum_of(whole, "segment_counts", "transactions"), sent);
  // Who waits to be contacted.
  std::vector<std::int64_t> waiting;
  for (const auto& row :
       crm_.rows("SELECT id FROM survey_customer WHERE is_contact_requested = TRUE AND"
                 " (form_status_name IS NULL OR form_status_name = 'New') ORDER BY id"))
    waiting.push_back(std::stoll(row.at(0)));
  EXPECT_EQ(whole.at("contact").at("open"), static_cast<std::int64_t>(waiting.size()));
  if (waiting.size() > 50) waiting.resize(50);
  EXPECT_EQ(whole.at("contact").at("customers").get<std::vector<std::int64_t>>(), waiting);
  // Texts with a word.
  const auto texts = table_of(whole, "texts");
  EXPECT_EQ(static_cast<std::int64_t>(texts.size()),
            std::min<std::int64_t>(
                50, number("survey_answer WHERE date_answered IS NOT NULL AND LOWER(text)"
                           " LIKE '%parcel%'")));
  for (const auto& row : texts)
    EXPECT_THAT(row.at("text").get<std::string>(), has("parcel"));
  // By month, by push, and by two things at once.
  const auto months = asked_for({"--period", "month"});
  EXPECT_EQ(sum_of(months, "period_counts", "invited"), invited);
  EXPECT_EQ(sum_of(months, "period_counts", "finished"), finished);
  EXPECT_GT(out, 0);
  EXPECT_EQ(sum_of(months, "period_counts", "opted_out"), out);
  const auto by_push = asked_for({"--by", "push"});
  EXPECT_EQ(by_push.at("scope").at("segment"), "push");
  EXPECT_EQ(rows_of(by_push, "segment_counts", "name").at("orders").at("transactions"), sent);
  const auto by_both = asked_for({"--by", "push,product"});
  EXPECT_EQ(by_both.at("scope").at("segment"), "push / Product");
  EXPECT_EQ(sum_of(by_both, "segment_counts", "transactions"), sent);
  for (const auto& [name, row] : rows_of(by_both, "segment_counts", "name"))
    EXPECT_TRUE(name.starts_with("orders / ")) << name;
  // A score for each segment.
  int segments = 0;
  for (const auto& table : whole.at("tables")) {
    if (!table.at("id").get<std::string>().starts_with("segments_") ||
        table.value("measure", "response") == "response" ||
        !table.at("caption").get<std::string>().starts_with("Recommend"))
      continue;
    for (const auto& row : table.at("rows")) {
      const auto one = score(" AND d.value = '" + row.at("name").get<std::string>() + "'");
      EXPECT_EQ(row.at("n"), one.n) << row;
      if (one.n == 0) continue;
      ++segments;
      EXPECT_NEAR(row.at("value").get<double>(), one.nps(), 1e-5) << row;
    }
  }
  EXPECT_GT(segments, 1);
  // Fifty days by Amsterdam's clock against the fifty days before them.
  const auto between = [&](const std::string& from, const std::string& to) {
    return score(" AND c.transaction_date >= '" + from + "' AND c.transaction_date < '" + to + "'");
  };
  const auto before = between("2024-12-31T23:00:00", "2025-02-19T23:00:00"),
             now = between("2025-02-19T23:00:00", "2025-04-10T22:00:00");
  const auto changed = support::run(bridge_program(
      {"report", "-c", config_, "--json", "--from", "2025-02-20", "--to", "2025-04-10"}));
  ASSERT_EQ(changed.status, 0) << changed.err;
  const auto change = recommended(json::parse(changed.out));
  ASSERT_GT(now.n * before.n, 0);
  EXPECT_EQ(change.at("n"), now.n);
  EXPECT_EQ(change.at("n_before"), before.n);
  EXPECT_NEAR(change.at("change").get<double>(), now.nps() - before.nps(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportOfAnswers,
                         testing::Values(Server::sqlite, Server::postgresql), server_name);

// Where the database makes no difference to what is proved.
TEST_P(ReportOf, WritesAPageAndTablesAndServesOneWithoutAWordOfACustomer) {
  const auto early = report();
  EXPECT_EQ(early.status, 1);
  EXPECT_THAT(early.err, has("no tables or views for reports yet"));
  pull_everything(60);
  const std::string page = folder_.path() + "/report.html", tables = folder_.path() + "/tables";
  const std::string elsewhere = folder_.write("elsewhere", "as it was");
  fs::create_symlink(elsewhere, page + ".new");
  const auto made = report({"--html", page, "--csv", tables});
  ASSERT_EQ(made.status, 0);
  EXPECT_EQ(made.err, "made the folder \"" + tables + "\"\n");
  EXPECT_EQ(fs::file_size(elsewhere), 9u) << "a link was followed";
  EXPECT_EQ(fs::status(page).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(report({"--csv", tables}).err, "") << "it is there";
  const auto nowhere = report({"--csv", tables + "x/y"});
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_THAT(nowhere.err, has("y\" cannot be made: No such file or directory"));
  const std::string html = support::read_file(page);
  EXPECT_THAT(html, AllOf(has("Recommend"), lacks("parcel was left"))) << "a customer wrote that";
  EXPECT_THAT(private_words_of_report(html), IsEmpty());
  EXPECT_THAT(support::read_file(tables + "/funnel.csv"), has("Finished"));
  EXPECT_THAT(report().out, has("Recommend"));
  const std::string with = folder_.path() + "/texts.html";
  ASSERT_EQ(report({"--html", with, "--texts"}).status, 0);
  EXPECT_THAT(support::read_file(with), has("parcel was left"));
  expect({"report", "--from", "2025-02-30", "--by", "Shop", "--push", "parcels"}, 2, testing::_,
         has("--from must be a day such as 2026-11-23, got \"2025-02-30\"",
             "\"Shop\" is neither \"push\" nor a segment",
             "there is no push \"parcels\" (there are: orders)"));

  const int port = support::free_port();
  Daemon daemon(write(with_page(usual_ + kReport, port, "report = true\n")));
  ASSERT_TRUE(daemon.says("started with"));
  std::string served;
  ASSERT_TRUE(daemon.until([&] {
    served = answer_of(port, "/report?from=2025-01-01&by=product");
    return served.starts_with("HTTP/1.1 200");
  })) << served;
  EXPECT_THAT(served, has("Delivery", "<a href=\"/report?"));
  EXPECT_THAT(private_words_of_report(served), IsEmpty());
  EXPECT_THAT(answer_of(port, "/report?from=yesterday"), has("--from must be a day"));
  EXPECT_THAT(answer_of(port, "/report?texts=1"), testing::StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(answer_of(port, "/"), has("surveybridge"));
  EXPECT_EQ(daemon.stop(), 0);
}

// Rows that the brake holds are not in the ledger: a report that is silent about them says that
// nothing waits.
TEST_P(ReportOf, SaysWhatTheBrakeHolds) {
  const auto expect_held = [&](const std::string& reason) {
    const std::string page = folder_.path() + "/held.html";
    const auto held = asked_for({}).at("held");
    ASSERT_EQ(held.size(), 1U);
    EXPECT_EQ(held.at(0).at("push"), "orders");
    EXPECT_EQ(held.at(0).at("rows"), 7);
    EXPECT_THAT(held.at(0).at("reason").get<std::string>(), has(reason));
    ASSERT_EQ(report({"--html", page}).status, 0);
    EXPECT_THAT(support::read_file(page),
                has("7 rows wait for <code>surveybridge release orders</code>"));
    EXPECT_THAT(report().out, has("The brake holds orders ("));
  };
  crm_.insert(orders(7));
  for (const auto& store : {std::string(), store_in("sqlite3://" + folder_.path() + "/store.db")}) {
    write(replaced(usual_ + kReport, "brake = false\n", "") + store);
    expect({"sync", "pull"}, 0);
    expect_held("no row is confirmed as sent yet");
    command({"sync", "push"});
    expect_held("the first run: up to 7 transactions would go out");
  }
}

INSTANTIATE_TEST_SUITE_P(Database, ReportOf, testing::Values(Server::sqlite), server_name);

}  // namespace
}  // namespace program
