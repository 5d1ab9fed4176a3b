// The words about the tables and views for reports: complete, as docs/REPORTS.md has them, and in
// the database.
#include <algorithm>

#include <gmock/gmock.h>

#include "connectors/crm/report/report_sql.hpp"
#include "connectors/crm/schema/report_tables.hpp"
#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/generated_section.hpp"

namespace surveybridge::crm {
namespace {

const TableWords& words_of(const std::vector<TableWords>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &TableWords::name);
  if (found == all.end()) throw std::out_of_range("no words about " + name);
  return *found;
}

std::vector<std::string> names_in(const TableWords& words) {
  std::vector<std::string> names;
  for (const auto& group : words.columns)
    names.insert(names.end(), group.columns.begin(), group.columns.end());
  return names;
}

// "- **`survey_report_bounce`**: one row for each …. `kind`: `hard` or `soft`."
std::string item_of(const TableWords& words) {
  std::string item = "- **`" + words.name + "`**: " + words.words + ".";
  for (const auto& group : words.columns) {
    std::string names;
    for (const auto& column : group.columns)
      names += (names.empty() ? " `" : ", `") + column + "`";
    item += names + ": " + group.words + ".";
  }
  return item;
}

TEST(ReportWords, AreThoseOfTheDocument) {
  auto all = view_words();
  all.push_back(words_of(table_words(), "survey_question"));
  std::string made;
  for (const auto& words : all)
    made += support::wrapped(item_of(words), "  ");
  support::expect_section("docs/REPORTS.md", "views", made);
}

TEST(ReportWords, AreAboutEachColumnOfEachTable) {
  for (const Table* table : report_tables()) {
    std::vector<std::string> columns;
    for (const auto& column : table->columns)
      columns.push_back(column.name);
    EXPECT_THAT(names_in(words_of(table_words(), table->name)),
                testing::UnorderedElementsAreArray(columns))
        << table->name;
  }
}

class ReportComments : public Reports {};

TEST_P(ReportComments, AreAboutEachColumnOfEachView) {
  save(std::vector<Told>{});
  for (const auto& view : report_views(database.dialect(), shape, {})) {
    const auto found = database.query({"SELECT * FROM " + view.name, {}});
    std::vector<std::string> columns;
    for (const auto& column : found.columns)
      columns.push_back(column.name);
    if (view.name == "survey_report_customer") columns.resize(columns.size() - 2);  // data columns
    EXPECT_THAT(names_in(words_of(view_words(), view.name)),
                testing::UnorderedElementsAreArray(columns))
        << view.name;
  }
}

TEST_P(ReportComments, StandInTheDatabase) {
  save(std::vector<Told>{});
  if (GetParam() == Server::sqlite) return;  // it has none
  const auto told = [&] {
    return speaks_mysql(GetParam())
               ? read(
                     "SELECT column_comment FROM information_schema.columns WHERE table_schema ="
                     " DATABASE() AND table_name = 'survey_customer_history' AND column_name ="
                     " 'seen_at' UNION ALL SELECT table_comment FROM information_schema.tables"
                     " WHERE table_schema = DATABASE() AND table_name = 'survey_question'")
               : read(
                     "SELECT col_description(CAST('survey_customer_history' AS regclass), 3)"
                     " UNION ALL SELECT obj_description(CAST('survey_question' AS regclass))"
                     " UNION ALL SELECT obj_description(CAST('survey_report_funnel' AS regclass))"
                     " UNION ALL SELECT col_description(CAST('survey_report_customer' AS regclass),"
                     " 4)");
  };
  Texts expected = {{"when the bridge saw it, in UTC"},
                    {"one row for each question that somebody has answered"}};
  if (!speaks_mysql(GetParam())) {
    expected.push_back({words_of(view_words(), "survey_report_funnel").words});
    expected.push_back({words_of(view_words(), "survey_report_customer").columns.at(2).words});
  }
  EXPECT_EQ(told(), expected);
  // Columns that change their places make the views anew, without comments.
  shape.report.hidden = {"Order"};
  save({finished(1, kFirst, "", 9)});
  EXPECT_EQ(told(), expected);
}

// An operator has made a column wider: comments are no reason to undo that, nor to stop.
TEST_P(ReportComments, ChangeNoColumn) {
  if (!speaks_mysql(GetParam())) return;
  database.execute({"ALTER TABLE survey_question MODIFY COLUMN low decimal(30,2)", {}});
  save(std::vector<Told>{});
  expect(
      "SELECT column_type FROM information_schema.columns WHERE table_schema = DATABASE()"
      " AND table_name = 'survey_question' AND column_name = 'low'",
      {{"decimal(30,2)"}});
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportComments, every_dialect(), server_name);

}  // namespace
}  // namespace surveybridge::crm
