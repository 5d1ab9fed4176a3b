#include "connectors/crm/report/report_reading.hpp"

#include <algorithm>

#include "connectors/crm/dialect/sql.hpp"
#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/report/funnel_sql.hpp"
#include "connectors/crm/report/report_columns.hpp"
#include "connectors/crm/report/report_views.hpp"
#include "connectors/crm/report/sql_pieces.hpp"
#include "connectors/crm/rows/typed_cells.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using mapping::Funnel;

constexpr int kReasons = 50;

struct Counted {
  const char* name;
  std::int64_t Funnel::*member;
  const char* sum;  // of each row
};
constexpr std::array kCounted = {
    Counted{"transactions", &Funnel::transactions, "1"},
    Counted{"suppressed", &Funnel::suppressed,
            R"(CASE WHEN b."state" = 'suppressed' THEN 1 ELSE 0 END)"},
    Counted{"quarantined", &Funnel::quarantined,
            R"(CASE WHEN b."state" = 'quarantined' THEN 1 ELSE 0 END)"},
    Counted{"waiting", &Funnel::waiting, R"(CASE WHEN b."state" = 'pending' THEN 1 ELSE 0 END)"},
    Counted{"in_doubt", &Funnel::in_doubt,
            R"(CASE WHEN b."state" IN ('claimed', 'in_doubt', 'held') THEN 1 ELSE 0 END)"},
    Counted{"sent", &Funnel::sent, R"(CASE WHEN b."state" = 'sent' THEN 1 ELSE 0 END)"},
    Counted{"unlisted", &Funnel::unlisted,
            R"(CASE WHEN b."state" = 'sent' AND b."known" = 0 THEN 1 ELSE 0 END)"},
    Counted{"never_invited", &Funnel::never_invited, R"(b."never_invited")"},
    Counted{"invited", &Funnel::invited, R"(b."invited")"},
    Counted{"opened", &Funnel::opened, R"(b."opened")"},
    Counted{"begun", &Funnel::begun, R"(b."begun")"},
    Counted{"finished", &Funnel::finished, R"(b."finished")"},
    Counted{"bounced", &Funnel::bounced, R"(b."bounced")"},
    Counted{"opted_out", &Funnel::opted_out, R"(b."opted_out")"},
    Counted{"due", &Funnel::due, R"(b."due")"},
    Counted{"due_finished", &Funnel::due_finished, R"(b."due_finished")"},
    Counted{"not_drawn", &Funnel::not_drawn, R"(b."not_drawn")"},
    Counted{"over_quota", &Funnel::over_quota, R"(b."over_quota")"},
};

std::int64_t number_in(const Value& cell) {
  return mapping::is_null(cell) ? 0 : integer_in(cell);
}

// What a line is named by, as an expression over rows with the alias a.
std::string group(Dialect dialect, const ReportShape& shape, const GroupBy& by) {
  const auto& of = traits(dialect);
  const std::string day = in_dialect(dialect, R"(a."day")");
  switch (by.what) {
    case GroupBy::What::week:
      return of.day_text(of.week_of(day, static_cast<int>(shape.report.week_starts)));
    case GroupBy::What::month:
      return of.day_text(of.month_of(day));
    case GroupBy::What::segment:
      return exact(
          dialect,
          "COALESCE(a." + quoted(dialect, "segment_" + std::to_string(by.segment + 1)) + ", '')");
    case GroupBy::What::push:
      return exact(dialect, in_dialect(dialect, R"(COALESCE(a."push", ''))"));
    case GroupBy::What::language:
      return exact(dialect, in_dialect(dialect, R"(COALESCE(a."language", ''))"));
    case GroupBy::What::nothing:
      break;
  }
  return "''";
}

bool is_of_language(const GroupBy& by) {
  return by.what == GroupBy::What::language;
}

// Does only a customer have what the lines are parted by?
bool is_of_customers(const GroupBy& by) {
  return by.what == GroupBy::What::segment || is_of_language(by);
}

}  // namespace

