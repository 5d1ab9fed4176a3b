#include "connectors/crm/report/report_sql.hpp"

#include <algorithm>
#include <array>

#include <fmt/ranges.h>

#include "connectors/crm/dialect/sql_parts.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/schema/ledger_words.hpp"
#include "mapping/report/column_names.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using QuestionKind = ScoredQuestion::Kind;
using Names = std::vector<std::string_view>;

// The years whose changes of the clock are known to the views. Before and after them the nearest
// offset counts.
constexpr int kFirstYear = 2010, kLastYear = 2040;

// The kinds of questions in their order: name and usual scale. A mean has none.
struct KindOfScore {
  const char* name;
  std::int64_t low, high;
};
constexpr std::array kKindsOfScores = {KindOfScore{"nps", 0, 10}, KindOfScore{"csat", 1, 5},
                                       KindOfScore{"ces", 1, 7}, KindOfScore{"mean", 0, 0}};

const KindOfScore& of_kind(QuestionKind kind) {
  return kKindsOfScores.at(static_cast<std::size_t>(kind));
}

// "a.push, a.kind", each quoted.
std::string named(const ReportSql& sql, const char* alias, const Names& names) {
  std::vector<std::string> all;
  for (const auto& name : names)
    all.push_back(alias + ("." + sql.name(name)));
  return joined(all);
}

// The segments' columns, each in a pattern with a comma before it.
std::string segments(const ReportSql& sql, std::string_view pattern) {
  std::string text;
  for (std::size_t i = 1; i <= sql.shape.report.segments.size(); ++i)
    text += sql(pattern, sql.name("segment_" + std::to_string(i)));
  return text;
}

// SELECT … UNION ALL SELECT …: the only list of values that every database has.
std::string list_of_rows(const std::vector<std::string>& rows) {
  return fmt::format("(SELECT {})", fmt::join(rows, " UNION ALL SELECT "));
}

std::string no_number(const ReportSql& sql) {
  return sql("CAST(NULL AS {})", traits(sql.dialect).whole_number);
}

std::string sum(const ReportSql& sql, std::string_view pattern, std::string_view name) {
  return sql("CAST(SUM({}) AS {}) AS {}", sql(pattern), traits(sql.dialect).whole_number,
             sql.name(name));
}

std::string number_of_rows(const ReportSql& sql) {
  return sql(R"(CAST(COUNT(*) AS {}) AS "n")", traits(sql.dialect).whole_number);
}

// A view of rows to count by `keys`, among which are period and starts, and with segments segment
// and segment_value. `columns`: of the rows, besides the day and the segments.
std::string by_period(const ReportSql& sql, const Names& keys, const std::string& sums,
                      const std::string& columns, const std::string& rows) {
  const auto& of = traits(sql.dialect);
  const std::string day = sql(R"(a."day")");
  std::string segment, from;
  if (std::ranges::count(keys, "segment") > 0) {
    std::string value = sql(R"(CASE s."segment" WHEN 'all' THEN 'all')");
    std::vector<std::string> taken = {"all"}, list = {sql(R"('all' AS "segment")")};
    for (const auto& column : sql.shape.report.segments) {
      const std::string name = mapping::free_column_name({column, "segment"}, taken);
      value += sql(R"( WHEN {} THEN COALESCE(a.{}, ''))", sql.literal(name),
                   sql.name("segment_" + std::to_string(taken.size())));
      taken.push_back(name);
      list.push_back(sql.literal(name));
    }
    segment = sql(R"(, s."segment", {} AS "segment_value")", of.exact(value + " END"));
    from = sql(" CROSS JOIN {} s", list_of_rows(list));
  }
  return sql(R"(SELECT {0}, {1} FROM (SELECT {2}, p."period",
             CASE p."period" WHEN 'week' THEN {3} ELSE {4} END AS "starts"{5} FROM {6} a
             CROSS JOIN (SELECT 'week' AS "period" UNION ALL SELECT 'month') p{7}) b GROUP BY {0})",
             named(sql, "b", keys), sums, columns,
             of.week_of(day, static_cast<int>(sql.shape.report.week_starts)), of.month_of(day),
             segment, rows, from);
}

