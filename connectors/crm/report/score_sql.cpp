#include "connectors/crm/report/score_sql.hpp"

#include <algorithm>
#include <array>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/sql_pieces.hpp"
#include "mapping/report/column_names.hpp"
#include "mapping/statistics/statistics.hpp"

namespace surveybridge::crm {
namespace {

using Kind = config::Report::Question::Kind;

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::nps:
      return "nps";
    case Kind::csat:
      return "csat";
    case Kind::ces:
      return "ces";
    case Kind::mean:
      break;
  }
  return "mean";
}

std::pair<std::int64_t, std::int64_t> usual_scale(Kind kind) {
  if (kind == Kind::nps) return {0, 10};
  return {1, kind == Kind::ces ? 7 : 5};
}

// The lowest of the values that count as satisfied (csat), as low effort (ces), or as promoter.
std::int64_t lowest_good(const ScoredQuestion& question) {
  switch (question.kind) {
    case Kind::nps:
      return 9;
    case Kind::csat:
      return mapping::satisfied({question.low, question.high}).low;
    case Kind::ces:
      return mapping::at_ease({question.low, question.high}).low;
    case Kind::mean:
      break;
  }
  return question.high;
}

std::string number_or_null(bool known, std::int64_t number) {
  return known ? std::to_string(number) : "NULL";
}

// The questions as rows: their number, label, kind, scale, and the bounds of good and bad values.
std::string question_list(Dialect dialect, const std::vector<ScoredQuestion>& questions) {
  std::vector<std::string> rows;
  std::int64_t number = 0;
  for (const auto& question : questions) {
    const bool scale = question.low < question.high;
    const std::string bad =
        question.kind == Kind::nps ? "6" : number_or_null(scale, question.low - 1);
    for ([[maybe_unused]] const auto occurrence : question.occurrences) {
      const std::array<std::string, 7> cells = {std::to_string(++number),
                                                literal(dialect, question.label),
                                                "'" + kind_name(question.kind) + "'",
                                                number_or_null(scale, question.low),
                                                number_or_null(scale, question.high),
                                                std::to_string(lowest_good(question)),
                                                bad};
      constexpr std::array names = {"number", "question", "kind", "low", "high", "good", "bad"};
      std::string row;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        // A NULL in the first row has no type: it is given one.
        const bool typed = number == 1 && cells[i] == "NULL";
        row +=
            (i == 0 ? "" : ", ") +
            (typed ? "CAST(NULL AS " + std::string(traits(dialect).whole_number) + ")" : cells[i]);
        if (number == 1) row += " AS " + quoted(dialect, names[i]);
      }
      rows.push_back(std::move(row));
    }
  }
  return list_of_rows(rows) + " q";
}

// The sums behind a score.
std::string score_sums(Dialect dialect, const ReportShape& shape,
                       const std::vector<ScoredQuestion>& questions) {
  const std::string columns =
      in_dialect(dialect, R"(a."push", a."question", a."kind", a."score", a."good", a."bad")");
  const std::string keys = in_dialect(dialect, R"(b."push", b."question", b."kind", b."period",)"
                                               R"( b."starts", b."segment", b."segment_value")");
  const auto sum = [&](const std::string& of, const char* name) {
    return ", " + whole(dialect, "SUM(" + in_dialect(dialect, of) + ")") + " AS " +
           quoted(dialect, name);
  };
  return "(SELECT " + keys + sum("1", "n") + sum(R"(b."score")", "total") +
         sum(R"(b."score" * b."score")", "squares") +
         sum(R"(CASE WHEN b."score" >= b."good" THEN 1 ELSE 0 END)", "good") +
         sum(R"(CASE WHEN b."score" <= b."bad" THEN 1 ELSE 0 END)", "bad") + " FROM " +
         by_period(dialect, shape, columns, score_rows(dialect, shape, questions), true) +
         " b GROUP BY " + keys + ")";
}

