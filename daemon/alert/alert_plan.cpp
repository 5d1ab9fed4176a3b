#include "daemon/alert/alert_plan.hpp"

#include <algorithm>
#include <iterator>

#include "daemon/job/command_text.hpp"
#include "daemon/job/fault.hpp"
#include "daemon/job/log.hpp"
#include "mapping/values/address_traces.hpp"
#include "mapping/values/dates.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::daemon {

namespace {

constexpr std::size_t kSubjectBytes = 150;  // a key of the table

std::string subject_of(config::AlertKind kind, const std::string& about) {
  std::string subject = word_of(kind);
  subject += ' ';
  return subject + (about.size() <= kSubjectBytes ? about : mapping::name_uuid(about));
}

// A need, or the part of it that is one job's.
struct Part {
  std::string about, what;
};
std::vector<Part> parts_of(const Need& need) {
  const std::string& about = need.about.empty() ? need.what : need.about;
  const bool of_jobs = need.kind == config::AlertKind::jobs && need.what.starts_with(about + ": ");
  if (!of_jobs) return {{about, need.what}};
  constexpr std::string_view kBetween = ", ";
  const std::string trouble = need.what.substr(about.size());
  std::vector<Part> parts;
  for (std::size_t begin = 0; begin < about.size();) {
    const auto end = std::min(about.find(kBetween, begin), about.size());
    const std::string job = about.substr(begin, end - begin);
    parts.push_back({job + (need.works ? " (works)" : ""), job + trouble});
    begin = end + kBetween.size();
  }
  return parts;
}

std::vector<crm::Alert> rows_of(const Need& need, const config::Receiver& receiver,
                                const std::vector<crm::Alert>& before, const std::string& file,
                                TimePoint now) {
  std::vector<crm::Alert> rows;
  for (const auto& [about, what] : parts_of(need)) {
    crm::Alert row{receiver.name,
                   subject_of(need.kind, about),
                   without_people(what),
                   need.command.empty() ? "" : with_file(need.command, file),
                   now,
                   now,
                   std::nullopt,
                   need.cause};
    const auto known = std::ranges::find(before, row.subject, &crm::Alert::subject);
    if (known != before.end()) {
      row.told_at = known->told_at;
      row.told = known->told;
      // Before anything was told, a cause that changes at each look is told all the same.
      const bool lasts = known->told_at ? known->cause == row.cause || row.is_told()
                                        : now - known->seen_at < kAlertOver;
      if (lasts)
        row.since = std::min(known->since, now);  // the database's clock may have been ahead
    }
    rows.push_back(std::move(row));
  }
  // A trouble that was told of one job is not told again of the next that meets it.
  const auto told = std::ranges::find_if(rows, &crm::Alert::is_told);
  if (told != rows.end()) {
    const TimePoint at = *told->told_at;
    for (auto& row : rows)
      if (!row.is_told()) row.tell(at);
  }
  return rows;
}

using Day = std::chrono::local_days;

Day day_in(const std::string& zone, TimePoint now) {
  return std::chrono::floor<std::chrono::days>(mapping::to_zone(now, zone));
}

bool is_day_of(const config::Schedule& every, Day day) {
  using Each = config::Schedule::Each;
  if (every.each == Each::week) return std::chrono::weekday(day) == every.weekday;
  const std::chrono::day first{1};
  return every.each == Each::day || std::chrono::year_month_day(day).day() == first;
}

}  // namespace

std::string without_people(const std::string& text) {
  constexpr std::string_view kPut = "(an address)";
  std::string line = one_line(text.substr(0, text.find(kLikeKey)));
  if (!mapping::may_hold_address(line)) return line;
  const auto traces = mapping::traces_in(line);
  if (!traces.whole) return "a text with addresses";
  for (const auto& address : traces.addresses)
    line = mapping::without_address(line, address, kPut);
  return line;
}

bool wants(const config::Receiver& receiver, const std::string& subject) {
  if (!receiver.kinds || subject == kSummarySubject) return true;
  const auto kind = kind_of(subject);
  return kind && wants(receiver, *kind);
}

std::vector<crm::Alert> seen_alerts(const std::vector<Need>& needs,
                                    const config::Receiver& receiver,
                                    const std::vector<crm::Alert>& rows, const std::string& file,
                                    TimePoint now) {
  std::vector<crm::Alert> seen;
  for (const auto& need : needs) {
    if (!wants(receiver, need.kind)) continue;
    for (auto& row : rows_of(need, receiver, rows, file, now)) {
      const bool is_new = std::ranges::find(seen, row.subject, &crm::Alert::subject) == seen.end();
      if (is_new) seen.push_back(std::move(row));
    }
  }
  return seen;
}

DueAlerts due_alerts(const std::vector<crm::Alert>& rows, const AlertOrigin& origin,
                     TimePoint looked_since, TimePoint now) {
  static const std::string ends = subject_of(config::AlertKind::daemon, "");
  DueAlerts due;
  for (const auto& row : rows) {
    if (row.subject == kSummarySubject) continue;
    const auto unseen = now - row.seen_at;  // less than none: the clock has gone back
    const bool is_seen = unseen < kAlertOver && unseen > -kAlertOver;
    const bool lasts = row.seen_at - row.since >= kAlertLasts;  // a single look shows none
    if (is_seen && !row.is_told() && lasts) due.begun.push_back(row);
    const bool knows = !row.subject.starts_with(ends) || row.subject == end_subject(origin);
    if (!is_seen && row.told_at && knows && now - looked_since >= kAlertOver)
      due.over.push_back(row);
  }
  return due;
}

std::string end_subject(const AlertOrigin& origin) {
  return subject_of(config::AlertKind::daemon, origin.host + " " + origin.file);
}

ReportAsked report_due_at(TimePoint due, const config::Report::Mail& mail,
                          const std::string& zone) {
  using std::chrono::days, std::chrono::months;
  const auto written = [](Day day) { return mapping::write_local(day).substr(0, 10); };
  const Day day = day_in(zone, due);
  ReportAsked asked;
  asked.to = written(day - days{1});
  asked.texts = mail.words;
  if (mail.every.each != config::Schedule::Each::month) return asked;
  asked.from = written(Day{std::chrono::year_month_day(day) - months{12}});
  asked.period = "month";
  return asked;
}

TimePoint last_time(const config::Schedule& every, const std::string& zone, TimePoint now) {
  for (auto day = day_in(zone, now);; day -= std::chrono::days{1}) {
    const TimePoint at = mapping::in_zone(day + every.at, zone);
    if (is_day_of(every, day) && at <= now) return at;
  }
}

TimePoint next_time(const config::Schedule& every, const std::string& zone, TimePoint now) {
  for (auto day = day_in(zone, now);; day += std::chrono::days{1}) {
    const TimePoint at = mapping::in_zone(day + every.at, zone);
    if (is_day_of(every, day) && at > now) return at;
  }
}

}  // namespace surveybridge::daemon
