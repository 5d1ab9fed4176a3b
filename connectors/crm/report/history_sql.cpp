#include "connectors/crm/report/history_sql.hpp"

#include "connectors/crm/dialect/sql.hpp"

namespace surveybridge::crm {

std::string history_view(Dialect dialect, const ReportColumns& columns) {
  std::string text = in_dialect(
      dialect, R"(SELECT h."customer_id", COALESCE(i."push", '') AS "push", i."key",)"
               R"( h."seen_at" AS "seen_from", n."seen_at" AS "seen_until", h."stage",)"
               R"( h."bounced", h."opted_out", i."transaction_date", i."invited_at", i."test",)"
               R"( i."second_feedback")");
  for (const auto& column : columns) {
    if (column.kind != ReportColumn::Kind::score) continue;
    text += ", h." + quoted(dialect, score_column(column.source, column.occurrence)) + " AS " +
            quoted(dialect, column.name);
  }
  return text +
         in_dialect(dialect,
                    R"( FROM "survey_customer_history" h)"
                    R"( JOIN "survey_invitation" i ON i."customer_id" = h."customer_id")"
                    R"( LEFT JOIN "survey_customer_history" n)"
                    R"( ON n."customer_id" = h."customer_id" AND n."version" = h."version" + 1)");
}

}  // namespace surveybridge::crm
