// The SELECTs of docs/REPORTS.md, as they stand there, against sums over the raw tables that this
// test works out by itself.
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/report/report_reading.hpp"
#include "mapping/values/dates.hpp"
#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;
using Row = std::vector<std::string>;

// The statements in the document's blocks of SQL, in their order and without comments.
std::vector<std::string> documented() {
  std::ifstream in(support::source_dir() + "/docs/REPORTS.md");
  std::vector<std::string> statements;
  std::string statement;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = line == "```sql";
    } else if (inside && !line.starts_with("-- ")) {
      const bool is_last = line.ends_with(';');
      statement += line.substr(0, line.size() - (is_last ? 1 : 0)) + "\n";
      if (is_last) statements.push_back(std::exchange(statement, ""));
    }
  }
  return statements;
}

// A sum is an integer in one database and a decimal in the next.
std::string plain(std::string text) {
  constexpr std::string_view kWhole = ".0000";
  if (text.ends_with(kWhole)) text.resize(text.size() - kWhole.size());
  return text;
}

std::string fixed(double number) {
  return plain(fmt::format("{:.4f}", number + 0.0));
}

// What one customer is, from the raw tables alone.
struct Person {
  std::string month, week, branch, key, mail, invited_at;
  bool invited = false, opened = false, begun = false, finished = false, closed = false;
  bool out = false, bounced = false, contact = false, counts = true;
  double hours = -1;
  std::vector<int> scores;
  std::map<std::string, std::string> texts;  // by question
  bool due() const { return old && (finished || !bounced); }
  bool old = false;  // invited two weeks ago, or earlier
};

// Mondays of the autumn of 2026, from the 7th of September on.
std::string week_of(const std::string& day) {
  using namespace std::chrono;
  const year_month_day date{year{std::stoi(day.substr(0, 4))},
                            month{static_cast<unsigned>(std::stoi(day.substr(5, 2)))},
                            std::chrono::day{static_cast<unsigned>(std::stoi(day.substr(8, 2)))}};
  const auto back = (sys_days{date} - sys_days{year{2026} / 9 / 7}) % days{7};
  const year_month_day monday{sys_days{date} - back};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(monday.year()),
                     static_cast<unsigned>(monday.month()), static_cast<unsigned>(monday.day()));
}

double seconds(const std::string& text) {  // of the month, of "2026-11-02T12:00:00"
  return std::stod(text.substr(8, 2)) * 86400 + std::stod(text.substr(11, 2)) * 3600 +
         std::stod(text.substr(14, 2)) * 60 + std::stod(text.substr(17, 2));
}

class DocumentedQuestions : public Reports {
 protected:
  DocumentedQuestions() {
    database.time = day_at(11, 18);
    shape.report.questions = {{{}, 1200, "Recommend", config::Report::Question::Kind::nps, {}, {}}};
  }

  // Customers of eleven weeks in every state that a customer can have.
  void fill() {
    std::vector<Told> all;
    std::vector<mapping::Record> bouncers;
    for (int n = 0; n < 330; ++n) {
      const Instant date = day_at(9, 7) + 24h * (n % 70);
      Told told{1000 + n, date, "A" + std::to_string(n),
                n % 3 == 0   ? "South"
                : n % 3 == 1 ? "North"
                             : ""};
      if (n % 11 != 0) told.invited = date + 1h;
      if (n % 11 != 0 && n % 4 != 3) told.opened = date + 2h;
      if (told.opened && n % 2 == 0) {
        told.finished = date + 3h + 1min * n;
        told.answers = {
            {1200, n * n % 11, n % 7 == 0 ? "Delivery was late" : "", *told.finished},
            {1200, 1, "pushed", {}},
            {1300, {}, n % 5 == 0 ? "the delivery, fine" : "ok", *told.finished, "Why?"}};
      }
      if (n % 13 == 1) told.closed = date + 48h;
      if (n % 17 == 1) told.opted_out = date + 5h;
      told.test = n % 23 == 5;
      told.second = n % 29 == 6;
      told.contact = n % 19 == 0;
      if (n % 31 == 9)
        bouncers.push_back(bouncer_of(told.key,
                                      n % 2 == 0 ? "550 5.1.1 no such user" : "mailbox full",
                                      date + 1h, "x@mail.example"));
      all.push_back(told);
    }
    save(all);
    save(mapping::bouncer(), bouncers);
    Ledger ledger(database);
    for (int n = 0; n < 9; ++n) {
      ledger.set_aside("orders", n % 3 == 0 ? State::quarantined : State::suppressed,
                       {{"S" + std::to_string(n), "reason"}});
    }
    people_ = people();
  }

