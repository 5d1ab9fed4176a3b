// Who reads the views of a PostgreSQL: each query of the Grafana board
// (monitoring/report_board.json) runs as Grafana sends it and finds the rows that are there; the
// role of docs/REPORTS.md sees no address.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "connectors/crm/ledger/ledger.hpp"
#include "tests/crm/report/report_fixture.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_folder.hpp"

namespace surveybridge::crm {
namespace {

using namespace std::chrono_literals;

std::string replaced_all(std::string text, const std::string& old, const std::string& with) {
  for (auto at = text.find(old); at != std::string::npos; at = text.find(old, at + with.size()))
    text.replace(at, old.size(), with);
  return text;
}

class ReportBoard : public Reports {
 protected:
  // With Grafana's variables filled in.
  Texts answer(const nlohmann::json& sql) {
    std::string text =
        replaced_all(sql.get<std::string>(), "$__timeFrom()", "'2026-01-01T00:00:00Z'");
    text = replaced_all(text, "$__timeTo()", "'2026-12-31T00:00:00Z'");
    return read(replaced_all(text, "$question", "How likely?"));
  }
};

TEST_P(ReportBoard, AsksWhatTheViewsAnswer) {
  const Instant date = day_at(11, 2);
  Told told{1, date, "A1", "South", date + 1h, date + 2h, date + 3h};
  told.answers = {{1200, 9, "", date + 3h}};
  told.contact = true;
  save({told});
  save(mapping::bouncer(), {bouncer_of("A2", "550 5.1.1 no such user", date, "x@mail.example")});
  Ledger(database).set_aside("orders", State::suppressed, {{"A8", "opted out"}});
  const auto board = nlohmann::json::parse(
      support::read_file(support::source_dir() + "/monitoring/report_board.json"));
  std::size_t asked = 0;
  for (const auto& panel : board.at("panels")) {
    for (const auto& target : panel.at("targets")) {
      EXPECT_FALSE(answer(target.at("rawSql")).empty()) << panel.at("title");
      ++asked;
    }
  }
  EXPECT_GE(asked, 8u);
  for (const auto& variable : board.at("templating").at("list")) {
    if (variable.at("type") != "query") continue;
    EXPECT_EQ(answer(variable.at("query")), (Texts{{"How likely?"}}));
  }
}

INSTANTIATE_TEST_SUITE_P(Databases, ReportBoard, testing::Values(Server::postgresql), server_name);

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
