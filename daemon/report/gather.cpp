#include "daemon/report/gather.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/text.hpp"
#include "connectors/crm/daemon_state/brakes.hpp"
#include "connectors/crm/report/report_store.hpp"
#include "connectors/crm/source/source.hpp"
#include "daemon/context/push_window.hpp"
#include "daemon/push/push_plan.hpp"
#include "daemon/report/shown_text.hpp"
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

std::string write_day(sys_days day) {
  return mapping::write_instant(day).substr(0, 10);
}

void add(ReportLine& sum, const ReportLine& more) {
  for (const auto& each : crm::kFunnelNumbers)
    sum.funnel.*each.number += more.funnel.*each.number;
  for (std::size_t i = 0; i < sum.scores.size(); ++i)
    for (const auto& [value, answers] : more.scores[i])
      sum.scores[i][value] += answers;
}

std::string listed(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

// What the lines are parted by besides the time: a segment, the pushes, the respondents' languages,
// or two of these.
struct Parted {
  std::string name = {};  // empty: by nothing
  GroupBy by = {}, also = {};

  bool tells(GroupBy::What what) const { return by.what == what || also.what == what; }
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
Parted parted_by(const config::Settings& settings, const ReportAsked& asked,
                 ReportRefused& problems) {
  const auto& segments = settings.report.segments;
  const bool several = settings.pushes.size() > 1 && asked.push.empty();
  const std::string usual = !segments.empty() ? segments.front() : several ? "push" : "";
  const std::string& word = asked.by.empty() ? usual : asked.by;
  if (word.empty()) return {};
  if (auto one = parted_by_one(settings, word)) return *std::move(one);
  const auto comma = std::min(word.find(','), word.size());
  const auto first = parted_by_one(settings, word.substr(0, comma));
  const auto second = parted_by_one(settings, word.substr(std::min(comma + 1, word.size())));
  if (first && second && first->name != second->name)
    return {first->name + " / " + second->name, first->by, second->by};
  problems.push_back(
      "\"" + word +
      "\" is neither \"push\" nor a segment of the configuration, nor \"language\", nor two of "
      "them with a comma ([report] segments: " +
      listed(segments) + ")");
  return {};
}

void check_push(const config::Settings& settings, const std::string& push,
                ReportRefused& problems) {
  const auto names = names_of(settings.pushes);
  if (!push.empty() && std::ranges::find(names, push) == names.end())
    problems.push_back("there is no push \"" + push + "\" (there are: " + listed(names) + ")");
}

void add_lines(ReportReading& reading, const ReportDays& asked, const Parted& parted,
               SurveyReport& report) {
  report.before.name = asked.before_from + " to " + asked.before_to;
  report.total.scores.resize(report.questions.size());
  report.before.scores.resize(report.questions.size());
  const auto what = asked.months ? GroupBy::What::month : GroupBy::What::week;
  for (auto& line :
       reading.lines({asked.before_from, asked.to}, {.what = what, .from = asked.from})) {
    add(line.name.empty() ? report.before : report.total, line);
    if (!line.name.empty()) report.periods.push_back(std::move(line));
  }
  if (!parted.name.empty())
    report.segments = reading.lines({asked.from, asked.to}, parted.by, parted.also);
}

// Rows in the window of a push that the ledger does not know. Nullopt: the database did not say.
std::optional<std::int64_t> unknown_rows(const config::Settings& settings, const config::Push& push,
                                         crm::Database& store, const OpenCrm& open_crm) {
  try {
    const auto other = open_crm ? open_crm() : nullptr;
    crm::Database& crm = other ? *other : store;
    const auto& zone = settings.crm.time_zone;
    const auto now = crm.now();
    const auto since = found_since(push, zone, store, now);
    if (since >= now) return 0;
    return crm::Source(crm, store, crm::source_query(push, zone)).count(since, now);
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
    const auto rows = unknown_rows(settings, each, store, open_crm);
    if (state || rows.value_or(0) > 0)
      all.push_back({each.name, state ? state->reason : "no row is confirmed as sent yet", rows});
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
    const auto day = day_in(text);
    if (!day)
      refused.push_back(std::string(name) + " must be a day such as 2026-11-23, got \"" + text +
                        "\"");
    return day;
  };
  const auto to = read(asked.to.empty() ? today : asked.to, "--to");
  auto from = asked.from.empty() ? std::optional<sys_days>() : read(asked.from, "--from");
  if (!asked.period.empty() && asked.period != "week" && asked.period != "month")
    refused.push_back("a period is \"week\" or \"month\", got \"" + asked.period + "\"");
  if (!refused.empty()) return refused;
  if (!from) {
    const sys_days first = *to - days{kUsualDays - 1};
    const std::chrono::weekday begin{static_cast<unsigned>(week_starts) + 1};
    from = first - (std::chrono::weekday{first} - begin);
  }
  if (*from > *to)
    return ReportRefused{"the first day, " + write_day(*from) + ", is after the last, " +
                         write_day(*to)};
  const int count = static_cast<int>((*to - *from).count()) + 1;
  if (count > kMostDays) return ReportRefused{"a report covers at most 20 years"};
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
  auto* wrong = std::get_if<ReportRefused>(&range);
  ReportRefused refused = wrong ? std::move(*wrong) : ReportRefused{};
  Parted by = parted_by(settings, asked, refused);
  check_push(settings, asked.push, refused);
  if (!refused.empty()) return refused;

  const auto& of = std::get<ReportDays>(range);
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
  if (by.tells(GroupBy::What::segment) && !crm::has_segments_of(database, shape))
    report.stale_segment = std::exchange(by, {}).name;
  report.segment = by.name;
  if (asked.push.empty() && settings.pushes.size() > 1 && !by.tells(GroupBy::What::push))
    report.together = names_of(settings.pushes);
  report.questions = reading.questions();
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