Names score_keys() {
  return {"push", "question", "kind", "period", "starts", "segment", "segment_value"};
}

// The questions as rows: their number, label, kind, scale, and the bounds of good and bad values.
std::string question_list(const ReportSql& sql, const std::vector<ScoredQuestion>& questions) {
  std::vector<std::string> rows;
  for (const auto& question : questions) {
    const bool scale = question.low < question.high;
    // A NULL in the first row has no type: it is given one.
    const auto number = [&](bool known, std::int64_t value) {
      return known ? std::to_string(value) : rows.empty() ? no_number(sql) : "NULL";
    };
    const bool nps = question.kind == QuestionKind::nps;
    for (std::size_t i = 0; i < question.occurrences.size(); ++i) {
      const std::string_view row =
          rows.empty() ? R"({} AS "number", {} AS "question", '{}' AS "kind", {} AS "low",
                         {} AS "high", {} AS "good", {} AS "bad")"
                       : "{}, {}, '{}', {}, {}, {}, {}";
      rows.push_back(sql(row, rows.size() + 1, sql.literal(question.label),
                         of_kind(question.kind).name, number(scale, question.low),
                         number(scale, question.high), question.best().low,
                         number(nps || scale, nps ? 6 : question.low - 1)));
    }
  }
  return list_of_rows(rows);
}

// Value, middle and half width of the interval, as mapping/statistics works them out: the adjusted
// Wald interval of a net promoter score, Wilson's of a share, Student's of a mean. Where all
// answers of a mean are equal there is no interval. The quantile of Student's t is its expansion
// around the normal quantile (Abramowitz and Stegun 26.7.5), exact to 0.3 % from 4 degrees of
// freedom on.
constexpr std::string_view kEstimate =
    R"(CASE WHEN h."kind" = 'nps' THEN 100 * (h."good" - h."bad") / h."n"
    WHEN h."kind" IN ('csat', 'ces') THEN 100 * h."good" / h."n"
    ELSE h."total" / h."n" END AS "value",
    CASE WHEN h."kind" = 'nps' THEN 100 * (h."good" - h."bad") / (h."n" + 3)
    WHEN h."kind" IN ('csat', 'ces') THEN 100 * (h."good" + 1.920729410)
    / (h."n" + 3.841458821) ELSE h."total" / h."n" END AS "middle",
    CASE WHEN h."kind" = 'nps' THEN 195.9963985 * SQRT(((h."n" + 3) * (h."good" + h."bad" + 1.5)
    - (h."good" - h."bad") * (h."good" - h."bad")) / (h."n" + 3) / (h."n" + 3) / (h."n" + 3))
    WHEN h."kind" IN ('csat', 'ces') THEN 195.9963985
    * SQRT(h."good" * (h."n" - h."good") / h."n" + 0.960364705) / (h."n" + 3.841458821)
    WHEN h."n" > 1 AND h."n" * h."squares" > h."total" * h."total" THEN
    (CASE WHEN h."n" = 2 THEN 12.706204736 WHEN h."n" = 3 THEN 4.302652730
    WHEN h."n" = 4 THEN 3.182446305
    ELSE 1.959963985 + 2.372271 / (h."n" - 1) + 2.822499 / ((h."n" - 1) * (h."n" - 1))
    + 2.555850 / ((h."n" - 1) * (h."n" - 1) * (h."n" - 1)) END)
    * SQRT((h."n" * h."squares" - h."total" * h."total") / h."n" / h."n" / (h."n" - 1))
    END AS "half")";

