// What the lines and columns of views and reports are made of: names, texts that a collation takes
// for the same, each transaction of the ledger once, years far from Greenwich, people who are
// forgotten.
#include <map>

#include <gmock/gmock.h>

#include "connectors/crm/erasure/forget.hpp"
#include "connectors/crm/ledger/ledger.hpp"
#include "connectors/crm/report/report_reading.hpp"
#include "connectors/crm/report/report_sql.hpp"
#include "connectors/crm/rows/put_rows.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/forwarding_database.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

class ColumnsOfReports : public Reports {};

TEST_P(ColumnsOfReports, TakeEveryNameForAColumn) {
  std::vector<mapping::Record> columns = {data_column_of(1, "Order"),
                                          data_column_of(2, "Branch"),
                                          data_column_of(3, "\"; DROP TABLE survey_push; --"),
                                          data_column_of(4, "order"),
                                          data_column_of(5, "a:b ? $1 {text} 'x' \\ `y` ]"),
                                          data_column_of(6, "KEY"),
                                          data_column_of(7, "  "),
                                          data_column_of(8, std::string(300, 'x')),
                                          data_column_of(9, "caf\u00e9"),
                                          data_column_of(10, "CAFE"),
                                          data_column_of(11, "smile \U0001F600"),
                                          data_column_of(12, "line\nbreak")};
  for (std::int64_t id = 13; id <= 300; ++id)
    columns.push_back(data_column_of(id, "Column " + std::to_string(id)));
  save(mapping::data_column(), columns);
  shape.report.questions = {
      {{}, 1200, "\"';--\U0001F600", config::Report::Question::Kind::mean, {}, {}}};
  Told told = finished(1, kFirst, "", 9);
  told.answers = {{1200, 9, "first", kFirst}, {1200, 4, "second", kFirst}};
  mapping::Record record = record_of(told);
  auto& data = record.at("Data").records;
  for (std::int64_t id = 3; id <= 300; ++id) {
    data.push_back(data.front());
    data.back().set("CustomerDataColumnId", id);
    data.back().set("Value", "v" + std::to_string(id));
  }
  save(mapping::customer(), {record});
  const auto found = database.query({"SELECT * FROM survey_report_customer", {}});
  std::map<std::string, std::string> cells;
  for (std::size_t i = 0; i < found.columns.size(); ++i)
    if (const auto* text = std::get_if<std::string>(&found.rows.at(0).at(i)); true)
      cells[found.columns[i].name] = text ? *text : "";
  EXPECT_EQ(cells.size(), found.columns.size()) << "each name is there once";
  for (const char* name :
       {"Order", "Branch", "\"; DROP TABLE survey_push; --", "order 2",
        "a:b ? $1 {text} 'x' \\ `y` ]", "KEY 2", "column 7", "caf\u00e9", "CAFE 2", "smile _",
        "line_break", "Column 300", "\"';--_", "\"';--_ 2", "\"';--_ text", "\"';--_ 2 text"}) {
    EXPECT_TRUE(cells.contains(name)) << name;
  }
  EXPECT_EQ(cells["\"; DROP TABLE survey_push; --"], "v3");
  EXPECT_EQ(cells["order 2"], "v4");
  EXPECT_EQ(cells["smile _"], "v11");
  EXPECT_EQ(cells["\"';--_ text"], "first");
  EXPECT_EQ(cells["\"';--_ 2 text"], "second");
}

TEST_P(ColumnsOfReports, OnlyGetMoreColumns) {
  save({finished(1, kFirst, "South", 9)});
  const auto names = [&] {
    std::vector<std::string> all;
    for (const auto& column : database.query({"SELECT * FROM survey_report_customer", {}}).columns)
      all.push_back(column.name);
    return all;
  };
  const auto before = names();
  save(mapping::data_column(), {data_column_of(1, "Order number"), data_column_of(2, "Branch"),
                                data_column_of(3, "Amount")});
  Told told = finished(2, kFirst, "South", 9);
  told.answers.push_back({1300, 4, "", kFirst, "Clean?"});
  save({told});
  const auto after = names();
  ASSERT_GT(after.size(), before.size());
  EXPECT_EQ(std::vector<std::string>(after.begin(),
                                     after.begin() + static_cast<std::ptrdiff_t>(before.size())),
            before);
  expect(R"(SELECT "How likely?", "Clean?", "Order" FROM "survey_report_customer")"
         R"( ORDER BY "customer_id")",
         {{"9", "-", "A1"}, {"9", "4", "A2"}});
}