  // From survey_customer, survey_answer and the rest, without the tables for reports.
  std::map<std::string, Person> people() {
    std::map<std::string, Person> all;
    const std::string two_weeks_ago =  // by this machine's clock, as the views go by it
        mapping::write_instant(std::chrono::time_point_cast<Instant::duration>(
            std::chrono::system_clock::now() - std::chrono::days{14}));
    for (const auto& row :
         read(R"(SELECT "id", "transaction_date", "date_invited", "open_date",)"
              R"( "survey_finished_date", "survey_closed_date", "opted_out", "batch_is_test",)"
              R"( "is_second_feed_back", "is_contact_requested" FROM "survey_customer")")) {
      Person& one = all[row[0]];
      one.week = week_of(row[1].substr(0, 10));
      one.month = row[1].substr(0, 7) + "-01";
      one.invited = row[2] != "-";
      one.invited_at = row[2];
      one.old = one.invited && row[2] < two_weeks_ago;
      one.finished = row[4] != "-";
      one.opened = row[3] != "-" || one.finished;
      one.begun = one.finished;
      one.closed = row[5] != "-";
      one.out = row[6] == "1";
      one.counts = row[7] != "1" && row[8] != "1";
      one.contact = row[9] == "1";
      if (one.finished && one.invited) one.hours = (seconds(row[4]) - seconds(row[2])) / 3600;
    }
    for (const auto& row :
         read(R"(SELECT "customer_id", "name", "value" FROM "survey_customer_data")"))
      (row[1] == "Branch" ? all[row[0]].branch : all[row[0]].key) = row[2];
    std::set<std::string> bounced;
    for (const auto& row : read(R"(SELECT "value" FROM "survey_bouncer_data")"))
      bounced.insert(row[0]);
    for (auto& [id, one] : all)
      one.bounced = bounced.contains(one.key);
    for (
        const auto& row : read(
            R"(SELECT a."customer_id", a."base_question_id", p."value", a."text", a."date_answered")"
            R"( FROM "survey_answer" a LEFT JOIN "survey_answer_scale_position" p)"
            R"( ON p."customer_id" = a."customer_id" AND p."answer_position" = a."position")")) {
      if (row[4] == "-") continue;
      if (row[1] == "1200") all[row[0]].scores.push_back(std::stoi(row[2]));
      if (row[3] != "-") all[row[0]].texts[row[1] == "1200" ? "Recommend" : "Why?"] = row[3];
    }
    std::erase_if(all, [](const auto& each) { return !each.second.counts; });
    return all;
  }

  struct Nps {
    int n = 0, up = 0, down = 0;
    void add(int score) {
      ++n;
      up += score >= 9 ? 1 : 0;
      down += score <= 6 ? 1 : 0;
    }
    double score() const { return 100.0 * (up - down) / n; }
    std::pair<double, double> interval() const {
      const double more = n + 3, p = (up + 0.75) / more, q = (down + 0.75) / more;
      const double half = 1.959963985 * std::sqrt((p + q - (p - q) * (p - q)) / more);
      return {100 * (p - q - half), 100 * (p - q + half)};
    }
  };
  std::map<std::string, Nps> by(std::string Person::*what) {
    std::map<std::string, Nps> all;
    for (const auto& [id, one] : people_) {
      for (const int score : one.scores)
        all[one.*what].add(score);
    }
    return all;
  }
  Texts answer(std::size_t number) {
    Texts all = read(documented().at(number - 1));
    for (auto& row : all) {
      for (auto& cell : row)
        cell = plain(std::move(cell));
    }
    return all;
  }

