// The text of the views for reports, for every dialect. SQL Server's has only this test.
#include <gtest/gtest.h>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/history_store.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "tests/crm/golden.hpp"

namespace surveybridge::crm {
namespace {

TEST(StatementsOfReports, AreThoseOfTheFiles) {
  using Kind = config::Report::Question::Kind;
  ReportShape shape;
  shape.time_zone = "Asia/Tokyo";  // one offset: a short text
  shape.report.segments = {"Branch", "O'Neill"};
  shape.report.questions = {{{}, 1200, "Recommend", Kind::nps, {}, {}},
                            {{}, 1201, "Delivery", Kind::csat, 1, 4}};
  using Column = ReportColumn::Kind;
  const ReportColumns columns = {{1, "Branch", Column::data, 17, 1},
                                 {2, "Recommend", Column::score, 1200, 1},
                                 {3, "Delivery", Column::score, 1201, 1},
                                 {4, "Delivery 2", Column::score, 1201, 2},
                                 {5, "Why? \"]` text", Column::text, 1202, 1}};
  for (const Dialect dialect : all_dialects()) {
    std::string text;
    for (const auto& statement : view_statements(dialect, shape, columns))
      text += statement + ";\n\n";
    for (const bool of_push : {false, true}) {
      const mapping::TableColumn by =
          of_push ? mapping::TableColumn{"key", ColumnType::key_text}
                  : mapping::TableColumn{"customer_id", ColumnType::integer};
      text += history_statement(dialect, {"score_1200", "score_1201"}, by, 2, of_push) + ";\n\n";
    }
    std::string comments;
    for (const auto& statement : comment_statements(dialect))
      comments += statement + ";\n";
    if (dialect == Dialect::sqlite) {
      EXPECT_EQ(comments, "") << "it has none";
    } else {
      expect_golden("comments." + std::string(traits(dialect).name) + ".sql", comments);
    }
    expect_golden("views." + std::string(traits(dialect).name) + ".sql", text);
  }
}

}  // namespace
}  // namespace surveybridge::crm