TEST_P(ColumnsOfReports, HideAColumn) {
  save({finished(1, kFirst, "South", 9)});
  shape.report.hidden = {"order"};
  save({finished(2, kFirst, "South", 9)});
  for (const auto& column : database.query({"SELECT * FROM survey_report_customer", {}}).columns)
    EXPECT_NE(column.name, "Order");
}

TEST_P(ColumnsOfReports, KnowTheQuestions) {
  Told told = finished(1, kFirst, "", 9);
  told.answers.push_back({1300, {}, "words", kFirst + 3h, "Why?"});
  save({told, finished(2, kSecond, "", 4)});
  expect(R"(SELECT "id", "words", "kind", "low", "high", "first_seen" FROM "survey_question")"
         R"( ORDER BY "id")",
         {{"1200", "How likely?", "scale", "4", "9", "2026-11-02T15:00:00"},
          {"1300", "Why?", "text", "-", "-", "2026-11-02T15:00:00"}});
}

// The database gives the page up after its questions were written.
TEST_P(ColumnsOfReports, KnowTheQuestionsOfAPageThatIsStoredOnceMore) {
  bool refuses = false;
  support::LookedAtDatabase interrupted(database, [&](const std::string& sql) {
    if (refuses && sql.find("survey_cursor") != std::string::npos)
      throw DatabaseError(DatabaseError::Kind::busy, "a deadlock");
  });
  PullStore store(interrupted, mapping::customer(), {}, "UTC", shape);
  const StoredWalk walk{"list", "walk", {}, {}, "next", {}, 1, 0, {}, ""};
  store.save({record_of(finished(1, kFirst, "", 9))}, walk, std::nullopt);
  Told told = finished(2, kFirst, "", 9);
  told.answers.push_back({1300, {}, "words", kFirst + 3h, "Why?"});
  refuses = true;
  EXPECT_THROW(store.save({record_of(told)}, walk, std::nullopt), DatabaseError);
  refuses = false;
  store.save({record_of(told)}, walk, std::nullopt);
  expect(R"(SELECT "id", "words" FROM "survey_question" ORDER BY "id")",
         {{"1200", "How likely?"}, {"1300", "Why?"}});
}

// A customer of somebody else, with a value where our keys are.
TEST_P(ColumnsOfReports, TakeAValueThatIsNoKeyOfOurs) {
  Told told = finished(1, kFirst, "South", 9);
  told.key = std::string(5000, 'k');
  save({told});
  expect(R"(SELECT "push", "key", "stage" FROM "survey_report_customer")", {{"", "-", "finished"}});
}

TEST_P(ColumnsOfReports, LeaveAWildScoreOut) {
  save({finished(1, kFirst, "", 9), finished(2, kFirst, "", INT64_MAX),
        finished(3, kFirst, "", INT64_MIN)});
  expect_by("week", R"(SELECT "n", "mean" FROM "survey_report_score")", {{"1", "9.0000"}});
}

