#include "connectors/crm/report/report_reading.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "connectors/crm/dialect/traits.hpp"
#include "connectors/crm/rows/row_struct.hpp"
#include "connectors/crm/schema/schema.hpp"
#include "connectors/crm/schema/stored_columns.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::crm {
namespace {

using What = GroupBy::What;

constexpr int kMost = 50;  // reasons, bounces, customers

std::int64_t number_in(const Value& cell) {
  return integer_or_none(cell).value_or(0);
}

// A condition: the text has this word in it, in any case of letters, as LIKE reads it literally.
std::string contains(const ReportSql& sql, const std::string& word) {
  if (word.empty()) return "";
  std::string like;
  for (const char c : word) {
    if (std::string_view("!%_[").find(c) != std::string_view::npos) like += '!';
    like += c;
  }
  return sql(R"( AND LOWER(a."text") LIKE LOWER({}) ESCAPE '!')", sql.literal("%" + like + "%"));
}

}  // namespace

ReportReading::ReportReading(Database& database, const ReportShape& shape, std::string push)
    : database_(database),
      snapshot_(database),
      sql_{database.dialect(), shape},
      push_(std::move(push)) {
  const std::string plan_quickly(traits(database.dialect()).plan_quickly);
  if (!plan_quickly.empty()) query(plan_quickly);
  questions_ = scored_questions(
      shape, shown_columns(shape, stored_report_columns(database), stored_data_columns(database)));
  for (auto& question : questions_) {
    const auto seen = query_rows(
        database, R"(SELECT "words", "low", "high" FROM "survey_question" WHERE "id" = {integer})",
        {question.id});
    if (seen.empty()) continue;
    question.text = text_in(seen.front().at(0));
    if (question.low < question.high) continue;
    question.low = number_in(seen.front().at(1));
    question.high = number_in(seen.front().at(2));
  }
}

std::vector<std::vector<Value>> ReportReading::query(const std::string& sql) {
  return database_.query({sql, {}}).rows;
}

std::string ReportReading::is_of_push() const {
  return push_.empty() ? "" : sql_(R"( AND a."push" = {})", sql_.literal(push_));
}

// The days are known to be dates: a literal takes the type of the day.
std::string ReportReading::is_within(const DayRange& days) const {
  return sql_(R"(a."day" >= {} AND a."day" <= {}{})", sql_.literal(days.from),
              sql_.literal(days.to), is_of_push());
}

std::string ReportReading::name_of(const GroupBy& by) const {
  const auto& of = traits(sql_.dialect);
  const std::string day = sql_(R"(a."day")");
  std::string name = "''";
  if (by.what == What::week) {
    name = of.day_text(of.week_of(day, static_cast<int>(sql_.shape.report.week_starts)));
  } else if (by.what == What::month) {
    name = of.day_text(of.month_of(day));
  } else if (by.what != What::nothing) {
    std::string column = by.what == What::push ? "push" : "language";
    if (by.what == What::segment) column = "segment_" + std::to_string(by.segment + 1);
    name = of.exact(sql_("COALESCE(a.{}, '')", sql_.name(column)));
  }
  if (by.from.empty()) return name;
  return sql_("CASE WHEN {} < {} THEN '' ELSE {} END", day, sql_.literal(by.from), name);
}