ReportReading::ReportReading(Database& database, const ReportShape& shape, std::string push)
    : database_(database), snapshot_(database), shape_(shape), push_(std::move(push)) {
  const auto plan_quickly = traits(database_.dialect()).plan_quickly;
  if (!plan_quickly.empty()) query(std::string(plan_quickly));
  questions_ = scored_questions(shape_, shown_columns(shape_, stored_report_columns(database_),
                                                      stored_data_columns(database_)));
  for (auto& question : questions_) {
    if (question.low < question.high) continue;
    const auto seen =
        query("SELECT " + in_dialect(database_.dialect(), R"("low", "high")") + " FROM " +
              quoted(database_.dialect(), "survey_question") + " WHERE " +
              quoted(database_.dialect(), "id") + " = " + std::to_string(question.id));
    if (seen.rows.empty()) continue;
    question.low = number_in(seen.rows.front().at(0));
    question.high = number_in(seen.rows.front().at(1));
  }
}

Result ReportReading::query(const std::string& sql) {
  return database_.query({sql, {}});
}

std::string ReportReading::words_of(std::int64_t question) {
  const auto found =
      query(in_dialect(database_.dialect(), R"(SELECT "words" FROM "survey_question")"
                                            R"( WHERE "id" = )") +
            std::to_string(question));
  return found.rows.empty() ? "" : text_in(found.rows.front().at(0));
}

// The days are known to be dates: a literal takes the type of the day.
std::string ReportReading::condition(const DayRange& days, const std::string& alias) const {
  const Dialect dialect = database_.dialect();
  const std::string day = alias + "." + quoted(dialect, "day");
  std::string text = day + " >= " + literal(dialect, days.from) + " AND " + day +
                     " <= " + literal(dialect, days.to);
  if (!push_.empty())
    text += " AND " + alias + "." + quoted(dialect, "push") + " = " + literal(dialect, push_);
  return text;
}

std::string ReportReading::named(const GroupBy& by, const GroupBy& also) const {
  const Dialect dialect = database_.dialect();
  std::string name = group(dialect, shape_, by);
  if (!by.from.empty())
    name = in_dialect(dialect, R"(CASE WHEN a."day" < )") + literal(dialect, by.from) +
           " THEN '' ELSE " + name + " END";
  return name + " AS " + quoted(dialect, "name") + ", " + group(dialect, shape_, also) + " AS " +
         quoted(dialect, "second");
}

CountedLine& ReportReading::line_in(Lines& lines, const std::string& name,
                                    const std::string& second, bool known) const {
  auto [found, is_new] = lines.try_emplace({name, second, known});
  if (is_new)
    found->second = {name, {}, std::vector<mapping::Distribution>(questions_.size()), known};
  return found->second;
}

void ReportReading::add_funnels(const DayRange& days, const GroupBy& by, const GroupBy& also,
                                Lines& lines) {
  const Dialect dialect = database_.dialect();
  const bool tells_unknown = is_of_customers(by) || is_of_customers(also);
  std::string columns = in_dialect(dialect, R"(a."state", a."known", )") +
                        (tells_unknown ? in_dialect(dialect, R"(a."known")") : "1") + " AS " +
                        quoted(dialect, "has_value");
  const std::string keys = in_dialect(dialect, R"(b."name", b."second", b."has_value")");
  std::string sums = keys;
  for (const auto& each : kCounted) {
    const bool own = std::string_view(each.sum).starts_with("b.");
    if (own) columns += ", a." + quoted(dialect, each.name);
    sums += ", CAST(SUM(" + in_dialect(dialect, each.sum) + ") AS " +
            std::string(traits(dialect).whole_number) + ")";
  }
  const auto found =
      query("SELECT " + sums + " FROM (SELECT " + named(by, also) + ", " + columns + " FROM " +
            funnel_rows(dialect, shape_, is_of_language(by) || is_of_language(also)) + " a WHERE " +
            condition(days, "a") + ") b GROUP BY " + keys);
  for (const auto& row : found.rows) {
    auto& funnel =
        line_in(lines, text_in(row.at(0)), text_in(row.at(1)), number_in(row.at(2)) != 0).funnel;
    for (std::size_t i = 0; i < kCounted.size(); ++i)
      funnel.*kCounted[i].member = number_in(row.at(i + 3));
  }
}