TEST_P(ColumnsOfReports, HaveTheWordsOfAQuestionInTheLanguageOfItsReader) {
  const auto told = [&](std::int64_t id, const std::string& language, const std::string& words) {
    auto one = finished(id, kFirst, "Nord", 9);
    one.language = language;
    one.answers.front().words = words;
    return one;
  };
  const auto expect_words = [&](const std::string& words) {
    EXPECT_EQ(ReportReading(database, shape, "").questions().front().text, words);
  };
  save({told(1, "de", "Wie wahrscheinlich?"), told(2, "nl", "Hoe waarschijnlijk?"),
        told(3, "de", "Wie wahrscheinlich?")});
  expect_words("Wie wahrscheinlich?");
  save({told(4, "nl", "Hoe waarschijnlijk?")});
  expect_words("Wie wahrscheinlich?");
  save({told(5, "nl", "Hoe waarschijnlijk?")});
  expect_words("Hoe waarschijnlijk?");
  shape.report.language = "DE";
  save({});
  expect_words("Wie wahrscheinlich?");
  save({told(6, "nl", "Hoe waarschijnlijk?"), told(7, "de", "Wie wahrscheinlich ist es?"),
        told(8, "nl", "Hoe waarschijnlijk?")});
  expect_words("Wie wahrscheinlich ist es?");
  shape.report.language = "fr";
  save({told(9, "en", "How likely?")});
  expect_words("Hoe waarschijnlijk?");
  shape.report.language = "en";
  save({});
  expect_words("How likely?");
}

TEST_P(ColumnsOfReports, CountAnswersByLanguageNowAndThen) {
  auto store = new_store();
  const auto add = [&](std::int64_t from, int number) {
    std::vector<mapping::Record> records;
    for (int i = 0; i < number; ++i) {
      auto one = finished(from + i, kFirst, "Nord", 9);
      one.language = "nl";
      records.push_back(record_of(one));
    }
    page(store, records);
  };
  const auto expect_answers = [&](const std::string& answers) {
    expect(R"(SELECT "id", "language", "words", "answers" FROM "survey_question_text")",
           {{"1200", "nl", "How likely?", answers}});
  };
  add(1, 31);
  expect_answers("31");
  add(32, 1);
  expect_answers("31");
  add(33, 1);
  expect_answers("33");
}

TEST_P(ColumnsOfReports, KeepOnlySoManyLanguagesOfAQuestion) {
  std::vector<Told> all;
  for (int i = 0; i < 60; ++i) {
    all.push_back(finished(i + 1, kFirst, "Nord", 9));
    all.back().language = "language " + std::to_string(i) + std::string(300, 'x');
  }
  save(all);
  EXPECT_EQ(number_in(database, "SELECT COUNT(*) FROM survey_question_text"), 50);
}

INSTANTIATE_TEST_SUITE_P(Databases, ColumnsOfReports, every_database(), server_name);

class GroupsOfReports : public Reports {
 protected:
  static constexpr DayRange kYear{"2026-01-01", "2026-12-31"};
};

TEST_P(GroupsOfReports, TellSegmentsApartByEachLetter) {
  std::int64_t id = 0;
  for (const char* branch : {"Köln", "Köln", "Köln", "KÖLN", "KÖLN", "Koln", "köln", "Köln "})
    save({finished(++id, kFirst, branch, 9)});
  const Texts expected = {
      {"Koln", "1"}, {"KÖLN", "2"}, {"Köln", "3"}, {"Köln ", "1"}, {"köln", "1"}};
  const auto from = [](const char* of) {
    return std::string(of) + R"( WHERE "period" = 'month' AND "segment" = 'Branch')";
  };
  EXPECT_THAT(read(from(R"(SELECT "segment_value", "transactions" FROM "survey_report_funnel")")),
              testing::UnorderedElementsAreArray(expected));
  EXPECT_THAT(read(from(R"(SELECT "segment_value", "n" FROM "survey_report_score")")),
              testing::UnorderedElementsAreArray(expected));
  EXPECT_THAT(read(from(R"(SELECT "segment_value", "n" FROM "survey_report_distribution")")),
              testing::UnorderedElementsAreArray(expected));
  Texts lines;
  for (const auto& line : ReportReading(database, shape, "").lines(kYear, {GroupBy::What::segment}))
    lines.push_back({line.name, std::to_string(line.funnel.finished)});
  EXPECT_EQ(lines, expected) << "in the order of their bytes";
}

