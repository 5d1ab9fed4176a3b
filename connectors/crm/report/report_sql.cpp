#include "connectors/crm/report/report_sql.hpp"

#include <string>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/driver/database.hpp"
#include "connectors/crm/report/funnel_sql.hpp"
#include "connectors/crm/report/report_shape.hpp"
#include "connectors/crm/report/score_sql.hpp"
#include "connectors/crm/report/sql_pieces.hpp"

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

// What each customer was, from when to when. Of customers who never changed survey_invitation knows
// the only state.
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

std::string bounce_view(Dialect dialect, const ReportShape& shape) {
  const std::string day =
      local_day(dialect, in_dialect(dialect, R"(COALESCE(i."bounced_at", i."transaction_date"))"),
                shape.time_zone);
  const std::string keys =
      in_dialect(dialect, R"(b."push", b."period", b."starts", b."kind", b."mail_domain")");
  const std::string rows =
      in_dialect(dialect, R"((SELECT COALESCE(i."push", '') AS "push", i."kind", )") +
      exact(dialect, in_dialect(dialect, R"(i."mail_domain")")) +
      in_dialect(dialect, R"( AS "mail_domain", )") + day +
      in_dialect(dialect, R"( AS "day" FROM "survey_bounce" i)"
                          R"( WHERE i."test" = 0))");
  return "SELECT " + keys + ", " + whole(dialect, "COUNT(*)") + " AS " + quoted(dialect, "n") +
         " FROM " +
         by_period(dialect, shape, in_dialect(dialect, R"(a."push", a."kind", a."mail_domain")"),
                   rows, false) +
         " b GROUP BY " + keys;
}

std::string mailed_view(Dialect dialect, const ReportShape& shape) {
  const std::string keys = in_dialect(dialect, R"(b."push", b."period", b."starts")");
  const std::string rows =
      in_dialect(dialect, R"((SELECT COALESCE(i."push", '') AS "push", )") +
      local_day(dialect, in_dialect(dialect, R"(i."invited_at")"), shape.time_zone) +
      in_dialect(dialect, R"( AS "day" FROM "survey_invitation" i)"
                          R"( WHERE i."invited_at" IS NOT NULL AND )") +
      counts(dialect) + ")";
  return "SELECT " + keys + ", " + whole(dialect, "COUNT(*)") + " AS " + quoted(dialect, "n") +
         " FROM " + by_period(dialect, shape, in_dialect(dialect, R"(a."push")"), rows, false) +
         " b GROUP BY " + keys;
}

std::string contact_view(Dialect dialect) {
  const std::string since =
      in_dialect(dialect, R"(COALESCE(i."finished_at", i."begun_at", i."last_activity"))");
  return in_dialect(dialect,
                    R"(SELECT i."customer_id", COALESCE(i."push", '') AS "push", i."key",)"
                    R"( c."form_status_name",)"
                    R"( CASE WHEN c."form_status_name" IS NULL OR c."form_status_name" = 'New')"
                    R"( THEN 1 ELSE 0 END AS "is_open", )") +
         since + in_dialect(dialect, R"( AS "requested_at", )") +
         traits(dialect).days_since(since) +
         in_dialect(dialect,
                    R"( AS "age_days", (SELECT MAX(n."date") FROM "survey_customer_note" n)"
                    R"( WHERE n."customer_id" = i."customer_id") AS "last_note_at")"
                    R"( FROM "survey_invitation" i JOIN "survey_customer" c)"
                    R"( ON c."id" = i."customer_id" WHERE i."contact_requested" = 1 AND )") +
         counts(dialect);
}

std::string suppressed_view(Dialect dialect) {
  return in_dialect(dialect, R"(SELECT p."push", p."key", p."state", )") +
         shown_reason(dialect, "p") +
         in_dialect(
             dialect,
             R"( AS "reason", p."seen_at", p."changed_at" AS "decided_at" FROM "survey_push" p)"
             R"( WHERE p."state" IN ('suppressed', 'quarantined'))");
}

std::string rating_view(Dialect dialect) {
  return in_dialect(dialect, R"(SELECT r."id" AS "rating_id", m."push", m."key",)"
                             R"( (SELECT MIN(i."customer_id") FROM "survey_invitation" i)"
                             R"( WHERE i."push" = m."push" AND i."key" = m."key")"
                             R"( AND i."second_feedback" = 0) AS "customer_id",)"
                             R"( r."transaction_date", r."finished_date", r."review_approved_date")"
                             R"( FROM "survey_rating" r)"
                             R"( LEFT JOIN "survey_rating_match" m ON m."rating_id" = r."id")");
}

// "1" or the like where a boolean column is false or NULL.
std::string not_encrypted(Dialect dialect, const std::string& alias) {
  const std::string no(traits(dialect).false_text);
  return "COALESCE(" + alias + "." + quoted(dialect, "is_encrypted") + ", " + no + ") = " + no;
}

// The answers of a question in survey_answer (alias a) that count, of the invitation i.
std::string given_answers(Dialect dialect) {
  return in_dialect(dialect,
                    R"(a."customer_id" = i."customer_id" AND a."date_answered" IS NOT NULL)"
                    R"( AND )") +
         not_encrypted(dialect, "a");
}

