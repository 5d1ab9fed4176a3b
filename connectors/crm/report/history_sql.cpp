#include "connectors/crm/report/history_sql.hpp"

#include "connectors/crm/dialect/sql.hpp"

namespace surveybridge::crm {
namespace {

// The columns of scores of a table, by the names that people read.
std::string scores_of(Dialect dialect, const ReportColumns& columns, const std::string& table) {
  std::string text;
  for (const auto& column : columns) {
    if (column.kind != ReportColumn::Kind::score) continue;
    text += ", " + table + "." + quoted(dialect, score_column(column.source, column.occurrence)) +
            " AS " + quoted(dialect, column.name);
  }
  return text;
}

}  // namespace

// Of customers who never changed survey_invitation knows the only state.
std::string history_view(Dialect dialect, const ReportColumns& columns) {
  const std::string who =
      in_dialect(dialect, R"(SELECT i."customer_id", COALESCE(i."push", '') AS "push", i."key", )");
  const std::string facts = in_dialect(
      dialect, R"(, i."transaction_date", i."invited_at", i."test", i."second_feedback")");
  return who +
         in_dialect(dialect, R"(h."seen_at" AS "seen_from", n."seen_at" AS "seen_until",)"
                             R"( h."stage", h."bounced", h."opted_out")") +
         facts + scores_of(dialect, columns, "h") +
         in_dialect(dialect,
                    R"( FROM "survey_customer_history" h)"
                    R"( JOIN "survey_invitation" i ON i."customer_id" = h."customer_id")"
                    R"( LEFT JOIN "survey_customer_history" n)"
                    R"( ON n."customer_id" = h."customer_id" AND n."version" = h."version" + 1)"
                    R"( UNION ALL )") +
         who +
         in_dialect(dialect, R"(i."seen_at" AS "seen_from", NULL AS "seen_until",)"
                             R"( i."stage", i."bounced", i."opted_out")") +
         facts + scores_of(dialect, columns, "i") +
         in_dialect(dialect, R"( FROM "survey_invitation" i WHERE i."seen_at" IS NOT NULL)");
}

}  // namespace surveybridge::crm