  // What each of them answers.
  // The weeks in which nobody was invited are there for the transactions that were never sent.
  void response_by_week() {
    std::map<std::string, std::pair<int, int>> due = {{"2026-11-16", {}}};
    for (const auto& [id, one] : people_) {
      due[one.week].first += one.due() ? 1 : 0;
      due[one.week].second += one.due() && one.finished ? 1 : 0;
    }
    Texts expected;
    for (const auto& [week, of] : due)
      expected.push_back({week, std::to_string(of.first), std::to_string(of.second),
                          of.first == 0 ? "-" : fixed(100.0 * of.second / of.first)});
    EXPECT_EQ(answer(1), expected);
  }
  void net_promoter_score() {
    Texts expected;
    for (const auto& [month, nps] : by(&Person::month))
      expected.push_back({month, std::to_string(nps.n), fixed(nps.score()),
                          fixed(nps.interval().first), fixed(nps.interval().second)});
    EXPECT_EQ(answer(2), expected);
  }
  void score_by_branch() {
    Texts expected;
    for (const auto& [branch, nps] : by(&Person::branch))
      expected.push_back({branch, std::to_string(nps.n), fixed(nps.score())});
    EXPECT_EQ(answer(3), expected);
  }
  void time_to_answer() {
    int answers = 0;
    double hours = 0;
    for (const auto& [id, one] : people_) {
      if (one.hours < 0) continue;
      ++answers;
      hours += one.hours;
    }
    const Texts time = answer(4);
    ASSERT_EQ(time.size(), 1u);
    EXPECT_EQ(time[0][0], std::to_string(answers));
    EXPECT_NEAR(std::stod(time[0][1]), hours / answers, 1e-3);
    // As the command asks it.
    const auto told = ReportReading(database, shape, "").answer_time({"2026-01-01", "2026-12-31"});
    EXPECT_EQ(told.answers, answers);
    EXPECT_NEAR(static_cast<double>(told.seconds) / 3600 / answers, hours / answers, 1e-3);
  }
  void bounces() {
    std::map<std::string, int> kinds;
    for (const auto& row : read(R"(SELECT "reason" FROM "survey_bouncer")"))
      ++kinds[row[0].starts_with("550") ? "hard" : "soft"];
    EXPECT_EQ(kinds.size(), 2u);
    Texts expected;
    for (const auto& [kind, number] : kinds)
      expected.push_back({kind, "mail.example", std::to_string(number)});
    EXPECT_EQ(answer(5), expected);
  }
  void opt_outs() {
    std::map<std::string, std::pair<int, int>> out;
    for (const auto& [id, one] : people_) {
      out[one.month].first += one.invited ? 1 : 0;
      out[one.month].second += one.out ? 1 : 0;
    }
    Texts expected;
    for (const auto& [month, of] : out)
      expected.push_back({month, std::to_string(of.first), std::to_string(of.second)});
    EXPECT_EQ(answer(6), expected);
  }
  void who_waits_to_be_contacted() {
    std::vector<std::string> waiting, told;
    for (const auto& [id, one] : people_) {
      if (one.contact) waiting.push_back(id);
    }
    for (const auto& row : answer(7))
      told.push_back(row[0]);
    EXPECT_FALSE(waiting.empty());
    EXPECT_EQ(told, waiting);
  }
  void funnel() {
    std::array<int, 5> steps{};
    for (const auto& [id, one] : people_) {
      const std::array reached = {true, one.invited, one.opened, one.begun, one.finished};
      for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] += reached[i] ? 1 : 0;
    }
    Row expected = {std::to_string(steps[0] + 9), "6", "3"};
    for (const int step : steps)
      expected.push_back(std::to_string(step));
    EXPECT_EQ(answer(8), Texts{expected});
  }
  void what_customers_wrote() {
    Texts expected;
    for (const auto& [id, one] : people_) {
      for (const auto& [question, text] : one.texts) {
        if (text.find("elivery") != std::string::npos) expected.push_back({id, question, text});
      }
    }
    EXPECT_GT(expected.size(), 10u);
    EXPECT_EQ(answer(9), expected);
    const auto told =
        ReportReading(database, shape, "").texts({"2026-01-01", "2026-12-31"}, 1000, "DELIVERY");
    EXPECT_EQ(told.size(), expected.size()) << "as the command asks it";
    EXPECT_EQ(
        ReportReading(database, shape, "").texts({"2026-01-01", "2026-12-31"}, 9, "_e%").size(),
        0u);
  }
  void change_against_the_month_before() {
    std::vector<std::pair<std::string, Nps>> months;
    for (const auto& each : by(&Person::month))
      months.push_back(each);
    const Texts changes = answer(10);
    ASSERT_EQ(changes.size() + 1, months.size());
    for (std::size_t i = 1; i < months.size(); ++i) {
      const auto &now = months[i].second, &before = months[i - 1].second;
      const bool apart = now.interval().first > before.interval().second ||
                         now.interval().second < before.interval().first;
      EXPECT_EQ(changes[i - 1][0], months[i].first);
      EXPECT_NEAR(std::stod(changes[i - 1][1]), now.score() - before.score(), 1e-3);
      EXPECT_EQ(changes[i - 1][2], apart ? "1" : "0");
    }
  }
  // One mail goes out on Monday by Amsterdam's clock, an hour after a transaction of Sunday.
  void who_was_mailed_by_week() {
    save({{5000, day_at(11, 8, 22), "late", "South", day_at(11, 8, 23)}});
    std::map<std::string, int> mailed = {{"2026-11-09", 1}};
    for (const auto& [id, one] : people_) {
      if (one.invited) ++mailed[week_of(one.invited_at.substr(0, 10))];
    }
    Texts expected;
    for (const auto& [week, number] : mailed)
      expected.push_back({week, std::to_string(number)});
    EXPECT_EQ(answer(11), expected);
  }
  void what_was_left_out() {
    Texts expected;
    for (int n = 0; n < 9; ++n)
      expected.push_back(
          {"orders", "S" + std::to_string(n), n % 3 == 0 ? "quarantined" : "suppressed", "reason"});
    EXPECT_EQ(answer(12), expected);
  }

  std::map<std::string, Person> people_;
};

