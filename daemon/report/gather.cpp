#include "daemon/report/gather.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/text.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/report/report_reading.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/push/push_plan.hpp"
#include "mapping/field_map/constant.hpp"
#include "mapping/report/funnel.hpp"
#include "mapping/values/dates.hpp"

namespace surveybridge::daemon {
namespace {

using crm::GroupBy;
using crm::ReportReading;
using std::chrono::days;
using std::chrono::sys_days;

constexpr int kUsualDays = 7 * 12;
constexpr int kMonthsFrom = 7 * 26;  // so many days are shown by month
constexpr int kMostDays = 366 * 20;
constexpr int kTexts = 50;

std::optional<sys_days> read_day(std::string_view text) {
  constexpr std::size_t kSize = 10;  // without a time
  const auto read = text.size() == kSize ? mapping::read_date(text) : std::nullopt;
  const auto* day = read ? std::get_if<mapping::LocalTime>(&read->value) : nullptr;
  if (day == nullptr) return std::nullopt;
  return sys_days{std::chrono::floor<days>(day->time_since_epoch())};
}

sys_days first_of_week(sys_days day, config::Report::Day week_starts) {
  const int back = static_cast<int>(std::chrono::weekday{day}.iso_encoding()) - 1 -
                   static_cast<int>(week_starts);
  return day - days{(back + 7) % 7};
}

std::string write_day(sys_days day) {
  return mapping::write_instant(day).substr(0, 10);
}

ReportLine empty_line(std::string name, std::size_t questions) {
  return {std::move(name), {}, std::vector<mapping::Distribution>(questions), true};
}

void add(ReportLine& sum, const ReportLine& more) {
  for (const auto& each : mapping::kFunnelNumbers)
    sum.funnel.*each.number += more.funnel.*each.number;
  for (std::size_t i = 0; i < sum.scores.size(); ++i) {
    for (const auto& [value, answers] : more.scores[i])
      sum.scores[i][value] += answers;
  }
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// What the lines are parted by besides the time: a segment, the pushes, the respondents' languages,
// or two of these.
struct Parted {
  std::string name = {};  // empty: by nothing
  GroupBy by = {}, also = {};

  bool tells_pushes() const {
    return by.what == GroupBy::What::push || also.what == GroupBy::What::push;
  }
};

std::optional<Parted> parted_by_one(const config::Settings& settings, const std::string& word) {
  const auto& segments = settings.report.segments;
  for (std::size_t i = 0; i < segments.size(); ++i)
    if (config::same_ignoring_case(segments[i], word))
      return Parted{segments[i], {.what = GroupBy::What::segment, .segment = i}};
  for (const Parted& other : {Parted{"push", {.what = GroupBy::What::push}},
                              Parted{"language", {.what = GroupBy::What::language}}})
    if (config::same_ignoring_case(other.name, word)) return other;
  return std::nullopt;
}

// Where nothing is asked for: the first segment, or the pushes where there are several.
std::variant<Parted, std::string> parted_by(const config::Settings& settings,
                                            const ReportAsked& asked) {
  const auto& segments = settings.report.segments;
  const bool several = settings.pushes.size() > 1 && asked.push.empty();
  const std::string usual = !segments.empty() ? segments.front() : several ? "push" : "";
  const std::string& word = asked.by.empty() ? usual : asked.by;
  if (word.empty()) return Parted{};
  if (auto one = parted_by_one(settings, word)) return *std::move(one);
  const auto comma = word.find(',');
  const auto first = parted_by_one(settings, word.substr(0, comma));
  const auto second =
      comma == std::string::npos ? std::nullopt : parted_by_one(settings, word.substr(comma + 1));
  if (first && second && first->name != second->name)
    return Parted{first->name + " / " + second->name, first->by, second->by};
  return "\"" + word +
         "\" is neither \"push\" nor a segment of the configuration, nor \"language\", nor two of "
         "them with a comma ([report] segments: " +
         listed(segments) + ")";
}

std::optional<std::string> unknown_push(const config::Settings& settings, const std::string& push) {
  if (push.empty()) return std::nullopt;
  const auto names = names_of(settings.pushes);
  if (std::ranges::find(names, push) != names.end()) return std::nullopt;
  return "there is no push \"" + push + "\" (there are: " + listed(names) + ")";
}

void add_lines(ReportReading& reading, const ReportDays& asked, const Parted& parted,
               SurveyReport& report) {
  const std::size_t questions = reading.questions().size();
  report.total = empty_line("", questions);
  report.before = empty_line(asked.before_from + " to " + asked.before_to, questions);
  const auto what = asked.months ? GroupBy::What::month : GroupBy::What::week;
  for (auto& line :
       reading.lines({asked.before_from, asked.to}, {.what = what, .from = asked.from})) {
    add(line.name.empty() ? report.before : report.total, line);
    if (!line.name.empty()) report.periods.push_back(std::move(line));
  }
  if (!parted.name.empty())
    report.segments = reading.lines({asked.from, asked.to}, parted.by, parted.also);
}

// Rows in the window of a push that the ledger does not know.
std::int64_t count_unknown(const config::Settings& settings, const config::Push& push,
                           crm::Database& store, crm::Database& crm) {
  const auto& zone = settings.crm.time_zone;
  const auto now = crm.now();
  const auto since = found_since(push, zone, store, now);
  if (since >= now) return 0;
  return crm::Source(crm, store, crm::source_query(push, zone)).count(since, now);
}

std::optional<std::int64_t> counted_rows(const config::Settings& settings, const config::Push& push,
                                         crm::Database& store, const OpenCrm& open_crm) {
  try {
    if (!open_crm) return count_unknown(settings, push, store, store);
    return count_unknown(settings, push, store, *open_crm());
  } catch (const crm::DatabaseError&) {
    return std::nullopt;
  }
}

// What the brake holds: rows of the CRM that wait for a person, and that no figure counts. Of one
// push, or of all where it is empty. A query that fails or waits for a lock leaves a number
// unknown. Only rows of a push that is held are counted.
std::vector<HeldPush> held_pushes(const config::Settings& settings, crm::Database& store,
                                  const OpenCrm& open_crm, const std::string& push) {
  std::vector<HeldPush> all;
  for (const auto& each : settings.pushes) {
    if (!push.empty() && each.name != push) continue;
    const auto state = crm::Brakes(store).load(each.name);
    const bool holds = state ? !state->reason.empty() : each.brake;
    if (!holds) continue;
    HeldPush found{each.name, state ? state->reason : "it has sent nothing yet", {}};
    found.rows = counted_rows(settings, each, store, open_crm);
    if (state || found.rows.value_or(0) > 0) all.push_back(std::move(found));
  }
  return all;
}

}  // namespace

OpenCrm crm_to_read(const Environment& environment) {
  if (!environment.open_crm) return {};
  return [open = environment.open_crm] { return open(CrmUse::read); };
}

std::variant<ReportDays, ReportRefused> days_of(const ReportAsked& asked, const std::string& today,
                                                config::Report::Day week_starts) {
  ReportRefused refused;
  const auto read = [&](const std::string& text, const char* name) -> std::optional<sys_days> {
    const auto day = read_day(text);
    if (!day)
      refused.problems.push_back(std::string(name) + " must be a day such as 2026-11-23, got \"" +
                                 text + "\"");
    return day;
  };
  const auto to = read(asked.to.empty() ? today : asked.to, "--to");
  auto from = asked.from.empty() ? std::optional<sys_days>() : read(asked.from, "--from");
  if (!asked.period.empty() && asked.period != "week" && asked.period != "month")
    refused.problems.push_back("a period is \"week\" or \"month\", got \"" + asked.period + "\"");
  if (!refused.problems.empty()) return refused;
  if (!from) from = first_of_week(*to - days{kUsualDays - 1}, week_starts);
  if (*from > *to)
    return ReportRefused{
        {"the first day, " + write_day(*from) + ", is after the last, " + write_day(*to)}};
  const int count = static_cast<int>((*to - *from).count()) + 1;
  if (count > kMostDays) return ReportRefused{{"a report covers at most 20 years"}};
  const bool months = asked.period.empty() ? count >= kMonthsFrom : asked.period == "month";
  return ReportDays{write_day(*from), write_day(*to), write_day(*from - days{count}),
                    write_day(*from - days{1}), months};
}

std::variant<SurveyReport, ReportRefused> gather_report(crm::Database& database,
                                                        const config::Settings& settings,
                                                        const ReportAsked& asked,
                                                        const OpenCrm& open_crm) {
  const std::string& zone = settings.crm.time_zone;
  const auto now = database.now();
  auto range = days_of(asked, crm::day_of(now, zone), settings.report.week_starts);
  auto parted = parted_by(settings, asked);
  ReportRefused refused;
  if (auto* wrong = std::get_if<ReportRefused>(&range)) refused = std::move(*wrong);
  if (auto* wrong = std::get_if<std::string>(&parted)) refused.problems.push_back(*wrong);
  if (auto wrong = unknown_push(settings, asked.push)) refused.problems.push_back(*wrong);
  if (!refused.problems.empty()) return refused;

  const auto& of = std::get<ReportDays>(range);
  const auto& by = std::get<Parted>(parted);
  const auto shape = crm::report_shape(settings);
  SurveyReport report;
  report.held = held_pushes(settings, database, open_crm, asked.push);
  ReportReading reading(database, shape, asked.push);
  report.push = asked.push;
  report.from = of.from;
  report.to = of.to;
  report.made_at = mapping::write_local(mapping::to_zone(now, zone)).substr(0, 16);
  report.time_zone = zone;
  report.period = of.months ? "month" : "week";
  report.least = settings.report.least;
  report.answer_days = settings.report.answer_days;
  report.with_texts = asked.texts || !asked.word.empty();
  report.segment = by.name;
  if (asked.push.empty() && settings.pushes.size() > 1 && !by.tells_pushes())
    report.together = names_of(settings.pushes);
  for (const auto& question : reading.questions())
    report.questions.push_back({question.label, reading.words_of(question.id), question.kind,
                                question.low, question.high});
  add_lines(reading, of, by, report);
  const crm::DayRange days_asked{of.from, of.to};
  report.suppressed = reading.reasons(days_asked, crm::State::suppressed);
  report.quarantined = reading.reasons(days_asked, crm::State::quarantined);
  report.not_invited = reading.not_invited(days_asked);
  report.bounces = reading.bounces(days_asked);
  report.contact = reading.contacts();
  report.answer_time = reading.answer_time(days_asked);
  if (report.with_texts) {
    report.texts = reading.texts(days_asked, kTexts, asked.word);
    report.encrypted = reading.encrypted(days_asked);
  }
  return report;
}

}  // namespace surveybridge::daemon
