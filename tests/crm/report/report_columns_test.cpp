// The columns of the views that are made of data columns and questions.
#include <map>

#include <gmock/gmock.h>

#include "connectors/crm/report/report_reading.hpp"
#include "tests/crm/report/report_fixture.hpp"

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
    EXPECT_EQ(ReportReading(database, shape, "").words_of(1200), words);
  };
  save({told(1, "nl", "Hoe waarschijnlijk?"), told(2, "de", "Wie wahrscheinlich?")});
  expect_words("Wie wahrscheinlich?");
  shape.report.language = "NL";
  save({told(3, "de", "Wie wahrscheinlich?"), told(4, "nl", "Hoe waarschijnlijk?")});
  expect_words("Hoe waarschijnlijk?");
  save({told(5, "de", "Wie wahrscheinlich?")});
  expect_words("Hoe waarschijnlijk?");
  save({told(6, "nl", "Hoe waarschijnlijk is het?"), told(7, "de", "Wie wahrscheinlich?")});
  expect_words("Hoe waarschijnlijk is het?");
}

INSTANTIATE_TEST_SUITE_P(Databases, ColumnsOfReports, every_database(), server_name);

}  // namespace
}  // namespace surveybridge::crm