std::string text_view(Dialect dialect, const ReportShape& shape) {
  const std::string day = local_day(dialect, counted_date(dialect), shape.time_zone);
  std::string label = in_dialect(dialect, R"(CASE a."base_question_id")");
  bool any = false;
  for (const auto& question : shape.report.questions) {
    if (question.label.empty()) continue;
    label += " WHEN " + std::to_string(question.id) + " THEN " + literal(dialect, question.label);
    any = true;
  }
  const std::string words = in_dialect(dialect, R"(q."words")");
  label = any ? label + " ELSE " + words + " END" : words;
  return in_dialect(dialect,
                    R"(SELECT i."customer_id", COALESCE(i."push", '') AS "push", i."key", )") +
         day + in_dialect(dialect, R"( AS "day", )") + label +
         in_dialect(
             dialect,
             R"( AS "question", (SELECT MAX(s."value") FROM "survey_answer_scale_position" s)"
             R"( WHERE s."customer_id" = a."customer_id" AND s."answer_position" = a."position"))"
             R"( AS "score", a."text", a."date_answered" FROM "survey_invitation" i)"
             R"( JOIN "survey_answer" a ON )") +
         given_answers(dialect) +
         in_dialect(dialect, R"( LEFT JOIN "survey_question" q ON q."id" = a."base_question_id")"
                             R"( WHERE a."text" IS NOT NULL AND a."text" <> '' AND )") +
         counts(dialect);
}

// The value of one made column.
std::string made_column(Dialect dialect, const ReportColumn& column) {
  const std::string source = std::to_string(column.source);
  switch (column.kind) {
    case ReportColumn::Kind::score:
      return "i." + quoted(dialect, score_column(column.source, column.occurrence));
    case ReportColumn::Kind::text:
      return in_dialect(dialect, R"((SELECT MAX(a."text") FROM "survey_answer" a WHERE )") +
             given_answers(dialect) + in_dialect(dialect, R"( AND a."base_question_id" = )") +
             source +
             in_dialect(dialect, R"( AND (SELECT COUNT(*) FROM "survey_answer" b)"
                                 R"( WHERE b."customer_id" = a."customer_id")"
                                 R"( AND b."base_question_id" = a."base_question_id")"
                                 R"( AND b."date_answered" IS NOT NULL)"
                                 R"( AND b."position" < a."position") = )") +
             std::to_string(column.occurrence - 1) + ")";
    case ReportColumn::Kind::data:
      break;
  }
  return in_dialect(dialect, R"((SELECT MAX(d."value") FROM "survey_customer_data" d)"
                             R"( WHERE d."customer_id" = i."customer_id")"
                             R"( AND d."customer_data_column_id" = )") +
         source + " AND " + not_encrypted(dialect, "d") + ")";
}

constexpr const char* kCustomerColumns =
    R"(i."customer_id", COALESCE(i."push", '') AS "push", i."key", i."stage", i."stage_at",)"
    R"( c."status_code", c."status_name", i."transaction_date", i."invited_at", i."opened_at",)"
    R"( i."begun_at", i."finished_at", i."closed_at", i."bounced_at", i."opted_out_at",)"
    R"( i."seconds_to_answer", c."completion_time_in_seconds", c."language", i."mail_domain",)"
    R"( i."test", i."second_feedback",)"
    R"( c."second_feedback_information_original_customer_id" AS "original_customer_id",)"
    R"( i."contact_requested", c."form_status_name", c."review_status_name",)"
    R"( c."review_approved_date", (SELECT MAX(m."rating_id") FROM "survey_rating_match" m)"
    R"( WHERE m."push" = i."push" AND m."key" = i."key") AS "rating_id")";

std::string customer_view(Dialect dialect, const ReportColumns& columns) {
  std::string text = in_dialect(dialect, "SELECT " + std::string(kCustomerColumns));
  for (const auto& column : columns)
    text += ", " + made_column(dialect, column) + " AS " + quoted(dialect, column.name);
  return text + in_dialect(dialect, R"( FROM "survey_invitation" i LEFT JOIN "survey_customer" c)"
                                    R"( ON c."id" = i."customer_id")");
}

}  // namespace

std::vector<ReportView> report_views(Dialect dialect, const ReportShape& shape,
                                     const ReportColumns& columns) {
  std::vector<ReportView> views = {
      {"survey_report_customer", customer_view(dialect, columns)},
      {"survey_report_funnel", funnel_view(dialect, shape)},
      {"survey_report_bounce", bounce_view(dialect, shape)},
      {"survey_report_mailed", mailed_view(dialect, shape)},
      {"survey_report_contact", contact_view(dialect)},
      {"survey_report_suppressed", suppressed_view(dialect)},
      {"survey_report_rating", rating_view(dialect)},
      {"survey_report_text", text_view(dialect, shape)},
      {"survey_report_history", history_view(dialect, columns)},
  };
  const auto questions = scored_questions(shape, columns);
  views.push_back({"survey_report_distribution", distribution_view(dialect, shape, questions)});
  views.push_back({"survey_report_score", score_view(dialect, shape, questions)});
  return views;
}

}  // namespace surveybridge::crm