TEST_P(GroupsOfReports, TellReasonsAndDomainsApartByEachLetter) {
  save({{1, kFirst, "A1", "", kFirst + 1h}});
  save(mapping::bouncer(), {bouncer_of("A1", "550 no", kFirst, "a@köln.example"),
                            bouncer_of("A2", "550 no", kFirst, "b@koln.example")});
  Ledger(database).set_aside("orders", State::quarantined,
                             {{"A8", "a value: Köln"}, {"A9", "a value: KÖLN"}});
  expect(R"(SELECT "mail_domain", "n" FROM "survey_report_bounce" WHERE "period" = 'week')"
         R"( ORDER BY "mail_domain")",
         {{"koln.example", "1"}, {"köln.example", "1"}});
  ReportReading reading(database, shape, "");
  EXPECT_EQ(reading.bounces(kYear).size(), 2u);
  EXPECT_EQ(reading.reasons(kYear, State::quarantined).size(), 2u);
}

// What has no customer has no segment: it is not taken for a customer without a value.
TEST_P(GroupsOfReports, TellWhatHasNoCustomerFromACustomerWithoutAValue) {
  Ledger ledger(database);
  ledger.set_aside("orders", State::suppressed, {{"A8", "opted out"}, {"A9", "opted out"}});
  save({finished(1, kFirst, "", 9), finished(2, kFirst, "Nord", 9)});
  Texts lines;
  for (const auto& line : ReportReading(database, shape, "").lines(kYear, {GroupBy::What::segment}))
    lines.push_back(
        {line.known ? "known" : "not known", line.name, std::to_string(line.funnel.transactions)});
  EXPECT_EQ(lines, (Texts{{"not known", "", "2"}, {"known", "", "1"}, {"known", "Nord", "1"}}));
  const auto all = ReportReading(database, shape, "").lines(kYear, {});
  ASSERT_EQ(all.size(), 1u) << "one line where there are no segments";
  EXPECT_EQ(all.front().funnel.transactions, 4);
}

TEST_P(GroupsOfReports, PartByLanguageAndByTwoThingsAtOnce) {
  Ledger(database).set_aside("orders", State::suppressed, {{"A9", "opted out"}});
  std::int64_t id = 0;
  for (const auto& [branch, language] : std::vector<std::pair<const char*, const char*>>{
           {"Nord", "nl"}, {"Nord", "nl"}, {"Nord", "de"}, {"", "de"}, {"Nord", ""}}) {
    auto told = finished(++id, kFirst, branch, 9);
    told.language = language;
    save({told});
  }
  ReportReading reading(database, shape, "");
  const auto told = [](const std::vector<CountedLine>& lines) {
    Texts texts;
    for (const auto& line : lines) {
      std::int64_t answers = 0;
      for (const auto& scores : line.scores)
        for (const auto& [score, number] : scores)
          answers += number;
      texts.push_back({line.known ? "known" : "not known", line.name, line.second.value_or("-"),
                       std::to_string(line.funnel.transactions), std::to_string(answers)});
    }
    return texts;
  };
  EXPECT_EQ(told(reading.lines(kYear, {GroupBy::What::language})),
            (Texts{{"not known", "", "-", "1", "0"},
                   {"known", "", "-", "1", "1"},
                   {"known", "de", "-", "2", "2"},
                   {"known", "nl", "-", "2", "2"}}));
  EXPECT_EQ(told(reading.lines(kYear, {GroupBy::What::language}, {GroupBy::What::segment})),
            (Texts{{"not known", "", "", "1", "0"},
                   {"known", "", "Nord", "1", "1"},
                   {"known", "de", "", "1", "1"},
                   {"known", "de", "Nord", "1", "1"},
                   {"known", "nl", "Nord", "2", "2"}}));
  const auto by_push = told(reading.lines(kYear, {GroupBy::What::push}, {GroupBy::What::segment}));
  EXPECT_THAT(by_push, testing::Contains(Texts::value_type{"not known", "orders", "", "1", "0"}));
}

