// [report]: what the views and reports of docs/REPORTS.md show.
#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "config/clock.hpp"
#include "config/keys/kinds.hpp"
#include "config/sections/sections.hpp"
#include "config/text.hpp"

namespace surveybridge::config {
namespace {

using Question = Report::Question;
using Day = Report::Day;
using namespace std::chrono_literals;

constexpr std::int64_t kScaleMost = 1000;
constexpr std::size_t kQuestionsMost = 100;

Kind<std::int64_t> question_number() {
  return bytes(1, std::numeric_limits<std::int64_t>::max());
}

Kind<std::int64_t> end_of_scale() {
  return bytes(-kScaleMost, kScaleMost);
}

void check_question(const Node::Table&, const TextPlace& place, const Trail& trail,
                    Question& question) {
  question.place = place;
  if (question.low.has_value() != question.high.has_value()) {
    trail.wrong(place, "needs both ends of the scale: low and high");
  } else if (question.low && *question.low >= *question.high) {
    trail.key("high").wrong(place, "must be above low");
  }
  const bool other_scale = question.low && (*question.low != 0 || *question.high != 10);
  if (question.kind == Question::Kind::nps && other_scale)
    trail.key("low").wrong(place, "a question of kind \"nps\" has the scale from 0 to 10");
}

Kind<Question> question_table() {
  using Kinds = Question::Kind;
  return section<Question>(
      {
          required(key("id", &Question::id, question_number(),
                       "the question's `BaseQuestionId` (`survey_question` lists them)")),
          key("label", &Question::label, name("a label"),
              "its name in reports; without it the service's own words"),
          key("kind", &Question::kind,
              choice<Kinds>({{"nps", Kinds::nps},
                             {"csat", Kinds::csat},
                             {"ces", Kinds::ces},
                             {"mean", Kinds::mean}}),
              "what is made of its answers: the net promoter score, the share of satisfied "
              "customers, the share of low effort, or the mean"),
          key("low", &Question::low, end_of_scale(),
              "the lowest value of the scale; without it 0 for nps, otherwise 1"),
          key("high", &Question::high, end_of_scale(),
              "the highest value; without it 10 for nps, 7 for ces, otherwise 5"),
      },
      check_question);
}

Kind<std::string> column_name() {
  return name("the name of a data column");
}

// No time: off.
Kind<Milliseconds> time_or_off() {
  constexpr Milliseconds kLeast = 24h, kMost = 36500 * 24h;
  return from_text<Milliseconds>(
      fmt::format("\"off\" or a duration from \"{}\" to \"{}\"", write_duration(kLeast),
                  write_duration(kMost)),
      [=](const std::string& text) -> Answer<Milliseconds> {
        if (text == "off") return Milliseconds{0};
        const auto read = read_duration(text);
        if (!read || *read < kLeast || *read > kMost) return Broken{};
        return *read;
      },
      [](const Milliseconds& value) { return quoted(write_duration(value)); });
}

// "Monday 08:00", "day 08:00", "month 08:00".
Answer<Schedule> read_schedule(const std::string& text) {
  const auto blank = text.find(' ');
  if (blank == std::string::npos) return Broken{};
  const std::string each = text.substr(0, blank);
  const auto at = read_time_of_day(std::string_view(text).substr(blank + 1));
  const auto weekday = read_weekday(each);
  if (!at || (!weekday && each != "day" && each != "month")) return Broken{};
  if (weekday) return Schedule{Schedule::Each::week, *weekday, *at};
  return Schedule{each == "day" ? Schedule::Each::day : Schedule::Each::month, {}, *at};
}

Kind<Report::Mail> mail_section() {
  using Mail = Report::Mail;
  return section<Mail>(
      {
          required(key("to", &Mail::to, list_of("a list of mail addresses", mail_address()),
                       "the addresses that get it")),
          required(key("through", &Mail::through, name("a receiver of [alert]"),
                       "the `[alert.NAME]` whose `from`, `server`, login and `ca_file` it takes")),
          required(key("every", &Mail::every,
                       from_text<Schedule>("\"Monday 08:00\" or the like, \"day 08:00\" or "
                                           "\"month 08:00\"",
                                           read_schedule),
                       "when it comes, by the CRM's clock: on a weekday, each day, or on the first "
                       "day of each month")),
          key("csv", &Mail::csv, flag(), "the tables as CSV files, beside the page"),
          key("words", &Mail::words, flag(),
              "with 50 texts that customers wrote and their scores, detractors' first, then the "
              "latest: for those who may "
              "read them"),
      },
      [](const Node::Table& table, const TextPlace& place, const Trail& trail, Mail& mail) {
        mail.place = place;
        const Entry* to = find(table, "to");
        if (to != nullptr && names_nobody(to->node, mail.to))
          trail.key("to").wrong(to->place, "needs an address");
      });
}

void check_report(const Node::Table&, const TextPlace& place, const Trail& trail, Report& report) {
  report.place = place;
  if (report.questions.size() > kQuestionsMost)
    trail.key("question").wrong(place, "has at most 100 questions");
  if (report.segments.size() > kReportSegments)
    trail.key("segments").wrong(place, "names at most 8 data columns");
  std::set<std::int64_t> ids;
  for (std::size_t i = 0; i < report.questions.size(); ++i) {
    const Question& question = report.questions[i];
    if (!ids.insert(question.id).second)
      trail.key("question").item(i).key("id").wrong(question.place, "is there twice");
  }
  for (const auto* columns : {&report.segments, &report.hidden}) {
    std::set<std::string> names;
    for (const auto& column : *columns) {
      const bool hidden_segment = columns == &report.segments &&
                                  std::ranges::find(report.hidden, column) != report.hidden.end();
      const Trail at = trail.key(columns == &report.segments ? "segments" : "hidden");
      if (!names.insert(lower_case(column)).second)
        at.wrong(place, quoted(column) + " is there twice");
      if (hidden_segment) at.wrong(place, quoted(column) + " is hidden and a segment");
    }
  }
}

}  // namespace

Kind<Report> report_section() {
  return section<Report>(
      {
          key("question", &Report::questions,
              list_of("tables: [[report.question]]", question_table()),
              "what the questions measure"),
          key("segments", &Report::segments, list_of("a list of data columns", column_name()),
              "data columns by which scores are compared, at most 8"),
          key("hidden", &Report::hidden, list_of("a list of data columns", column_name()),
              "data columns that no view shows, such as names and addresses"),
          key("week_starts", &Report::week_starts,
              choice<Day>({{"monday", Day::monday},
                           {"tuesday", Day::tuesday},
                           {"wednesday", Day::wednesday},
                           {"thursday", Day::thursday},
                           {"friday", Day::friday},
                           {"saturday", Day::saturday},
                           {"sunday", Day::sunday}}),
              "the first day of a week"),
          key("language", &Report::language, name("a language as the service writes it"),
              "of which respondents the texts of the questions are taken, where there are several "
              "(`language` in `survey_report_customer`); else of the most"),
          key("least", &Report::least, integer(1, 1000), "scores of fewer answers are not shown"),
          key("answer_days", &Report::answer_days, integer(1, 365),
              "only invitations of at least this age count for the response rate"),
          key("keep_history", &Report::keep_history, time_or_off(),
              "how far the history of statuses and scores goes back"),
          key("mail", &Report::mails, named_tables("report.mail", "a report's", mail_section()),
              "reports that come by mail"),
      },
      check_report);
}

}  // namespace surveybridge::config