std::string score_view(const ReportSql& sql, const std::vector<ScoredQuestion>& questions) {
  const std::string sums =
      joined({sum(sql, "1", "n"), sum(sql, R"(b."score")", "total"),
              sum(sql, R"(b."score" * b."score")", "squares"),
              sum(sql, R"(CASE WHEN b."score" >= b."good" THEN 1 ELSE 0 END)", "good"),
              sum(sql, R"(CASE WHEN b."score" <= b."bad" THEN 1 ELSE 0 END)", "bad")});
  return sql(
      R"(SELECT {0}, k."answers" AS "n",
      CASE WHEN k."kind" = 'nps' THEN k."good_answers" END AS "promoters",
      CASE WHEN k."kind" = 'nps' THEN k."answers" - k."good_answers" - k."bad_answers" END
      AS "passives", CASE WHEN k."kind" = 'nps' THEN k."bad_answers" END AS "detractors",
      CASE WHEN k."kind" IN ('csat', 'ces') THEN k."good_answers" END AS "satisfied",
      CASE WHEN k."answers" >= {1} THEN k."mean" END AS "mean",
      CASE WHEN k."answers" >= {1} THEN k."value" END AS "score",
      CASE WHEN k."answers" >= {1} THEN CASE WHEN k."middle" - k."half" > k."value" THEN k."value"
      WHEN k."kind" = 'nps' AND k."middle" - k."half" < -100 THEN -100
      ELSE k."middle" - k."half" END END AS "score_from",
      CASE WHEN k."answers" >= {1} THEN CASE WHEN k."middle" + k."half" < k."value" THEN k."value"
      WHEN k."kind" = 'nps' AND k."middle" + k."half" > 100 THEN 100
      ELSE k."middle" + k."half" END END AS "score_to"
      FROM (SELECT {2}, h."answers", h."good_answers", h."bad_answers",
      h."total" / h."n" AS "mean", {3} FROM (SELECT {4}, g."n" AS "answers",
      g."good" AS "good_answers", g."bad" AS "bad_answers", CAST(g."n" AS {5}) AS "n",
      CAST(g."total" AS {5}) AS "total", CAST(g."squares" AS {5}) AS "squares",
      CAST(g."good" AS {5}) AS "good", CAST(g."bad" AS {5}) AS "bad" FROM ({6}) g) h) k)",
      named(sql, "k", score_keys()), sql.shape.report.least, named(sql, "h", score_keys()),
      sql(kEstimate), named(sql, "g", score_keys()), traits(sql.dialect).real_type,
      by_period(sql, score_keys(), sums,
                named(sql, "a", {"push", "question", "kind", "score", "good", "bad"}),
                score_rows(sql, questions, {.on_scale = true})));
}

// What each customer was, from when to when. Of customers who never changed survey_invitation knows
// the only state.
std::string history_view(const ReportSql& sql, const ReportColumns& columns) {
  const auto rows = [&](const char* table, const std::string& times) {
    std::string scores;
    for (const auto& column : columns)
      if (column.kind == ReportColumn::Kind::score)
        scores +=
            sql(", {}.{} AS {}", table, sql.name(score_column(column.source, column.occurrence)),
                sql.name(column.name));
    return sql(R"(SELECT i."customer_id", COALESCE(i."push", '') AS "push", i."key", {1},
               {0}."stage", {0}."bounced", {0}."opted_out", i."transaction_date", i."invited_at",
               i."test", i."second_feedback"{2})",
               table, times, scores);
  };
  return sql(
      R"({} FROM "survey_customer_history" h
      JOIN "survey_invitation" i ON i."customer_id" = h."customer_id"
      LEFT JOIN "survey_customer_history" n
      ON n."customer_id" = h."customer_id" AND n."version" = h."version" + 1
      UNION ALL {} FROM "survey_invitation" i WHERE i."seen_at" IS NOT NULL)",
      rows("h", sql(R"(h."seen_at" AS "seen_from", n."seen_at" AS "seen_until")")),
      rows("i", sql(R"(i."seen_at" AS "seen_from", NULL AS "seen_until")")));
}

std::string contact_view(const ReportSql& sql) {
  const std::string since = sql(R"(COALESCE(i."finished_at", i."begun_at", i."opened_at",
                                i."invited_at", i."last_activity"))");
  return sql(
      R"(SELECT i."customer_id", COALESCE(i."push", '') AS "push", i."key", c."form_status_name",
      CASE WHEN c."form_status_name" IS NULL OR c."form_status_name" = 'New'
      THEN 1 ELSE 0 END AS "is_open", {} AS "requested_at", {} AS "age_days",
      (SELECT MAX(n."date") FROM "survey_customer_note" n
      WHERE n."customer_id" = i."customer_id") AS "last_note_at"
      FROM "survey_invitation" i JOIN "survey_customer" c ON c."id" = i."customer_id"
      WHERE i."contact_requested" = 1 AND {})",
      since, traits(sql.dialect).days_since(since), sql.counts());
}