TEST_P(GroupsOfReports, HaveTheTextsOfDetractorsFirst) {
  auto& question = shape.report.questions.emplace_back();
  question.id = 1200;
  question.kind = config::Report::Question::Kind::nps;
  std::int64_t id = 0;
  for (const std::int64_t score : {10, 6, 0, 7}) {
    auto told = finished(++id, kFirst + 1h * id, "Nord", score);
    told.answers.push_back({1300, {}, std::to_string(score), *told.finished, "Why?"});
    save({told});
  }
  Texts texts;
  for (const auto& text : ReportReading(database, shape, "").texts(kYear, 3))
    texts.push_back({text.text, std::to_string(text.recommends.value_or(-1))});
  EXPECT_EQ(texts, (Texts{{"0", "0"}, {"6", "6"}, {"7", "7"}}));
}

// The views count those on the scale; a report says how many are beside it.
TEST_P(GroupsOfReports, HaveTheAnswersBesideTheScale) {
  shape.report.questions = {{{}, 1200, "Satisfied", config::Report::Question::Kind::csat, {}, {}}};
  std::int64_t id = 0;
  for (const std::int64_t score : {10, 10, 5, 0})
    save({finished(++id, kFirst, "", score)});
  const auto lines = ReportReading(database, shape, "").lines(kYear, {});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines.front().scores,
              testing::ElementsAre(mapping::Distribution{{0, 1}, {5, 1}, {10, 2}}));
  expect_by("month", R"(SELECT "n", "mean" FROM "survey_report_score")", {{"1", "5.0000"}});
  expect_by("month", R"(SELECT "score", "n" FROM "survey_report_distribution")", {{"5", "1"}});
}