std::vector<CountedLine> ReportReading::lines(const DayRange& days, const GroupBy& by,
                                              const GroupBy& also) {
  const auto one_is = [&](What what) { return by.what == what || also.what == what; };
  const bool with_language = one_is(What::language);
  // Only a customer has what the lines are parted by.
  const bool tells_unknown = with_language || one_is(What::segment);
  const auto parted = [&](const std::string& keys, const std::string& sums,
                          const std::string& columns, const std::string& rows) {
    return query(sql_(R"(SELECT {0}, {1} FROM (SELECT {2} AS "name", {3} AS "second", {4} FROM {5} a
                      WHERE {6}) b GROUP BY {0})",
                      keys, sums, name_of(by), name_of(also), columns, rows, is_within(days)));
  };
  std::map<std::tuple<std::string, std::string, bool>, CountedLine> lines;
  const auto line_of = [&](const std::vector<Value>& row, bool known) -> CountedLine& {
    const std::string name = text_in(row.at(0)), second = text_in(row.at(1));
    auto& line = lines[{name, second, known}];
    line.name = name;
    line.known = known;
    if (also.what != What::nothing) line.second = second;
    line.scores.resize(questions_.size());
    return line;
  };
  for (const auto& row : parted(sql_(R"(b."name", b."second", b."has_value")"), funnel_sums(sql_),
                                sql_(R"({}, {} AS "has_value")", funnel_columns(sql_),
                                     tells_unknown ? sql_(R"(a."known")") : "1"),
                                funnel_rows(sql_, with_language))) {
    auto& funnel = line_of(row, number_in(row.at(2)) != 0).funnel;
    for (const auto& [name, number] : kFunnelNumbers) {
      const auto sum = std::ranges::find(kFunnelSums, name) - kFunnelSums.begin();
      funnel.*number = number_in(row.at(3 + static_cast<std::size_t>(sum)));
    }
  }
  if (!questions_.empty()) {
    for (const auto& row : parted(sql_(R"(b."name", b."second", b."question", b."score")"),
                                  "COUNT(*)", sql_(R"(a."question", a."score")"),
                                  score_rows(sql_, questions_, {.with_language = with_language}))) {
      const auto question =
          std::ranges::find(questions_, text_in(row.at(2)), &ScoredQuestion::label);
      if (question == questions_.end()) continue;
      auto& scores =
          line_of(row, true).scores.at(static_cast<std::size_t>(question - questions_.begin()));
      scores[number_in(row.at(3))] += number_in(row.at(4));
    }
  }
  std::vector<CountedLine> all;
  for (auto& [key, line] : lines)
    all.push_back(std::move(line));
  return all;
}

std::vector<std::vector<Value>> ReportReading::most_frequent(const std::string& keys,
                                                             const std::string& rows,
                                                             const DayRange& days) {
  return query(limited(sql_.dialect,
                       sql_(R"(SELECT {0}, COUNT(*) AS "n" FROM {1} a WHERE {2} GROUP BY {0}
                            ORDER BY "n" DESC, {0})",
                            keys, rows, is_within(days)),
                       kMost));
}

std::vector<ReportReading::Reason> ReportReading::reasons(const DayRange& days, State state) {
  // The push as it is: an index leads with it.
  const std::string rows =
      sql_(R"((SELECT t."push", {} AS "reason", {} AS "day" FROM "survey_push" t
           WHERE t."state" = '{}' AND {}))",
           exact(sql_.dialect, sql_("COALESCE({}, '')", sql_.shown_reason("t"))),
           sql_.day(R"(COALESCE(t."transaction_date", t."seen_at"))"), to_string(state),
           sql_.is_not("t", "test"));
  return structs_in<Reason>(most_frequent(sql_(R"(a."reason")"), rows, days));
}

std::vector<ReportReading::Reason> ReportReading::not_invited(const DayRange& days) {
  const std::string rows = sql_.rows(sql_(R"(c."status_code", {} AS "status", )",
                                          sql_.letters(R"(COALESCE(c."status_name", ''))")),
                                     sql_.counted_day(),
                                     sql_(R"("survey_invitation" i LEFT JOIN "survey_customer" c
                     ON c."id" = i."customer_id" WHERE i."invited_at" IS NULL AND {})",
                                          sql_.counts()));
  std::vector<Reason> statuses;
  for (const auto& row : most_frequent(sql_(R"(a."status", a."status_code")"), rows, days)) {
    std::string name = text_in(row.at(0));
    if (const auto code = integer_or_none(row.at(1)); name.empty() && code)
      name = "status " + std::to_string(*code);
    statuses.push_back({std::move(name), number_in(row.at(2))});
  }
  return statuses;
}