TEST(DocumentedTexts, AreTwelveAndOneAsItStood) {
  EXPECT_EQ(documented().size(), 13u);
  for (const auto& text : documented()) {
    EXPECT_LE(std::ranges::count(text, '\n'), 5) << text;
    EXPECT_THAT(text, testing::StartsWith("SELECT ")) << "one statement";
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(";")));
  }
}

TEST_P(DocumentedQuestions, HaveTheAnswersOfTheRawTables) {
  fill();
  EXPECT_GT(people_.size(), 300u);
  response_by_week();
  net_promoter_score();
  score_by_branch();
  time_to_answer();
  bounces();
  opt_outs();
  who_waits_to_be_contacted();
  funnel();
  what_customers_wrote();
  change_against_the_month_before();
  what_was_left_out();
  who_was_mailed_by_week();
}

// What was pulled before the day, by the raw tables as they were then; later pages change it.
TEST_P(DocumentedQuestions, ThirteenIsTheResponseAsItStood) {
  database.time = day_at(11, 15);
  fill();
  int due = 0, answered = 0;
  for (const auto& [id, one] : people_) {
    if (!one.invited || (one.bounced && !one.finished) || one.invited_at >= "2026-11-02") continue;
    ++due;
    answered += one.finished ? 1 : 0;
  }
  EXPECT_GT(due - answered, 50);
  EXPECT_GT(answered, 50);
  const Texts then = {{std::to_string(due), std::to_string(answered)}};
  EXPECT_EQ(answer(13), then);
  database.time = day_at(11, 17);
  std::vector<Told> later;
  for (int n = 0; n < 330; ++n) {
    const Instant date = day_at(9, 7) + 24h * (n % 70);
    const bool same = n % 11 != 0 && n % 23 != 5 && n % 29 != 6;  // but for the answer
    if (n % 2 == 1 && same) later.push_back(finished(1000 + n, date, "South", 9));
  }
  save(later);
  EXPECT_EQ(answer(13), then) << "what came later is shown";
}

INSTANTIATE_TEST_SUITE_P(Databases, DocumentedQuestions, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