// The quantile of Student's t that a mean's interval needs, by its expansion around the normal
// quantile (Abramowitz and Stegun 26.7.5), exact to 0.3 % from 4 degrees of freedom on.
constexpr const char* kStudent =
    R"(CASE WHEN h."n" = 2 THEN 12.706204736 WHEN h."n" = 3 THEN 4.302652730)"
    R"( WHEN h."n" = 4 THEN 3.182446305)"
    R"( ELSE 1.959963985 + 2.372271 / (h."n" - 1) + 2.822499 / ((h."n" - 1) * (h."n" - 1)))"
    R"( + 2.555850 / ((h."n" - 1) * (h."n" - 1) * (h."n" - 1)) END)";

// Value, middle and half width of the interval, as mapping/statistics works them out: the adjusted
// Wald interval of a net promoter score, Wilson's of a share, Student's of a mean. Where all
// answers of a mean are equal there is no interval.
std::string estimate(Dialect dialect) {
  return in_dialect(
      dialect,
      R"(CASE WHEN h."kind" = 'nps' THEN 100 * (h."good" - h."bad") / h."n")"
      R"( WHEN h."kind" IN ('csat', 'ces') THEN 100 * h."good" / h."n")"
      R"( ELSE h."total" / h."n" END AS "value",)"
      R"( CASE WHEN h."kind" = 'nps' THEN 100 * (h."good" - h."bad") / (h."n" + 3))"
      R"( WHEN h."kind" IN ('csat', 'ces') THEN 100 * (h."good" + 1.920729410))"
      R"( / (h."n" + 3.841458821) ELSE h."total" / h."n" END AS "middle",)"
      R"( CASE WHEN h."kind" = 'nps' THEN 195.9963985 * SQRT(((h."n" + 3) * (h."good" + h."bad" + 1.5))"
      R"( - (h."good" - h."bad") * (h."good" - h."bad")) / (h."n" + 3) / (h."n" + 3) / (h."n" + 3)))"
      R"( WHEN h."kind" IN ('csat', 'ces') THEN 195.9963985)"
      R"( * SQRT(h."good" * (h."n" - h."good") / h."n" + 0.960364705) / (h."n" + 3.841458821))"
      R"( WHEN h."n" > 1 AND h."n" * h."squares" > h."total" * h."total" THEN ()" +
          std::string(kStudent) +
          R"() * SQRT((h."n" * h."squares" - h."total" * h."total") / h."n" / h."n" / (h."n" - 1)))"
          R"( END AS "half")");
}

}  // namespace

