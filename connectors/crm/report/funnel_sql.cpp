#include "connectors/crm/report/funnel_sql.hpp"

#include <array>
#include <string_view>
#include <utility>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/sql_pieces.hpp"
#include "connectors/crm/schema/ledger_words.hpp"

namespace surveybridge::crm {
namespace {

constexpr std::array kSteps = {"invited",   "opened",  "begun", "finished",     "closed",
                               "opted_out", "bounced", "due",   "due_finished", "never_invited"};
// Of the suppressed, with how their reasons begin.
constexpr std::pair<const char*, std::string_view> kLeftOut[] = {{"not_drawn", kNotDrawn},
                                                                 {"over_quota", kOverQuota}};

std::string null_segments(Dialect dialect, const ReportShape& shape) {
  std::string text;
  for (std::size_t i = 1; i <= shape.report.segments.size(); ++i)
    text += ", NULL AS " + quoted(dialect, "segment_" + std::to_string(i));
  return text;
}

// The ledger's rows, with the customer by the number that the ledger knows (c) and by the key (k).
// A number alone does not say that a customer is stored: the read-back finds it before the customer
// is pulled. Joins, because MariaDB would copy the whole table for each NOT EXISTS.
constexpr const char* kLedgerWithCustomers =
    R"( FROM "survey_push" t LEFT JOIN "survey_invitation" c ON c."customer_id" = t."customer_id")"
    R"( AND c."second_feedback" = 0 LEFT JOIN "survey_invitation" k ON k."push" = t."push")"
    R"( AND k."key" = t."key" AND k."second_feedback" = 0)";
constexpr const char* kNoCustomer = R"( AND c."customer_id" IS NULL AND k."customer_id" IS NULL)";

}  // namespace

std::string funnel_rows(Dialect dialect, const ReportShape& shape, bool with_language) {
  const auto day = [&](const std::string& at) { return local_day(dialect, at, shape.time_zone); };
  const std::string due = R"(i."bounced" = 0 AND i."invited_at" <= )" +
                          traits(dialect).days_ago(shape.report.answer_days);
  const auto flag = [&](const std::string& condition, const char* name) {
    return in_dialect(dialect,
                      ", CASE WHEN " + condition + " THEN 1 ELSE 0 END AS \"" + name + "\"");
  };
  std::string nothing;
  for (const char* step : kSteps)
    nothing += ", 0 AS " + quoted(dialect, step);
  std::string none_left_out, left_out;
  for (const auto& [name, reason] : kLeftOut) {
    none_left_out += ", 0 AS " + quoted(dialect, name);
    left_out += flag(
        R"(t."state" = 'suppressed' AND t."reason" LIKE ')" + std::string(reason) + "%'", name);
  }
  const std::string no(traits(dialect).false_text);
  return in_dialect(dialect, R"((SELECT COALESCE(i."push", '') AS "push", )") +
         day(counted_date(dialect)) + in_dialect(dialect, R"( AS "day")") +
         segments(dialect, shape, "i.") + (with_language ? language_column(dialect) : "") +
         in_dialect(dialect, R"(, 'sent' AS "state", 1 AS "known")") +
         flag(R"(i."invited_at" IS NOT NULL)", "invited") +
         in_dialect(dialect, R"(, i."opened", i."begun", i."finished", i."closed", i."opted_out",)"
                             R"( i."bounced")") +
         flag(due, "due") + flag(R"(i."finished" = 1 AND )" + due, "due_finished") +
         flag(R"(i."invited_at" IS NULL AND)"
              R"( i."closed" + i."finished" + i."opted_out" + i."bounced" > 0)",
              "never_invited") +
         none_left_out + in_dialect(dialect, R"( FROM "survey_invitation" i WHERE )") +
         counts(dialect) + in_dialect(dialect, R"( UNION ALL SELECT t."push", )") +
         day(in_dialect(dialect, R"(COALESCE(t."transaction_date", t."seen_at"))")) +
         in_dialect(dialect, R"( AS "day")") + null_segments(dialect, shape) +
         (with_language ? in_dialect(dialect, R"(, NULL AS "language")") : "") +
         in_dialect(dialect, R"(, t."state", 0 AS "known")") + nothing + left_out +
         in_dialect(dialect, kLedgerWithCustomers + std::string(R"( WHERE COALESCE(t."test", )")) +
         no + ") = " + no + in_dialect(dialect, kNoCustomer) + ")";
}

std::string funnel_view(Dialect dialect, const ReportShape& shape) {
  std::string columns = in_dialect(dialect, R"(a."push", a."state", a."known")");
  for (const char* step : kSteps)
    columns += ", a." + quoted(dialect, step);
  for (const auto& left_out : kLeftOut)
    columns += ", a." + quoted(dialect, left_out.first);
  const std::string keys = in_dialect(dialect, R"(b."push", b."period", b."starts", b."segment",)"
                                               R"( b."segment_value")");
  const auto counted = [&](const std::string& name, const std::string& of) {
    return ", " + whole(dialect, "SUM(" + in_dialect(dialect, of) + ")") + " AS " +
           quoted(dialect, name);
  };
  const auto in_state = [](const std::string& states) {
    return R"(CASE WHEN b."state" IN ()" + states + ") THEN 1 ELSE 0 END";
  };
  std::string text = "SELECT " + keys + counted("transactions", "1") +
                     counted("suppressed", in_state("'suppressed'")) +
                     counted("quarantined", in_state("'quarantined'")) +
                     counted("waiting", in_state("'pending'")) +
                     counted("in_doubt", in_state("'claimed', 'in_doubt', 'held'")) +
                     counted("sent", in_state("'sent'"));
  for (const char* step : kSteps)
    text += counted(step, R"(b.")" + std::string(step) + R"(")");
  text += counted("unlisted", R"(CASE WHEN b."state" = 'sent' AND b."known" = 0)"
                              R"( THEN 1 ELSE 0 END)");
  for (const auto& left_out : kLeftOut)
    text += counted(left_out.first, R"(b.")" + std::string(left_out.first) + R"(")");
  return text + " FROM " + by_period(dialect, shape, columns, funnel_rows(dialect, shape), true) +
         " b GROUP BY " + keys;
}

}  // namespace surveybridge::crm