// The answers of a question in survey_answer (alias a) that count, of the invitation i.
std::string given_answers(const ReportSql& sql) {
  return sql(R"(a."customer_id" = i."customer_id" AND a."date_answered" IS NOT NULL AND {})",
             sql.is_not("a", "is_encrypted"));
}

std::string text_view(const ReportSql& sql) {
  const std::string words = sql(R"(q."words")");
  std::string labels;
  for (const auto& question : sql.shape.report.questions)
    if (!question.label.empty())
      labels += sql(" WHEN {} THEN {}", question.id, sql.literal(question.label));
  return sql(
      R"(SELECT i."customer_id", COALESCE(i."push", '') AS "push", i."key", {} AS "day",
      {} AS "question", (SELECT MAX(s."value") FROM "survey_answer_scale_position" s
      WHERE s."customer_id" = a."customer_id" AND s."answer_position" = a."position")
      AS "score", a."text", a."date_answered" FROM "survey_invitation" i
      JOIN "survey_answer" a ON {}
      LEFT JOIN "survey_question" q ON q."id" = a."base_question_id"
      WHERE a."text" IS NOT NULL AND a."text" <> '' AND {})",
      sql.counted_day(),
      labels.empty() ? words : sql(R"(CASE a."base_question_id"{} ELSE {} END)", labels, words),
      given_answers(sql), sql.counts());
}

// The value of one made column.
std::string made_column(const ReportSql& sql, const ReportColumn& column) {
  switch (column.kind) {
    case ReportColumn::Kind::score:
      return "i." + sql.name(score_column(column.source, column.occurrence));
    case ReportColumn::Kind::text:
      return sql(R"((SELECT MAX(a."text") FROM "survey_answer" a WHERE {}
                 AND a."base_question_id" = {} AND (SELECT COUNT(*) FROM "survey_answer" b
                 WHERE b."customer_id" = a."customer_id"
                 AND b."base_question_id" = a."base_question_id"
                 AND b."date_answered" IS NOT NULL AND b."position" < a."position") = {}))",
                 given_answers(sql), column.source, column.occurrence - 1);
    case ReportColumn::Kind::data:
      break;
  }
  return sql(R"((SELECT MAX(d."value") FROM "survey_customer_data" d
             WHERE d."customer_id" = i."customer_id" AND d."customer_data_column_id" = {}
             AND {}))",
             column.source, sql.is_not("d", "is_encrypted"));
}

std::string customer_view(const ReportSql& sql, const ReportColumns& columns) {
  std::string made;
  for (const auto& column : columns)
    made += ", " + made_column(sql, column) + " AS " + sql.name(column.name);
  return sql(
      R"(SELECT i."customer_id", COALESCE(i."push", '') AS "push", i."key", i."stage",
      i."stage_at", c."status_code", c."status_name", i."transaction_date", i."invited_at",
      i."opened_at", i."begun_at", i."finished_at", i."closed_at", i."bounced_at",
      i."opted_out_at", i."seconds_to_answer", c."completion_time_in_seconds", c."language",
      i."mail_domain", i."test", i."second_feedback",
      c."second_feedback_information_original_customer_id" AS "original_customer_id",
      i."contact_requested", c."form_status_name", c."review_status_name",
      c."review_approved_date", (SELECT MAX(m."rating_id") FROM "survey_rating_match" m
      WHERE m."push" = i."push" AND m."key" = i."key") AS "rating_id"{}
      FROM "survey_invitation" i LEFT JOIN "survey_customer" c ON c."id" = i."customer_id")",
      made);
}

