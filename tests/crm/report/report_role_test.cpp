// The role of docs/REPORTS.md that may read the views: it sees no address.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/paths.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

// The statements of the document's block that makes the role.
std::vector<std::string> documented_statements() {
  std::ifstream in(support::source_dir() + "/docs/REPORTS.md");
  std::string block, line;
  while (std::getline(in, line) && !line.starts_with("CREATE ROLE")) {
  }
  for (; !line.starts_with("```"); std::getline(in, line))
    block += line + "\n";
  std::vector<std::string> statements;
  std::istringstream text(block);
  for (std::string one; std::getline(text, one, ';');)
    if (one.find_first_not_of(" \n") != std::string::npos) statements.push_back(one);
  return statements;
}

class ReportRole : public Reports {
 protected:
  ~ReportRole() override {
    for (const char* sql : {"RESET ROLE", "DROP OWNED BY reports", "DROP ROLE reports"})
      database.execute({sql, {}});
  }
};

TEST_P(ReportRole, SeesTheViewsAndNoAddress) {
  const Instant date = day_at(11, 2);
  Told told{1, date, "A1", "South", date + 1h, date + 2h, date + 3h};
  told.answers = {{1200, 9, "words", date + 3h}};
  save({told});
  ASSERT_GE(documented_statements().size(), 2u);
  for (const auto& statement : documented_statements())
    database.execute({statement, {}});
  const std::string schema = read("SELECT current_schema()").at(0).at(0);
  database.execute({"GRANT USAGE ON SCHEMA \"" + schema + "\" TO reports", {}});
  database.execute({"SET ROLE reports", {}});
  EXPECT_EQ(read(R"(SELECT "key", "Branch" FROM "survey_report_customer")"),
            (Texts{{"A1", "South"}}));
  for (const char* view : {"funnel", "score", "distribution", "bounce", "mailed", "contact",
                           "suppressed", "rating", "history"})
    EXPECT_NO_THROW(read("SELECT * FROM \"survey_report_" + std::string(view) + "\"")) << view;
  EXPECT_NO_THROW(read(R"(SELECT * FROM "survey_question")"));
  for (const char* table : {"survey_customer", "survey_answer", "survey_push", "survey_invitation",
                            "survey_customer_history", "survey_report_text"})
    EXPECT_THROW(read("SELECT * FROM \"" + std::string(table) + "\""), DatabaseError) << table;
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportRole, testing::Values(Server::postgresql), server_name);

}  // namespace
}  // namespace surveybridge::crm