std::vector<ScoredQuestion> scored_questions(const ReportShape& shape,
                                             const ReportColumns& columns) {
  std::vector<ScoredQuestion> all;
  const auto of = [&](std::int64_t id) { return std::ranges::find(all, id, &ScoredQuestion::id); };
  for (const auto& question : shape.report.questions) {
    const auto [low, high] = usual_scale(question.kind);
    const bool unbounded = question.kind == Kind::mean && !question.low;
    all.push_back({question.id,
                   question.label,
                   question.kind,
                   unbounded ? 0 : question.low.value_or(low),
                   unbounded ? 0 : question.high.value_or(high),
                   {}});
  }
  for (const auto& column : columns) {
    if (column.kind != ReportColumn::Kind::score) continue;
    if (of(column.source) == all.end()) all.push_back({column.source, "", Kind::mean, 0, 0, {}});
    auto question = of(column.source);
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

std::string score_rows(Dialect dialect, const ReportShape& shape,
                       const std::vector<ScoredQuestion>& known, bool with_language) {
  // Without a question there is nothing to count, and the view has its columns all the same.
  const std::vector<ScoredQuestion> nothing = {{0, "none", Kind::mean, 0, 0, {1}}};
  const auto& questions = known.empty() ? nothing : known;
  std::string score = in_dialect(dialect, R"(CASE q."number")");
  std::int64_t number = 0;
  for (const auto& question : questions) {
    for (const auto occurrence : question.occurrences) {
      score += " WHEN " + std::to_string(++number) + " THEN ";
      score += known.empty() ? "CAST(NULL AS " + std::string(traits(dialect).whole_number) + ")"
                             : "i." + quoted(dialect, score_column(question.id, occurrence));
    }
  }
  score += " END";
  return in_dialect(dialect, R"((SELECT COALESCE(i."push", '') AS "push", )") +
         local_day(dialect, counted_date(dialect), shape.time_zone) +
         in_dialect(dialect, R"( AS "day")") + segments(dialect, shape, "i.") +
         (with_language ? language_column(dialect) : "") + ", " +
         exact(dialect, in_dialect(dialect, R"(q."question")")) +
         in_dialect(dialect, R"( AS "question", q."kind", q."good", q."bad", )") + score +
         in_dialect(dialect, R"( AS "score" FROM "survey_invitation" i CROSS JOIN )") +
         question_list(dialect, questions) + " WHERE " + counts(dialect) + " AND " + score +
         in_dialect(dialect, R"( IS NOT NULL AND (q."low" IS NULL OR )") + score +
         in_dialect(dialect, R"( BETWEEN q."low" AND q."high")))");
}

std::string score_view(Dialect dialect, const ReportShape& shape,
                       const std::vector<ScoredQuestion>& questions) {
  const auto keys = [](const std::string& of) {
    std::string text;
    for (const char* name :
         {"push", "question", "kind", "period", "starts", "segment", "segment_value"})
      text += (text.empty() ? "" : ", ") + of + ".\"" + name + "\"";
    return text;
  };
  std::string reals = in_dialect(dialect, keys("g") + R"(, g."n" AS "answers",)"
                                                      R"( g."good" AS "good_answers",)"
                                                      R"( g."bad" AS "bad_answers")");
  for (const char* sum : {"n", "total", "squares", "good", "bad"})
    reals += ", " + as_real(dialect, "g." + quoted(dialect, sum)) + " AS " + quoted(dialect, sum);
  const std::string estimates =
      in_dialect(dialect, keys("h") + R"(, h."answers", h."good_answers", h."bad_answers",)"
                                      R"( h."total" / h."n" AS "mean", )") +
      estimate(dialect);
  const std::string enough =
      R"(CASE WHEN k."answers" >= )" + std::to_string(shape.report.least) + " THEN ";
  return in_dialect(dialect,
                    "SELECT " + keys("k") +
                        R"(, k."answers" AS "n",)"
                        R"( CASE WHEN k."kind" = 'nps' THEN k."good_answers" END AS "promoters",)"
                        R"( CASE WHEN k."kind" = 'nps' THEN)"
                        R"( k."answers" - k."good_answers" - k."bad_answers" END AS "passives",)"
                        R"( CASE WHEN k."kind" = 'nps' THEN k."bad_answers" END AS "detractors",)"
                        R"( CASE WHEN k."kind" IN ('csat', 'ces') THEN k."good_answers" END)"
                        R"( AS "satisfied", )" +
                        enough + R"(k."mean" END AS "mean", )" + enough +
                        R"(k."value" END AS "score", )" + enough +
                        R"(CASE WHEN k."middle" - k."half" > k."value" THEN k."value")"
                        R"( WHEN k."kind" = 'nps' AND k."middle" - k."half" < -100 THEN -100)"
                        R"( ELSE k."middle" - k."half" END END AS "score_from", )" +
                        enough +
                        R"(CASE WHEN k."middle" + k."half" < k."value" THEN k."value")"
                        R"( WHEN k."kind" = 'nps' AND k."middle" + k."half" > 100 THEN 100)"
                        R"( ELSE k."middle" + k."half" END END AS "score_to" FROM )") +
         "(SELECT " + estimates + " FROM (SELECT " + reals + " FROM " +
         score_sums(dialect, shape, questions) + " g) h) k";
}

std::string distribution_view(Dialect dialect, const ReportShape& shape,
                              const std::vector<ScoredQuestion>& questions) {
  const std::string keys = in_dialect(
      dialect, R"(b."push", b."question", b."kind", b."period", b."starts", b."segment",)"
               R"( b."segment_value", b."score")");
  return "SELECT " + keys + ", " + whole(dialect, "COUNT(*)") + " AS " + quoted(dialect, "n") +
         " FROM " +
         by_period(dialect, shape,
                   in_dialect(dialect, R"(a."push", a."question", a."kind", a."score")"),
                   score_rows(dialect, shape, questions), true) +
         " b GROUP BY " + keys;
}

}  // namespace surveybridge::crm
