#include "tests/daemon/report/sample_report.hpp"

#include <fmt/format.h>

namespace sample {

namespace {

using namespace surveybridge::daemon;
using surveybridge::mapping::Distribution;

std::vector<ReportQuestion> questions() {
  return {{"Recommend", "How likely is it that you recommend us?", QuestionKind::nps, 0, 10},
          {"Satisfaction", "How satisfied are you with your order?", QuestionKind::csat, 1, 5},
          {"Effort", "It was easy to place my order.", QuestionKind::ces, 1, 7},
          {"Delivery", "How do you rate the delivery?", QuestionKind::mean, 1, 5}};
}

// `answers` of them on the scale, `up` in a hundred of them in its upper part, the rest below.
Distribution answers_on(std::int64_t low, std::int64_t high, std::int64_t answers,
                        std::int64_t up) {
  Distribution found;
  const std::int64_t positions = high - low + 1, top = positions * 2 / 5;
  const std::int64_t above = answers * up / 100;
  for (std::int64_t i = 0; i < answers; ++i) {
    const std::int64_t value =
        i < above ? high - (i * i) % top : low + (i * 7 + i / 3) % (positions - top);
    ++found[value];
  }
  return found;
}

std::vector<Distribution> scores(std::int64_t answers, std::int64_t up) {
  return {answers_on(0, 10, answers, up), answers_on(1, 5, answers * 9 / 10, up + 8),
          answers_on(1, 7, answers * 8 / 10, up + 3), answers_on(1, 5, answers * 7 / 10, up)};
}

// `due`: of a hundred delivered invitations those that are old enough.
Funnel funnel(std::int64_t transactions, std::int64_t percent, std::int64_t due) {
  Funnel of;
  of.transactions = transactions;
  of.suppressed = transactions / 25;
  of.quarantined = transactions / 50;
  of.waiting = transactions / 100;
  of.in_doubt = transactions > 60 ? 1 : 0;
  of.sent = transactions - of.suppressed - of.quarantined - of.waiting - of.in_doubt;
  of.invited = of.sent - of.sent / 100;
  of.never_invited = of.sent / 100;
  of.bounced = of.invited / 30;
  of.opened = of.invited * 6 / 10;
  of.finished = (of.invited - of.bounced) * percent / 100;
  of.begun = of.finished * 12 / 10;
  of.opted_out = of.invited / 90;
  of.due = (of.invited - of.bounced) * due / 100;
  of.due_finished = of.due * percent / 100;
  return of;
}

void add(Funnel& to, const Funnel& more) {
  const std::int64_t* from = &more.transactions;
  std::int64_t* sum = &to.transactions;
  constexpr int kCounts = 18;
  static_assert(sizeof(Funnel) == kCounts * sizeof(std::int64_t));
  for (int i = 0; i < kCounts; ++i)
    sum[i] += from[i];
}

void add(ReportLine& to, const ReportLine& more) {
  add(to.funnel, more.funnel);
  to.scores.resize(more.scores.size());
  for (std::size_t i = 0; i < more.scores.size(); ++i)
    for (const auto& [value, number] : more.scores[i])
      to.scores[i][value] += number;
}

ReportLine line(std::string name, std::int64_t transactions, std::int64_t percent, std::int64_t up,
                std::int64_t due = 100) {
  ReportLine made{std::move(name), funnel(transactions, percent, due), {}};
  made.scores = scores(made.funnel.finished, up);
  return made;
}

void add_weeks(SurveyReport& report) {
  const std::vector<std::string> weeks = {"2026-08-31", "2026-09-07", "2026-09-14", "2026-09-21",
                                          "2026-09-28", "2026-10-05", "2026-10-12", "2026-10-19",
                                          "2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16"};
  const std::vector<std::int64_t> sizes = {104, 131, 118, 122, 24, 96, 140, 151, 133, 127, 144, 90};
  for (std::size_t i = 0; i < weeks.size(); ++i) {
    const auto step = static_cast<std::int64_t>(i);
    report.periods.push_back(line(weeks[i], sizes[i], 24 + step * 5 % 13, 52 + step * 11 % 21,
                                  i == 11 ? 0 : (i == 10 ? 9 : 100)));
    add(report.total, report.periods.back());
  }
}

void add_branches(SurveyReport& report) {
  report.segment = "Branch";
  report.segments = {line("Hamburg", 410, 31, 63), line("Köln", 330, 28, 55),
                     line("Berlin", 300, 26, 70), line("Online", 240, 22, 44),
                     line("Leipzig", 70, 12, 60)};
}

}  // namespace

SurveyReport quarter() {
  SurveyReport report;
  report.push = "orders";
  report.from = "2026-08-31";
  report.to = "2026-11-22";
  report.made_at = "2026-11-23 09:00";
  report.time_zone = "Europe/Berlin";
  report.answer_days = 14;
  report.questions = questions();
  add_weeks(report);
  add_branches(report);
  report.before = line("2026-06-08 to 2026-08-30", 1310, 33, 60);
  report.suppressed = {{"opted out", 21}, {"invited within 90 days", 30}, {"forget", 2}};
  report.quarantined = {{"Email: required, the column \"email\" is empty", 17},
                        {"Answers[0].Value: not an integer", 8}};
  report.not_invited = {{"Closed", 24}, {"Locked", 9}, {"", 2}};
  report.bounces = {
      {"hard", "example.test", 12}, {"soft", "mail.example", 9}, {"unknown", "old.example", 4}};
  report.contact = {3, "2026-11-02"};
  report.texts = {{"2026-11-20", "Recommend", "Came two days late, but <b>well packed</b>.", 7},
                  {"2026-11-19", "Delivery", "شكرا جزيلا, great service 👍", 10},
                  {"2026-11-18", "Satisfaction", "=HYPERLINK(\"http://x\")", std::nullopt}};
  report.links = {
      {"Time",
       {{"This quarter", "?from=2026-08-31", true}, {"Last quarter", "?from=2026-06-08", false}}},
      {"Divide by", {{"Branch", "?by=Branch", true}, {"Product", "?by=Product", false}}}};
  return report;
}

SurveyReport hostile_quarter() {
  SurveyReport report = quarter();
  report.push = "<script>alert('push')</script>";
  report.segment = "Filiale \"<i>\"";
  report.segments.clear();
  for (int i = 0; i < 300; ++i)
    report.segments.push_back(line(fmt::format("Branch {} of the north-east", i),
                                   i < 45 ? 400 - 3 * i : 20, 25 + i % 9, 45 + i % 31));
  report.segments[0].name = "<img src=x onerror=alert(1)>" + std::string(400, 'W');
  report.segments[1].name = "فرع دمشق الرئيسي";
  report.segments[2].name =
      "\xe2\x80\xae"
      "evil\xff\x1b[31m \"quoted\" & 'single'";
  report.segments[3].name = "=cmd|' /C calc'!A0";
  report.segments[4].name = "ann.smith@example.test";
  report.segments[5].name = "";
  report.segments[6].name = "🛍️ Laden 横浜市中央店舗本館";
  report.questions[0].label = "Empfehlung </title><svg onload=x>";
  report.questions[1].label = "מרוצה";
  report.questions[2].label = std::string(120, 'm');
  report.questions[3].text = "";
  report.quarantined = {{"Email: not an address: ann.smith@example.test", 4},
                        {"refused by the service: Ann Smith lives in Example Street", 2},
                        {"refused by the service: Bob Jones is no customer", 3}};
  report.bounces = {{"hard", "ann.smith@example.test", 1}, {"soft", "", -5}};
  report.links[0].links.push_back({"<b>run</b>", "javascript:alert(1)", false});
  report.total.scores[0][77] = 3;
  return report;
}

SurveyReport nothing() {
  SurveyReport report;
  report.from = "2026-08-31";
  report.to = "2026-11-22";
  report.made_at = "2026-11-23 09:00";
  report.time_zone = "UTC";
  return report;
}

SurveyReport one_customer() {
  SurveyReport report = nothing();
  report.questions = questions();
  report.total = {"", {}, {{{10, 1}}, {{5, 1}}, {{7, 1}}, {{5, 1}}}};
  Funnel& of = report.total.funnel;
  of.transactions = of.sent = of.invited = of.opened = of.begun = of.finished = 1;
  of.due = of.due_finished = 1;
  report.periods = {{"2026-08-31", of, report.total.scores}};
  report.segment = "Branch";
  report.segments = {{"Hamburg", of, report.total.scores}};
  report.before = {"2026-06-08 to 2026-08-30", {}, {}};
  return report;
}

}  // namespace sample