// What a row (an alias b) adds to a sum of the funnel.
std::string_view counted(std::string_view sum) {
  if (sum == "transactions") return "1";
  if (sum == "suppressed") return R"(CASE WHEN b."state" IN ('suppressed') THEN 1 ELSE 0 END)";
  if (sum == "quarantined") return R"(CASE WHEN b."state" IN ('quarantined') THEN 1 ELSE 0 END)";
  if (sum == "waiting") return R"(CASE WHEN b."state" IN ('pending') THEN 1 ELSE 0 END)";
  if (sum == "in_doubt")
    return R"(CASE WHEN b."state" IN ('claimed', 'in_doubt', 'held') THEN 1 ELSE 0 END)";
  if (sum == "sent") return R"(CASE WHEN b."state" IN ('sent') THEN 1 ELSE 0 END)";
  if (sum == "unlisted")
    return R"(CASE WHEN b."state" = 'sent' AND b."known" = 0 THEN 1 ELSE 0 END)";
  return "";  // the rows have a column of this name
}

// The respondent's language, behind other columns of survey_invitation.
constexpr std::string_view kLanguage =
    R"(, (SELECT c."language" FROM "survey_customer" c WHERE c."id" = i."customer_id")
    AS "language")";

}  // namespace

std::string ReportSql::literal(std::string_view text) const {
  return literal_by(traits(dialect), text);
}

std::string ReportSql::day(std::string_view instant) const {
  const auto& of = traits(dialect);
  const std::string at = (*this)(instant);
  const auto offsets = mapping::offsets_of(shape.time_zone, kFirstYear, kLastYear);
  std::string east = std::to_string(offsets.front().east.count());
  if (offsets.size() > 1) {
    std::string cases;
    for (auto one = offsets.rbegin(); one + 1 != offsets.rend(); ++one)
      cases += fmt::format(" WHEN {} >= '{}' THEN {}", at, of.instant_text(one->since),
                           one->east.count());
    east = "(CASE" + cases + " ELSE " + east + " END)";
  }
  return of.day_of(at, east);
}

std::string ReportSql::counted_day() const {
  return day(R"(COALESCE(i."transaction_date", i."invited_at", i."finished_at",
             i."last_activity"))");
}

std::string ReportSql::counts() const {
  return (*this)(R"(i."test" = 0 AND i."second_feedback" = 0)");
}

std::string ReportSql::shown_reason(std::string_view alias) const {
  return (*this)(R"(CASE WHEN {0}."reason" LIKE '%{1}: %' THEN '{1}' ELSE {0}."reason" END)", alias,
                 kRefusedByService);
}

std::string ReportSql::is_not(std::string_view alias, std::string_view column) const {
  return (*this)("COALESCE({0}.{1}, {2}) = {2}", alias, name(column), traits(dialect).false_text);
}

std::string ReportSql::rows(const std::string& columns, const std::string& day,
                            const std::string& from) const {
  return (*this)(R"((SELECT COALESCE(i."push", '') AS "push", {}{} AS "day" FROM {}))", columns,
                 day, from);
}

std::string funnel_sums(const ReportSql& sql) {
  std::vector<std::string> sums;
  for (const auto name : kFunnelSums) {
    const std::string rows(counted(name));
    sums.push_back(sum(sql, rows.empty() ? fmt::format("b.\"{}\"", name) : rows, name));
  }
  return joined(sums);
}

std::string funnel_columns(const ReportSql& sql) {
  Names names = {"push", "state", "known"};
  for (const auto name : kFunnelSums)
    if (counted(name).empty()) names.push_back(name);
  return named(sql, "a", names);
}

