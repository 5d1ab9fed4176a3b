#include "daemon/report/figures.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "daemon/report/pictures.hpp"

namespace surveybridge::daemon {

namespace {

// The segment of what has no customer yet.
constexpr const char* kNotKnown = "(not known)";
constexpr const char* kNoValue = "(no value)";  // of a customer without one

// Fit to be shown, and without numbers below zero.
ReportLine shown_line(ReportLine line, std::string_view if_empty) {
  line.name = shown_name(line.name, if_empty);
  if (line.second) line.name += " / " + shown_name(*line.second, if_empty);
  for (const auto& each : crm::kFunnelNumbers)
    line.funnel.*each.number = std::max<std::int64_t>(line.funnel.*each.number, 0);
  return line;
}

bool nothing_in(const ReportLine& line) {
  return std::ranges::none_of(crm::kFunnelNumbers,
                              [&](const auto& each) { return line.funnel.*each.number > 0; }) &&
         std::ranges::all_of(line.scores, [](const auto& score) { return score.empty(); });
}

// Leaves out an empty line of transactions without a customer.
std::vector<ReportLine> shown_lines(const std::vector<ReportLine>& lines) {
  std::vector<ReportLine> shown;
  for (const auto& line : lines)
    if (line.known || !nothing_in(line))
      shown.push_back(shown_line(line, line.known ? kNoValue : kNotKnown));
  return shown;
}

// "1 row waits", "1,170 rows wait".
std::string counted(std::int64_t count, const std::string& one, const std::string& several) {
  return count == 1 ? "1 " + one : count_text(count) + " " + several;
}

void sort_by_answers(std::vector<ReportLine>& lines) {
  std::ranges::stable_sort(lines, [](const ReportLine& a, const ReportLine& b) {
    return std::tie(b.funnel.finished, b.funnel.due, a.name) <
           std::tie(a.funnel.finished, a.funnel.due, b.name);
  });
}

std::vector<HeldPush> shown_held(std::vector<HeldPush> held) {
  for (auto& each : held) {
    each.push = shown_name(each.push, "");
    each.reason = shown_name(each.reason, "(no reason)");
  }
  return held;
}

std::string held_sentence(const HeldPush& held) {
  return fmt::format(
      "The brake holds {} ({}): {} for `surveybridge release {}` and {} in no figure here.",
      held.push, held.reason,
      held.rows ? counted(*held.rows, "row waits", "rows wait")
                : "rows that could not be counted wait",
      held.push, held.rows == 1 ? "is" : "are");
}

std::string answer_time_sentence(const AnswerTime& time) {
  constexpr double kMinute = 60, kHour = 3600, kDay = 86400;
  const double seconds = static_cast<double>(time.seconds) / static_cast<double>(time.answers);
  const std::string length = seconds < kMinute    ? "less than a minute"
                             : seconds < kHour    ? fmt::format("{:.0f} minutes", seconds / kMinute)
                             : seconds < 3 * kDay ? fmt::format("{:.1f} hours", seconds / kHour)
                                                  : fmt::format("{:.1f} days", seconds / kDay);
  return fmt::format("An answer came {} after the invitation, on average ({}).", length,
                     counted(time.answers, "answer", "answers"));
}

std::string contact_sentence(const Contact& contact) {
  if (contact.open <= 0)
    return "No request for contact from the survey is open. Rows that a write-back made in the CRM "
           "are not counted here.";
  const std::string sentence = fmt::format(
      "{} to be contacted{}.", counted(contact.open, "customer waits", "customers wait"),
      contact.oldest ? ", the longest since " + fit_to_show(*contact.oldest) : "");
  if (contact.customers.empty()) return sentence;
  const bool all = static_cast<std::int64_t>(contact.customers.size()) == contact.open;
  return fmt::format("{} {}: {}.", sentence, all ? "Their numbers" : "The first numbers",
                     fmt::join(contact.customers, ", "));
}

std::vector<std::string> notes_of(const SurveyReport& report, const Figures& figures) {
  std::vector<std::string> notes{
      "Days: those of the transaction, not of the mail or the answer. A transaction that has no "
      "customer, and whose date the ledger does not keep, counts on the day when the bridge first "
      "met it, also one that was suppressed or quarantined. Bounces by domain count on the day of "
      "the bounce.",
      "Transactions: the figures know those that the bridge has met and written into its ledger. "
      "Rows of the CRM that the brake holds, or that the next poll will find, are in no figure, "
      "also not among those that wait.",
      fmt::format("Could have answered: a delivered invitation counts once it is {0} old, "
                  "answered or not. Younger ones are left out of the response rate, so that the "
                  "last {1}s look neither better nor worse than they are. A figure \"so far\" is "
                  "of a {1} of "
                  "which less than half counts yet.",
                  counted(report.answer_days, "day", "days"),
                  report.period == "month" ? "month" : "week"),
      "Not invited: sent and not pulled yet are also customers that were forgotten, or removed "
      "because of their age. "
      "Never invited are those that the service has closed, or that opted out, bounced or finished "
      "without an invitation. Not invited yet may be some that it has locked or found at fault: "
      "the table of statuses says how many.",
      "Answers: the n of a score counts each answer on its scale, also of customers who have not "
      "finished the survey.",
      "Intervals: the range behind a figure has 95 % confidence. Shares have Wilson's interval, "
      "net promoter scores the adjusted Wald interval of a difference of shares, means Student's.",
      "Changes: one is called so only where the interval of the difference excludes zero. Even so, "
      "of twenty figures that do not change, one seems to.",
      fmt::format("Few answers: a figure from fewer than {} is not shown.",
                  count_text(std::max<std::int64_t>(1, report.least))),
      "Forgotten people: what `surveybridge forget` has erased is in no figure. That a transaction "
      "was sent still counts."};
  if (report.encrypted > 0)
    notes.push_back(fmt::format(
        "Encrypted: the service keeps the text of {} so, and no text here is one of these.",
        counted(report.encrypted, "answer", "answers")));
  for (const auto& measure : figures.measures)
    if (measure.outside > 0)
      notes.push_back(fmt::format("{}: {} beside the scale, not counted.", measure.name,
                                  counted(measure.outside, "answer is", "answers are")));
  if (!report.together.empty())
    notes.push_back(fmt::format(
        "All figures are of {} pushes together: {}. --by push parts them, --push NAME shows one.",
        report.together.size(), fit_to_show(fmt::format("{}", fmt::join(report.together, ", ")))));
  // What the names of segments mean that no customer has written.
  const auto is_shown = [&](bool known, std::string_view name) {
    return std::ranges::any_of(figures.segments, [&](const ReportLine& line) {
      return line.known == known && line.name.find(name) != std::string::npos;
    });
  };
  if (is_shown(false, kNotKnown))
    notes.push_back(fmt::format(
        "{}: transactions without a customer here, so without a {}: it comes from the service. "
        "They were suppressed or quarantined, wait or are in doubt, or are not pulled yet.",
        kNotKnown, figures.segment));
  if (is_shown(true, kNoValue))
    notes.push_back(fmt::format("{}: customers without a {}.", kNoValue, figures.segment));
  return notes;
}

bool nothing_in(const Figures& figures) {
  const Funnel& funnel = figures.total.funnel;
  const bool answers = std::any_of(figures.measures.begin(), figures.measures.end(),
                                   [](const Measure& measure) { return measure.total.n > 0; });
  return !answers && funnel.transactions + funnel.sent + funnel.invited + funnel.finished == 0;
}

std::string response_sentence(const Estimate& response, const Funnel& so_far,
                              std::int64_t answer_days) {
  // The first days, when nobody has had the time to answer.
  if (response.n == 0) {
    return fmt::format(
        "So far {} sent, {} invited and {} answered. No delivered invitation {}, so there is no "
        "response rate.",
        counted(so_far.sent, "transaction was", "transactions were"), count_text(so_far.invited),
        count_text(so_far.finished),
        answer_days > 0 ? "is " + counted(answer_days, "day", "days") + " old yet"
                        : "is there yet");
  }
  // A walk may show only those who have answered.
  const std::string unread =
      so_far.unlisted > 0
          ? fmt::format(" {} not pulled yet, or removed since: with them the rate may be lower.",
                        counted(so_far.unlisted, "transaction that was sent is",
                                "transactions that were sent are"))
          : "";
  const std::string did =
      fmt::format("{} of {} who could have answered did", count_text(response.part.value_or(0)),
                  count_text(response.n));
  if (!response.value) return did + ": too few for a rate." + unread;
  return fmt::format("{} ({}, {}).{}", did, response.text, response.interval_text, unread);
}

// In words, for readers who do not know the abbreviation.
std::string long_name(const std::string& kind) {
  if (kind == "NPS") return "net promoter score";
  if (kind == "CSAT") return "share of the satisfied";
  return kind == "CES" ? "share of those who found it easy" : kind;
}

std::string score_sentence(const Measure& measure) {
  const Estimate& total = measure.total;
  const std::string name = isolated(measure.name) + ": ";
  if (!total.value) {
    return name + (total.n == 0
                       ? "no answers."
                       : fmt::format("{} ({}), so no score.", total.text, count_text(total.n)));
  }
  return fmt::format("{}{} {} ({}), of {}.", name, long_name(measure.kind), total.text,
                     total.interval_text, counted(total.n, "answer", "answers"));
}

// How far a figure's interval lies from that of the whole; 0: they meet.
double apart(const Estimate& one, const Estimate& all) {
  if (one.so_far || !one.interval || !all.interval) return 0;
  return std::max(
      {0.0, one.interval->low - all.interval->high, all.interval->low - one.interval->high});
}

// Names the period whose figure lies farthest from that of the whole. Empty: the intervals of all
// periods meet that of the whole.
std::string outstanding_sentence(const Measure& measure, const Figures& figures) {
  std::size_t farthest = 0;
  for (std::size_t i = 1; i < measure.periods.size(); ++i)
    if (apart(measure.periods[i], measure.total) > apart(measure.periods[farthest], measure.total))
      farthest = i;
  if (measure.periods.empty() || apart(measure.periods[farthest], measure.total) <= 0) return "";
  const std::string& first_day = figures.periods[farthest].name;
  const Estimate& found = measure.periods[farthest];
  return fmt::format("{} stands out in {}: {} ({}), of {}.",
                     figures.period == "Month" ? month_text(first_day) : "The week of " + first_day,
                     measure.kind.empty() ? "the response rate" : isolated(measure.name),
                     found.text, found.interval_text, count_text(found.n));
}

std::string change_sentence(const std::vector<Measure>& measures, const std::string& before) {
  std::string changes;
  bool comparable = false;
  for (const auto& measure : measures) {
    comparable = comparable || measure.move.comparable;
    if (!measure.move.is_change) continue;
    changes += fmt::format("{}{} is {}", changes.empty() ? "" : "; ", isolated(measure.name),
                           measure.move.text);
  }
  const std::string against = "Against the time before (" + before + ") ";
  if (!comparable) return against + "nothing can be compared: too few answers.";
  if (changes.empty()) return against + "the numbers show no clear change.";
  return fmt::format("{}the numbers show: {}.", against, changes);
}

}  // namespace

Figures figures_of(const SurveyReport& report) {
  Figures figures;
  const std::string push = shown_name(report.push, "");
  figures.title = push.empty() ? "Survey report" : "Survey report: " + push;
  figures.scope = fmt::format("{} to {}", fit_to_show(report.from), fit_to_show(report.to));
  figures.made = fmt::format("Made {}, days in {}", fit_to_show(report.made_at),
                             shown_name(report.time_zone, "UTC"));
  figures.total = shown_line(report.total, "All");
  figures.before = shown_line(report.before, "");
  figures.periods = shown_lines(report.periods);
  figures.segments = shown_lines(report.segments);
  sort_by_answers(figures.segments);
  figures.period = report.period == "month" ? "Month" : "Week";
  figures.segment = shown_name(report.segment, "");
  figures.measures = measures_of(report, figures);
  figures.empty = nothing_in(figures);
  auto& verdict = figures.verdict;
  if (figures.empty) {
    verdict.emplace_back("Nothing was sent and nothing was answered in this time.");
  } else {
    // How many could have answered and did, the score of the first question, and which figures have
    // changed against the time before.
    verdict.push_back(response_sentence(figures.measures.front().total, figures.total.funnel,
                                        report.answer_days));
    if (figures.measures.size() > 1) verdict.push_back(score_sentence(figures.measures[1]));
    for (const auto& measure : figures.measures)
      if (auto sentence = outstanding_sentence(measure, figures); !sentence.empty())
        verdict.push_back(std::move(sentence));
    if (!figures.before.name.empty())
      verdict.push_back(change_sentence(figures.measures, figures.before.name));
    if (!report.stale_segment.empty())
      verdict.push_back(fmt::format(
          "Nothing is parted by {}: the tables still have the segments of another configuration. "
          "The next pull with this one renews them.",
          isolated(shown_name(report.stale_segment, ""))));
  }
  if (report.answer_time.answers >= std::max<std::int64_t>(report.least, 1))
    verdict.push_back(answer_time_sentence(report.answer_time));
  figures.held = shown_held(report.held);
  std::ranges::transform(figures.held, std::back_inserter(verdict), held_sentence);
  figures.contact = contact_sentence(report.contact);
  figures.notes = notes_of(report, figures);
  figures.tables = tables_of(report, figures);
  return figures;
}

}  // namespace surveybridge::daemon