std::vector<ReportReading::Bounces> ReportReading::bounces(const DayRange& days) {
  return structs_in<Bounces>(most_frequent(sql_(R"(a."kind", a."mail_domain")"),
                                           bounce_rows(sql_, R"(COALESCE(i."mail_domain", ''))"),
                                           days));
}

ReportReading::Contacts ReportReading::contacts() {
  const std::string open =
      sql_(R"(FROM "survey_report_contact" a WHERE a."is_open" = 1{})", is_of_push());
  const auto found = query(sql_(R"(SELECT COUNT(*), MIN(a."requested_at") {})", open)).at(0);
  Contacts contacts{number_in(found.at(0)), {}};
  if (const auto oldest = instant_in(found.at(1)))
    contacts.oldest = day_of(*oldest, sql_.shape.time_zone);
  const std::string who = sql_(R"(SELECT a."customer_id" {} ORDER BY a."customer_id")", open);
  for (const auto& row : query(limited(sql_.dialect, who, kMost)))
    contacts.customers.push_back(number_in(row.at(0)));
  return contacts;
}

ReportReading::AnswerTime ReportReading::answer_time(const DayRange& days) {
  const std::string rows = sql_.rows(sql_(R"(i."seconds_to_answer", )"), sql_.counted_day(),
                                     sql_(R"("survey_invitation" i WHERE {})", sql_.counts()));
  const auto found = query(sql_(R"(SELECT COUNT(a."seconds_to_answer"),
                 CAST(COALESCE(SUM(a."seconds_to_answer"), 0) AS {}) FROM {} a WHERE {})",
                                traits(sql_.dialect).whole_number, rows, is_within(days)))
                         .at(0);
  return {number_in(found.at(0)), number_in(found.at(1))};
}

std::vector<ReportReading::Text> ReportReading::texts(const DayRange& days, int most,
                                                      const std::string& word) {
  const auto nps = std::ranges::find(questions_, ScoredQuestion::Kind::nps, &ScoredQuestion::kind);
  std::string score = "NULL", first;
  if (nps != questions_.end()) {
    score = "n." + sql_.name(score_column(nps->id, nps->occurrences.front()));
    first = "CASE WHEN " + score + " <= 6 THEN 0 ELSE 1 END, ";
  }
  const std::string select =
      sql_(R"(SELECT {}, a."question", a."text", a."score", {} FROM "survey_report_text" a
           LEFT JOIN "survey_invitation" n ON n."customer_id" = a."customer_id" WHERE {}{}
           ORDER BY {}a."date_answered" DESC)",
           traits(sql_.dialect).day_text(sql_(R"(a."day")")), score, is_within(days),
           contains(sql_, word), first);
  return structs_in<Text>(query(limited(sql_.dialect, select, most)));
}

std::int64_t ReportReading::encrypted(const DayRange& days) {
  const std::string rows = sql_.rows(
      "", sql_.counted_day(),
      sql_(R"("survey_invitation" i JOIN "survey_answer" e ON e."customer_id" = i."customer_id"
           AND e."date_answered" IS NOT NULL AND e."is_encrypted" <> {} WHERE {})",
           traits(sql_.dialect).false_text, sql_.counts()));
  return number_in(
      query(sql_("SELECT COUNT(*) FROM {} a WHERE {}", rows, is_within(days))).at(0).at(0));
}

bool has_report_tables(Database& database) {
  const auto names = catalogue(database);
  return names.contains("survey_report_text") && names.contains("survey_report_score");
}

std::string day_of(Instant instant, const std::string& zone) {
  return mapping::write_local(mapping::to_zone(instant, zone)).substr(0, 10);
}

}  // namespace surveybridge::crm