// The ledger's rows, with the customer by the number that the ledger knows (c) and by the key (k).
// A number alone does not say that a customer is stored: the read-back finds it before the customer
// is pulled. Joins, because MariaDB would copy the whole table for each NOT EXISTS.
std::string funnel_rows(const ReportSql& sql, bool with_language) {
  const std::string due = sql(R"((i."bounced" = 0 OR i."finished" = 1) AND i."invited_at" <= {})",
                              traits(sql.dialect).days_ago(sql.shape.report.answer_days));
  return sql(
      R"((SELECT COALESCE(i."push", '') AS "push", {0} AS "day"{1}{2}, 'sent' AS "state",
      1 AS "known", CASE WHEN i."invited_at" IS NOT NULL THEN 1 ELSE 0 END AS "invited",
      i."opened", i."begun", i."finished", i."closed", i."opted_out", i."bounced",
      CASE WHEN {3} THEN 1 ELSE 0 END AS "due",
      CASE WHEN i."finished" = 1 AND {3} THEN 1 ELSE 0 END AS "due_finished",
      CASE WHEN i."invited_at" IS NULL AND
      i."closed" + i."finished" + i."opted_out" + i."bounced" > 0
      THEN 1 ELSE 0 END AS "never_invited", 0 AS "not_drawn", 0 AS "over_quota"
      FROM "survey_invitation" i WHERE {4}
      UNION ALL SELECT t."push", {5} AS "day"{6}{7}, t."state", 0 AS "known", 0 AS "invited",
      0 AS "opened", 0 AS "begun", 0 AS "finished", 0 AS "closed", 0 AS "opted_out",
      0 AS "bounced", 0 AS "due", 0 AS "due_finished", 0 AS "never_invited",
      CASE WHEN t."state" = 'suppressed' AND t."reason" LIKE '{8}%' THEN 1 ELSE 0 END
      AS "not_drawn",
      CASE WHEN t."state" = 'suppressed' AND t."reason" LIKE '{9}%' THEN 1 ELSE 0 END
      AS "over_quota" FROM "survey_push" t
      LEFT JOIN "survey_invitation" c ON c."customer_id" = t."customer_id"
      AND c."second_feedback" = 0 LEFT JOIN "survey_invitation" k ON k."push" = t."push"
      AND k."key" = t."key" AND k."second_feedback" = 0 WHERE {10}
      AND c."customer_id" IS NULL AND k."customer_id" IS NULL))",
      sql.counted_day(), segments(sql, ", i.{}"), with_language ? sql(kLanguage) : "", due,
      sql.counts(), sql.day(R"(COALESCE(t."transaction_date", t."seen_at"))"),
      segments(sql, ", NULL AS {}"), with_language ? sql(R"(, NULL AS "language")") : "", kNotDrawn,
      kOverQuota, sql.is_not("t", "test"));
}

std::string score_rows(const ReportSql& sql, const std::vector<ScoredQuestion>& known,
                       const ScoreRows& which) {
  // Without a question there is nothing to count, and the view has its columns all the same.
  const std::vector<ScoredQuestion> nothing = {{"none", "", QuestionKind::mean, 0, 0, 0, {1}}};
  const auto& questions = known.empty() ? nothing : known;
  std::string cases;
  int number = 0;
  for (const auto& question : questions)
    for (const auto occurrence : question.occurrences)
      cases += sql(
          " WHEN {} THEN {}", ++number,
          known.empty() ? no_number(sql) : "i." + sql.name(score_column(question.id, occurrence)));
  const std::string score = sql(R"(CASE q."number"{} END)", cases);
  const std::string on_scale =
      which.on_scale ? sql(R"( AND (q."low" IS NULL OR {} BETWEEN q."low" AND q."high"))", score)
                     : "";
  return sql(R"((SELECT COALESCE(i."push", '') AS "push", {0} AS "day"{1}{2}, {3} AS "question",
             q."kind", q."good", q."bad", {4} AS "score" FROM "survey_invitation" i
             CROSS JOIN {5} q WHERE {6} AND {4} IS NOT NULL{7}))",
             sql.counted_day(), segments(sql, ", i.{}"), which.with_language ? sql(kLanguage) : "",
             sql.letters(R"(q."question")"), score, question_list(sql, questions), sql.counts(),
             on_scale);
}

std::string bounce_rows(const ReportSql& sql, std::string_view domain) {
  return sql.rows(sql(R"(i."kind", {} AS "mail_domain", )", sql.letters(domain)),
                  sql.day(R"(COALESCE(i."bounced_at", i."transaction_date"))"),
                  sql(R"("survey_bounce" i WHERE i."test" = 0)"));
}