TEST_P(GroupsOfReports, CountTheAnswersThatAreEncrypted) {
  auto told = finished(1, kFirst, "Nord", 9);
  told.answers.push_back({1300, {}, "x7f", kFirst + 3h, "Why?", true});
  told.answers.push_back({1301, {}, "fine", kFirst + 3h, "What else?"});
  told.answers.push_back({1302, {}, "x7f", {}, "Pushed", true});
  save({told});
  ReportReading reading(database, shape, "");
  EXPECT_EQ(reading.encrypted(kYear), 1);
  EXPECT_EQ(reading.encrypted({"2026-12-01", "2026-12-31"}), 0);
  EXPECT_EQ(reading.texts(kYear, 50).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Databases, GroupsOfReports, every_database(), server_name);

class LedgerInReports : public Reports {
 protected:
  static constexpr DayRange kYear{"2026-01-01", "2026-12-31"};
  static constexpr std::array kStates = {State::pending,    State::claimed, State::sent,
                                         State::in_doubt,   State::held,    State::suppressed,
                                         State::quarantined};

  // A row of the ledger, with its customer's number where the ledger knows it.
  void put_row(const std::string& key, State state, std::optional<std::int64_t> customer,
               bool test = false) {
    run_statement(database,
                  R"(INSERT INTO "survey_push" ("push", "key", "state", "attempts",)"
                  R"( "customer_id", "test", "seen_at", "changed_at") VALUES ({key}, {key},)"
                  R"( {key}, {integer}, {integer}, {boolean}, {instant}, {instant}))",
                  {"orders", key, to_string(state), std::int64_t{1},
                   customer ? Value{*customer} : Value{mapping::Null{}}, test, kFirst, kFirst});
  }
  // What a report and the view count: all, suppressed, quarantined, waiting, in doubt, sent.
  Texts counted() {
    const auto lines = ReportReading(database, shape, "").lines(kYear, {});
    Texts all;
    for (const auto& line : lines) {
      const auto& of = line.funnel;
      all.emplace_back();
      for (const auto number :
           {of.transactions, of.suppressed, of.quarantined, of.waiting, of.in_doubt, of.sent})
        all.back().push_back(std::to_string(number));
    }
    const Texts view =
        read(R"(SELECT SUM("transactions"), SUM("suppressed"), SUM("quarantined"), SUM("waiting"),)"
             R"( SUM("in_doubt"), SUM("sent") FROM "survey_report_funnel" WHERE "period" = 'month')"
             R"( AND "segment" = 'all')");
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_EQ(std::stod(view.at(0).at(i)), std::stod(all.at(0).at(i))) << i;
    return all;
  }
};

TEST_P(LedgerInReports, CountATransactionWhoseCustomerIsNotPulledYet) {
  save(std::vector<Told>{});
  std::int64_t id = 0;
  for (const auto state : kStates) {
    const std::string name = to_string(state);
    put_row(name + " 1", state, std::nullopt);
    put_row(name + " 2", state, ++id);
    put_row(name + " 3", state, ++id, true);  // a test
  }
  EXPECT_EQ(counted(), (Texts{{"14", "2", "2", "2", "6", "2"}}));
}

// A customer counts as sent, whatever the ledger has thought so far.
TEST_P(LedgerInReports, CountATransactionOnceWhoseCustomerIsPulled) {
  std::vector<Told> customers;
  std::int64_t id = 0;
  for (const auto state : kStates) {
    const std::string name = to_string(state);
    put_row(name + " 1", state, std::nullopt);
    customers.push_back({++id, kFirst, name + " 1"});
    put_row(name + " 2", state, ++id);
    customers.push_back({id, kFirst, name + " 2"});
    put_row(name + " 3", state, ++id);
    customers.push_back({id, kFirst, ""});  // its data has no key
  }
  save(customers);
  EXPECT_EQ(counted(), (Texts{{"21", "0", "0", "0", "0", "21"}}));
}

// Its second feedback is there, and the customer itself is not: pulled later, or removed.
TEST_P(LedgerInReports, CountATransactionOfWhichOnlySecondFeedbackIsPulled) {
  std::vector<Told> customers;
  std::int64_t id = 100;
  for (const auto state : kStates) {
    const std::string name = to_string(state);
    put_row(name + " 1", state, std::nullopt);
    put_row(name + " 2", state, ++id);
    for (const char* number : {" 1", " 2"}) {
      customers.push_back({++id, kFirst, name + number});
      customers.back().second = true;
    }
  }
  save(customers);
  EXPECT_EQ(counted(), (Texts{{"14", "2", "2", "2", "6", "2"}}));
}

// After an outage: the read-back has found the row, and no page of customers has come since.
TEST_P(LedgerInReports, CountWhatTheReadBackHasFound) {
  save(std::vector<Told>{});
  Ledger ledger(database);
  ledger.claim({"b1", "orders", "one"}, {{"A1", "jo1@mail.example", kFirst}});
  ledger.settle("orders", "b1", {Outcome::unknown, 0, "no answer"}, {{"A1", State::in_doubt, ""}});
  EXPECT_EQ(counted(), (Texts{{"1", "0", "0", "0", "1", "0"}}));
  ledger.resolve("orders", {{"A1", State::sent, "found", 7}});
  EXPECT_EQ(counted(), (Texts{{"1", "0", "0", "0", "0", "1"}}));
  save({{7, kFirst, "A1"}});
  EXPECT_EQ(counted(), (Texts{{"1", "0", "0", "0", "0", "1"}}));
}

TEST_P(LedgerInReports, CountWhatASampleAndAQuotaLeaveOut) {
  save(std::vector<Told>{});
  Ledger(database).set_aside("orders", State::suppressed,
                             {{"A1", std::string(kNotDrawn) + " (sample)"},
                              {"A2", std::string(kNotDrawn) + " (sample)"},
                              {"A3", std::string(kOverQuota) + ": 3 a week for each \"branch\""},
                              {"A4", "opted out"}});
  run_statement(database, R"(UPDATE "survey_push" SET "seen_at" = {instant})", {kFirst});
  const auto funnel = ReportReading(database, shape, "").lines(kYear, {}).at(0).funnel;
  EXPECT_EQ(funnel.suppressed, 4);
  EXPECT_EQ(funnel.not_drawn, 2);
  EXPECT_EQ(funnel.over_quota, 1);
  expect_by("month",
            R"(SELECT "suppressed", "not_drawn", "over_quota" FROM "survey_report_funnel")",
            {{"4", "2", "1"}});
}

TEST_P(LedgerInReports, TellApartWhyACustomerHasNoInvitation) {
  put_row("A0", State::sent, 70);  // not pulled
  Told closed{1, kFirst, "A1"}, out{2, kFirst, "A2"}, mailed = finished(3, kFirst, "", 9);
  closed.closed = kFirst + 48h;
  out.opted_out = kFirst + 1h;
  Told late = finished(5, kFirst, "", 9);  // by a link, without a mail
  late.invited = {};
  Told over{6, kFirst, "A6", "", kFirst + 1h};  // invited, then closed
  over.closed = kFirst + 48h;
  save({closed, out, mailed, {4, kFirst, "A4"}, late, over});
  ReportReading reading(database, shape, "");
  const auto funnel = reading.lines(kYear, {}).at(0).funnel;
  EXPECT_EQ(funnel.sent, 7);
  EXPECT_EQ(funnel.unlisted, 1);
  EXPECT_EQ(funnel.never_invited, 3);
  EXPECT_EQ(funnel.invited, 2);
  expect_by("month",
            R"(SELECT "sent", "invited", "never_invited", "unlisted" FROM "survey_report_funnel")",
            {{"7", "2", "3", "1"}});
}

TEST_P(LedgerInReports, CountTheStatusesOfCustomersWithoutAnInvitation) {
  std::vector<mapping::Record> customers;
  const auto told = [&](std::int64_t id, std::int64_t code, const std::string& name) {
    auto customer = record_of({id, kFirst, "A" + std::to_string(id)});
    auto& status =
        customer.at("Status").records.emplace_back(*customer.resource->find("Status")->of);
    status.set("StatusCode", code);
    if (!name.empty()) status.set("StatusName", name);
    customers.push_back(std::move(customer));
  };
  told(1, 7, "Locked"), told(2, 7, "Locked"), told(3, 9, ""), told(4, 8, "locked");
  customers.push_back(record_of(finished(5, kFirst, "", 9)));
  save(mapping::customer(), customers);
  Texts statuses;
  for (const auto& [status, rows] : ReportReading(database, shape, "orders").not_invited(kYear))
    statuses.push_back({status, std::to_string(rows)});
  EXPECT_EQ(statuses, (Texts{{"Locked", "2"}, {"status 9", "1"}, {"locked", "1"}}));
}

TEST_P(LedgerInReports, CountWhatAPersonDropsAsSuppressed) {
  save(std::vector<Told>{});
  Ledger ledger(database);
  ledger.set_aside("orders", State::quarantined, {{"A1", "no address"}, {"A2", "no address"}});
  ledger.drop("orders", {"A1"}, "dropped");
  EXPECT_EQ(counted(), (Texts{{"2", "1", "1", "0", "0", "0"}}));
}

INSTANTIATE_TEST_SUITE_P(Databases, LedgerInReports, every_dialect(), server_name);

class WorldsOfReports : public Reports {
 protected:
  static Instant at(int year, unsigned month, unsigned day, int hour) {
    return Instant{std::chrono::sys_days{std::chrono::year{year} / static_cast<int>(month) /
                                         static_cast<int>(day)}} +
           std::chrono::hours{hour};
  }
  void expect_starts(const std::string& period, const Texts& rows) {
    expect_by(period, R"(SELECT "starts", "transactions" FROM "survey_report_funnel")", rows);
  }
  // Thursday and Friday, in the last hours of the old year and the first of the new one by UTC.
  void turn_the_year() {
    save({finished(1, at(2026, 12, 31, 9), "", 9), finished(2, at(2026, 12, 31, 12), "", 9),
          finished(3, at(2027, 1, 1, 9), "", 9), finished(4, at(2027, 1, 3, 12), "", 9)});
  }
};

// 13 hours before UTC: noon on the 31st is the first of January, and Sunday noon is Monday.
TEST_P(WorldsOfReports, BeginTheYearAndTheWeekEarlyInAuckland) {
  shape.time_zone = "Pacific/Auckland";
  turn_the_year();
  expect_starts("month", {{"2026-12-01", "1"}, {"2027-01-01", "3"}});
  expect_starts("week", {{"2026-12-28", "3"}, {"2027-01-04", "1"}});
}

// 10 hours behind UTC: nine o'clock on the first is still the old year.
TEST_P(WorldsOfReports, EndTheYearLateInHonolulu) {
  shape.time_zone = "Pacific/Honolulu";
  turn_the_year();
  expect_starts("month", {{"2026-12-01", "3"}, {"2027-01-01", "1"}});
  expect_starts("week", {{"2026-12-28", "4"}});
}

// Nothing that a customer was or wrote is left, in no column of no table and no view.
TEST_P(WorldsOfReports, HaveNothingOfACustomerWhoIsForgotten) {
  Told her = finished(1, kFirst, "hers-branch", 9);
  her.key = "hers-key";
  her.answers.front().text = "hers-text";
  her.answers.push_back({1300, {}, "hers-other-text", kFirst + 3h, "Why?"});
  Ledger(database).claim({"b1", "orders", "one"},
                         {{"hers-key", "jo1@mail.example", kFirst, "hash"}});
  save({her, finished(2, kFirst, "South", 8)});
  her.answers.front().score = 3;  // a second row of history
  database.advance(1h);
  save({her});
  save(mapping::bouncer(), {bouncer_of("hers-key", "550 no", kFirst, "jo1@mail.example")});
  save(mapping::rating(), {rating_of(7, "hers-key")});
  std::vector<std::string> names;
  for (const auto* table : report_tables())
    names.push_back(table->name);
  for (const auto& view : report_views(database.dialect(), shape, {}))
    names.push_back(view.name);
  const auto of_her = [&] {
    std::vector<std::string> found;
    for (const auto& name : names)
      for (const auto& row : read("SELECT * FROM \"" + name + "\""))
        for (const auto& cell : row)
          if (cell.find("hers") != std::string::npos || cell.find("jo1@") != std::string::npos)
            found.push_back(name + ": " + cell);
    return found;
  };
  EXPECT_GT(of_her().size(), 10U);
  forget(database, database, "hash", "jo1@mail.example", {"order"});
  EXPECT_THAT(of_her(), testing::IsEmpty());
  for (const char* name : {"survey_invitation", "survey_customer_history", "survey_report_history"})
    expect("SELECT COUNT(*) FROM \"" + std::string(name) + R"(" WHERE "customer_id" = 1)", {{"0"}});
  expect(R"(SELECT "customer_id" FROM "survey_report_customer")", {{"2"}});
}

// First a text, then a scale to ten, then a scale to five with other words.
TEST_P(WorldsOfReports, KeepTheColumnsOfAQuestionThatChanges) {
  Told first = finished(1, kFirst, "", 9), third = finished(3, kSecond, "", 9);
  first.answers = {{1200, {}, "fine", kFirst, "How was it?"}};
  third.answers = {{1200, 5, "", kSecond, "How was it, from 1 to 5?"}};
  save({first});
  Told second = finished(2, kFirst, "", 10);
  second.answers.front().words = "How was it?";
  save({second});
  save({third});
  expect(R"(SELECT "customer_id", "How was it?", "How was it? text" FROM "survey_report_customer")"
         R"( ORDER BY "customer_id")",
         {{"1", "-", "fine"}, {"2", "10", "-"}, {"3", "5", "-"}});
  expect(R"(SELECT "kind", "low", "high" FROM "survey_question")", {{"scale", "5", "10"}});
  expect_by("week", R"(SELECT "starts", "n", "mean" FROM "survey_report_score")",
            {{"2026-11-02", "1", "10.0000"}, {"2026-11-09", "1", "5.0000"}});
}

INSTANTIATE_TEST_SUITE_P(Databases, WorldsOfReports, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