void ReportReading::add_scores(const DayRange& days, const GroupBy& by, const GroupBy& also,
                               Lines& lines) {
  if (questions_.empty()) return;
  const Dialect dialect = database_.dialect();
  const std::string keys = in_dialect(dialect, R"(b."name", b."second", b."question", b."score")");
  const auto found =
      query("SELECT " + keys + ", COUNT(*) FROM (SELECT " + named(by, also) +
            in_dialect(dialect, R"(, a."question", a."score" FROM )") +
            score_rows(dialect, shape_, questions_, is_of_language(by) || is_of_language(also)) +
            " a WHERE " + condition(days, "a") + ") b GROUP BY " + keys);
  for (const auto& row : found.rows) {
    const auto question = std::ranges::find(questions_, text_in(row.at(2)), &ScoredQuestion::label);
    if (question == questions_.end()) continue;
    auto& scores = line_in(lines, text_in(row.at(0)), text_in(row.at(1)), true)
                       .scores.at(static_cast<std::size_t>(question - questions_.begin()));
    scores[number_in(row.at(3))] += number_in(row.at(4));
  }
}

std::vector<CountedLine> ReportReading::lines(const DayRange& days, const GroupBy& by,
                                              const GroupBy& also) {
  Lines lines;
  add_funnels(days, by, also, lines);
  add_scores(days, by, also, lines);
  std::vector<CountedLine> all;
  for (auto& [key, one] : lines) {
    if (also.what != GroupBy::What::nothing) one.second = std::get<1>(key);
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<ReportReading::Reason> ReportReading::reasons(const DayRange& days, State state) {
  const Dialect dialect = database_.dialect();
  const std::string day =
      local_day(dialect, in_dialect(dialect, R"(COALESCE(t."transaction_date", t."seen_at"))"),
                shape_.time_zone);
  const std::string no(traits(dialect).false_text);
  const std::string rows =
      in_dialect(dialect, R"((SELECT t."push", )") +
      exact(dialect, "COALESCE(" + shown_reason(dialect, "t") + ", '')") +
      in_dialect(dialect, R"( AS "reason", )") + day +
      in_dialect(dialect, R"( AS "day" FROM "survey_push" t WHERE t."state" = )") +
      literal(dialect, to_string(state)) + in_dialect(dialect, R"( AND COALESCE(t."test", )") + no +
      ") = " + no + ")";
  const auto found = query(
      limited(dialect,
              in_dialect(dialect, R"(SELECT a."reason", COUNT(*) AS "n" FROM )") + rows +
                  " a WHERE " + condition(days, "a") +
                  in_dialect(dialect, R"( GROUP BY a."reason" ORDER BY "n" DESC, a."reason")"),
              kReasons));
  std::vector<Reason> reasons;
  for (const auto& row : found.rows)
    reasons.push_back({text_in(row.at(0)), number_in(row.at(1))});
  return reasons;
}

std::vector<ReportReading::Reason> ReportReading::not_invited(const DayRange& days) {
  const Dialect dialect = database_.dialect();
  const std::string status =
      exact(dialect, in_dialect(dialect, R"(COALESCE(c."status_name", ''))"));
  const std::string rows =
      in_dialect(dialect, R"((SELECT COALESCE(i."push", '') AS "push", c."status_code", )") +
      status + in_dialect(dialect, R"( AS "status", )") +
      local_day(dialect, counted_date(dialect), shape_.time_zone) +
      in_dialect(dialect, R"( AS "day" FROM "survey_invitation" i LEFT JOIN "survey_customer" c)"
                          R"( ON c."id" = i."customer_id" WHERE i."invited_at" IS NULL AND )") +
      counts(dialect) + ")";
  const std::string keys = in_dialect(dialect, R"(a."status", a."status_code")");
  const auto found =
      query(limited(dialect,
                    "SELECT " + keys + in_dialect(dialect, R"(, COUNT(*) AS "n" FROM )") + rows +
                        " a WHERE " + condition(days, "a") + " GROUP BY " + keys +
                        in_dialect(dialect, R"( ORDER BY "n" DESC, a."status", a."status_code")"),
                    kReasons));
  std::vector<Reason> statuses;
  for (const auto& row : found.rows) {
    std::string name = text_in(row.at(0));
    if (name.empty() && !mapping::is_null(row.at(1)))
      name = "status " + std::to_string(number_in(row.at(1)));
    statuses.push_back({std::move(name), number_in(row.at(2))});
  }
  return statuses;
}

std::vector<ReportReading::Bounces> ReportReading::bounces(const DayRange& days) {
  const Dialect dialect = database_.dialect();
  const std::string day =
      local_day(dialect, in_dialect(dialect, R"(COALESCE(i."bounced_at", i."transaction_date"))"),
                shape_.time_zone);
  const std::string rows =
      in_dialect(dialect, R"((SELECT COALESCE(i."push", '') AS "push", i."kind", )") +
      exact(dialect, in_dialect(dialect, R"(COALESCE(i."mail_domain", ''))")) +
      in_dialect(dialect, R"( AS "mail_domain", )") + day +
      in_dialect(dialect, R"( AS "day" FROM "survey_bounce" i WHERE i."test" = 0))");
  const auto found = query(
      limited(dialect,
              in_dialect(dialect, R"(SELECT a."kind", a."mail_domain", COUNT(*) AS "n" FROM )") +
                  rows + " a WHERE " + condition(days, "a") +
                  in_dialect(dialect, R"( GROUP BY a."kind", a."mail_domain")"
                                      R"( ORDER BY "n" DESC, a."kind", a."mail_domain")"),
              kReasons));
  std::vector<Bounces> bounces;
  for (const auto& row : found.rows)
    bounces.push_back({text_in(row.at(0)), text_in(row.at(1)), number_in(row.at(2))});
  return bounces;
}

ReportReading::Contacts ReportReading::contacts() {
  const Dialect dialect = database_.dialect();
  std::string sql = in_dialect(dialect, R"(SELECT COUNT(*), MIN(a."requested_at") FROM)"
                                        R"( "survey_report_contact" a WHERE a."is_open" = 1)");
  if (!push_.empty()) sql += in_dialect(dialect, R"( AND a."push" = )") + literal(dialect, push_);
  const auto found = query(sql);
  Contacts contacts{number_in(found.rows.at(0).at(0)), {}};
  if (const auto oldest = instant_in(found.rows.at(0).at(1)))
    contacts.oldest = day_of(*oldest, shape_.time_zone);
  std::string who = in_dialect(dialect, R"(SELECT a."customer_id" FROM "survey_report_contact" a)"
                                        R"( WHERE a."is_open" = 1)");
  if (!push_.empty()) who += in_dialect(dialect, R"( AND a."push" = )") + literal(dialect, push_);
  who += in_dialect(dialect, R"( ORDER BY a."customer_id")");
  for (const auto& row : query(limited(dialect, who, kReasons)).rows)
    contacts.customers.push_back(number_in(row.at(0)));
  return contacts;
}

ReportReading::AnswerTime ReportReading::answer_time(const DayRange& days) {
  const Dialect dialect = database_.dialect();
  const auto found = query(
      in_dialect(dialect, R"(SELECT COUNT(a."seconds_to_answer"), )") +
      whole(dialect, in_dialect(dialect, R"(COALESCE(SUM(a."seconds_to_answer"), 0))")) +
      in_dialect(dialect,
                 R"( FROM (SELECT COALESCE(i."push", '') AS "push", i."seconds_to_answer", )") +
      local_day(dialect, counted_date(dialect), shape_.time_zone) +
      in_dialect(dialect, R"( AS "day" FROM "survey_invitation" i WHERE )") + counts(dialect) +
      ") a WHERE " + condition(days, "a"));
  return {number_in(found.rows.at(0).at(0)), number_in(found.rows.at(0).at(1))};
}

std::vector<ReportReading::Text> ReportReading::texts(const DayRange& days, int most,
                                                      const std::string& word) {
  const Dialect dialect = database_.dialect();
  std::string contains;
  if (!word.empty()) {
    std::string like;  // as LIKE reads it literally
    for (const char c : word)
      like += (std::string_view("!%_[").find(c) != std::string_view::npos ? "!" : "") +
              std::string(1, c);
    contains = in_dialect(dialect, R"( AND LOWER(a."text") LIKE LOWER()") +
               literal(dialect, "%" + like + "%") + ") ESCAPE '!'";
  }
  const auto nps =
      std::ranges::find(questions_, config::Report::Question::Kind::nps, &ScoredQuestion::kind);
  const bool recommends = nps != questions_.end();
  const std::string score =
      recommends ? "n." + quoted(dialect, score_column(nps->id, nps->occurrences.front())) : "NULL";
  const std::string first = recommends ? "CASE WHEN " + score + " <= 6 THEN 0 ELSE 1 END, " : "";
  const auto found = query(limited(
      dialect,
      "SELECT " + traits(dialect).day_text(in_dialect(dialect, R"(a."day")")) +
          in_dialect(dialect, R"(, a."question", a."text", a."score", )") + score +
          in_dialect(dialect, R"( FROM "survey_report_text" a LEFT JOIN "survey_invitation" n)"
                              R"( ON n."customer_id" = a."customer_id" WHERE )") +
          condition(days, "a") + contains + " ORDER BY " + first +
          in_dialect(dialect, R"(a."date_answered" DESC)"),
      most));
  const auto number_or_none = [](const Value& cell) {
    return mapping::is_null(cell) ? std::nullopt : std::optional(integer_in(cell));
  };
  std::vector<Text> texts;
  for (const auto& row : found.rows)
    texts.push_back({text_in(row.at(0)), text_in(row.at(1)), text_in(row.at(2)),
                     number_or_none(row.at(3)), number_or_none(row.at(4))});
  return texts;
}

std::int64_t ReportReading::encrypted(const DayRange& days) {
  const Dialect dialect = database_.dialect();
  const std::string no(traits(dialect).false_text);
  const std::string rows =
      in_dialect(dialect, R"((SELECT COALESCE(i."push", '') AS "push", )") +
      local_day(dialect, counted_date(dialect), shape_.time_zone) +
      in_dialect(dialect, R"( AS "day" FROM "survey_invitation" i JOIN "survey_answer" e)"
                          R"( ON e."customer_id" = i."customer_id")"
                          R"( AND e."date_answered" IS NOT NULL AND e."is_encrypted" <> )") +
      no + " WHERE " + counts(dialect) + ")";
  return number_in(
      query("SELECT COUNT(*) FROM " + rows + " a WHERE " + condition(days, "a")).rows.at(0).at(0));
}

bool ReportReading::is_complete() {
  return report_state(database_, "survey_customer").ends_with(" all");
}

bool has_report_tables(Database& database) {
  const auto names = catalogue(database);
  return names.contains("survey_report_text") && names.contains("survey_report_score");
}

std::string day_of(Instant instant, const std::string& zone) {
  return mapping::write_local(mapping::to_zone(instant, zone)).substr(0, 10);
}

}  // namespace surveybridge::crm