mapping::Scale ScoredQuestion::best() const {
  switch (kind) {
    case QuestionKind::nps:
      return {9, 10};
    case QuestionKind::csat:
      return mapping::satisfied({low, high});
    case QuestionKind::ces:
      return mapping::at_ease({low, high});
    case QuestionKind::mean:
      break;
  }
  return {high, high};
}

std::vector<ScoredQuestion> scored_questions(const ReportShape& shape,
                                             const ReportColumns& columns) {
  std::vector<ScoredQuestion> all;
  for (const auto& question : shape.report.questions) {
    const auto& usual = of_kind(question.kind);
    all.push_back({question.label, "", question.kind, question.low.value_or(usual.low),
                   question.high.value_or(usual.high), question.id});
  }
  for (const auto& column : columns) {
    if (column.kind != ReportColumn::Kind::score) continue;
    auto question = std::ranges::find(all, column.source, &ScoredQuestion::id);
    if (question == all.end())
      question = all.insert(question, {column.name, "", QuestionKind::mean, 0, 0, column.source});
    if (question->label.empty()) question->label = column.name;
    question->occurrences.push_back(column.occurrence);
  }
  std::erase_if(all, [](const ScoredQuestion& one) { return one.occurrences.empty(); });
  if (all.size() > kScoredQuestions) all.resize(kScoredQuestions);
  std::vector<std::string> labels;
  for (auto& question : all) {
    question.label = mapping::free_column_name({question.label, "question"}, labels);
    labels.push_back(question.label);
  }
  return all;
}

std::vector<ReportView> report_views(Dialect dialect, const ReportShape& shape,
                                     const ReportColumns& columns) {
  const ReportSql sql{dialect, shape};
  const auto questions = scored_questions(shape, columns);
  Names keys_with_score = score_keys();
  keys_with_score.emplace_back("score");
  return {
      {"survey_report_customer", customer_view(sql, columns)},
      {"survey_report_funnel",
       by_period(sql, {"push", "period", "starts", "segment", "segment_value"}, funnel_sums(sql),
                 funnel_columns(sql), funnel_rows(sql, false))},
      {"survey_report_bounce",
       by_period(sql, {"push", "period", "starts", "kind", "mail_domain"}, number_of_rows(sql),
                 named(sql, "a", {"push", "kind", "mail_domain"}),
                 bounce_rows(sql, R"(i."mail_domain")"))},
      {"survey_report_mailed",
       by_period(sql, {"push", "period", "starts"}, number_of_rows(sql), named(sql, "a", {"push"}),
                 sql.rows("", sql.day(R"(i."invited_at")"),
                          sql(R"("survey_invitation" i WHERE i."invited_at" IS NOT NULL AND {})",
                              sql.counts())))},
      {"survey_report_contact", contact_view(sql)},
      {"survey_report_suppressed",
       sql(R"(SELECT p."push", p."key", p."state", {} AS "reason", p."seen_at",
           p."changed_at" AS "decided_at" FROM "survey_push" p
           WHERE p."state" IN ('suppressed', 'quarantined'))",
           sql.shown_reason("p"))},
      {"survey_report_rating", sql(R"(SELECT r."id" AS "rating_id", m."push", m."key",
           (SELECT MIN(i."customer_id") FROM "survey_invitation" i
           WHERE i."push" = m."push" AND i."key" = m."key"
           AND i."second_feedback" = 0) AS "customer_id",
           r."transaction_date", r."finished_date", r."review_approved_date"
           FROM "survey_rating" r
           LEFT JOIN "survey_rating_match" m ON m."rating_id" = r."id")")},
      {"survey_report_text", text_view(sql)},
      {"survey_report_history", history_view(sql, columns)},
      {"survey_report_distribution",
       by_period(sql, keys_with_score, number_of_rows(sql),
                 named(sql, "a", {"push", "question", "kind", "score"}),
                 score_rows(sql, questions, {.on_scale = true}))},
      {"survey_report_score", score_view(sql, questions)},
  };
}

}  // namespace surveybridge::crm
