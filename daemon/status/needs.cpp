#include "daemon/status/needs.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "daemon/job/fault.hpp"
#include "daemon/job/length_text.hpp"
#include "daemon/reconcile/as_sent.hpp"
#include "daemon/status/ledger_list.hpp"
#include "mapping/values/name_uuid.hpp"

namespace surveybridge::daemon {

using config::AlertKind;

namespace {

// Words with digits are numbers, times and keys.
std::string cause_of(const std::string& text) {
  std::string words;
  std::istringstream all(text);
  for (std::string word; all >> word;)
    if (std::ranges::none_of(word, [](char c) { return c >= '0' && c <= '9'; })) words += word;
  return mapping::name_uuid(words);
}

// Ten times as many are another cause.
std::string cause_of(std::int64_t rows) {
  return std::string(std::to_string(rows).size(), 'x');
}

void add_push(std::vector<Need>& needs, const Waiting& push) {
  if (!push.brake.empty()) {
    needs.push_back({fmt::format("{}: the brake holds: {}", push.push, push.brake),
                     "surveybridge release " + push.push, "", AlertKind::brake, push.push,
                     cause_of(push.brake)});
  }
  if (push.too_few) {
    const std::string window = push.swept ? fmt::format("; the query finds {} in its window",
                                                        counted(push.swept->rows, "row"))
                                          : "";
    const std::string guess = push.too_few->look.empty()
                                  ? "; its conditions may no longer fit the CRM, as where a state "
                                    "has another name"
                                  : "";
    needs.push_back({fmt::format("{}: {}{}{}", push.push,
                                 too_few_text(*push.too_few, "transaction"), window, guess),
                     "surveybridge check", "", AlertKind::rows, "too few " + push.push});
  }
  if (push.never_listed.value_or(0) > 0) {
    needs.push_back({fmt::format("{}: the service does not list {} that were sent", push.push,
                                 counted(*push.never_listed, "transaction")),
                     "surveybridge verify", "", AlertKind::rows, "never listed " + push.push,
                     cause_of(*push.never_listed)});
  }
  if (push.too_old > 0) {
    const bool one = push.too_old == 1;
    needs.push_back({fmt::format("{}: {} appeared when {} older than look_back, and {} never sent",
                                 push.push, counted(push.too_old, "transaction"),
                                 one ? "it was" : "they were", one ? "is" : "are"),
                     "", "", AlertKind::rows, "too old " + push.push, cause_of(push.too_old)});
  }
}

void add_verified(std::vector<Need>& needs, const crm::Verified& found) {
  const auto differences = found.differences.value_or(0);
  const bool differs = found.unaccounted != 0 || differences != 0;
  if (!differs && found.besides.empty()) return;
  std::string what = found.push + ": the last verify found ";
  if (differs)
    what += counted(found.unaccounted, "transaction") + " not accounted for and " +
            counted(differences, "difference") + (found.besides.empty() ? "" : "; ");
  needs.push_back({what + found.besides, "surveybridge verify", "", AlertKind::verify, found.push});
}

// What a job says of its push or walk, and the report says as well: a brake, what was never listed,
// a filter that is ignored.
bool is_reported(const StatusReport* report, const JobState& job) {
  if (report == nullptr) return false;
  const bool works = job.status.degraded;
  const auto of_push = [&](const Waiting& push) {
    return (!push.brake.empty() && job.name == "push." + push.push) ||
           (works && job.name == "listed." + push.push);
  };
  const auto of_walk = [&](const crm::StoredWalk& walk) {
    return works && !walk.ignored.empty() && job.name == "pull." + walk.list + "." + walk.walk;
  };
  return std::ranges::any_of(report->waiting, of_push) ||
         std::ranges::any_of(report->overview.walks, of_walk);
}

}  // namespace

std::optional<Need> need_of(const crm::Ledger::Count& count,
                            const std::vector<std::string>& of_nobody) {
  if (count.rows == 0) return std::nullopt;
  const std::string about = std::string(to_string(count.state)) + " " + count.push;
  if (count.state == crm::State::quarantined) {
    return Need{fmt::format("{}: {} set aside in quarantine", count.push,
                            counted(count.rows, "transaction")),
                "surveybridge quarantine list --groups",
                list_of(count.state),
                AlertKind::rows,
                about,
                cause_of(count.rows)};
  }
  if (count.state == crm::State::held) {
    return Need{fmt::format("{}: {} held, which may be at the service or not", count.push,
                            counted(count.rows, "transaction")),
                "surveybridge doubt list",
                list_of(count.state),
                AlertKind::rows,
                about,
                cause_of(count.rows)};
  }
  const bool looked_up = std::ranges::find(of_nobody, count.push) == of_nobody.end();
  if (count.state == crm::State::in_doubt && !looked_up) {
    return Need{fmt::format("{}: {} in doubt; {}nothing looks {} up", count.push,
                            counted(count.rows, "transaction"), kNotConfigured,
                            count.rows == 1 ? "it" : "them"),
                "surveybridge doubt list",
                "",
                AlertKind::rows,
                about,
                cause_of(count.rows)};
  }
  return std::nullopt;
}

std::vector<Need> needs_of(const StatusReport& report) {
  std::vector<Need> needs;
  for (const auto& push : report.waiting)
    add_push(needs, push);
  for (const auto& count : report.overview.counts)
    if (auto need = need_of(count, report.of_nobody)) needs.push_back(*std::move(need));
  for (const auto& walk : report.overview.walks) {
    if (walk.ignored.empty()) continue;
    needs.push_back({fmt::format("{}.{}: the service ignores {}; what lies outside is not stored",
                                 walk.list, walk.walk, walk.ignored),
                     "surveybridge check", "", AlertKind::lists,
                     "ignored " + walk.list + "." + walk.walk});
  }
  for (const auto& [list, walk, found] : report.silent)
    needs.push_back({fmt::format("{}.{}: {}", list, walk, too_few_text(found, "new record")),
                     "surveybridge check", "", AlertKind::lists, "silent " + list + "." + walk});
  for (const auto& [list, sort, records, since] : report.overview.unwritten) {
    needs.push_back(
        {fmt::format("{}: {} not written into {}.{}: {}; write them again once that is mended",
                     list, counted(records, "record"), sort.table, sort.column, sort.reason),
         "surveybridge write-back " + list, "", AlertKind::writes,
         list + " " + sort.table + "." + sort.column, cause_of(sort.reason)});
  }
  for (const auto& unreadable : report.overview.unreadable) {
    needs.push_back(
        {fmt::format("{}: {} cannot be read, see the table survey_unreadable{}", unreadable.list,
                     counted(unreadable.records, "record"), unread_text(unreadable)),
         "", "", AlertKind::lists, "unreadable " + unreadable.list, cause_of(unreadable.records)});
  }
  for (const auto& [section, reading] : report.overview.own_lists)
    if (std::string unread = unread_text(section, reading); !unread.empty())
      needs.push_back({std::move(unread), "surveybridge check", "", AlertKind::lists, section});
  for (const auto& found : report.overview.verify_results)
    add_verified(needs, found);
  return needs;
}

namespace {

// A daemon writes down its pace every half minute, whatever it waits for, and sweeps a push again
// and again. `sync` sweeps once, and somebody may type it once a week.
constexpr Duration kDaemonAway = std::chrono::hours{48}, kSyncAway = std::chrono::hours{24 * 8};

bool had_daemon(const StatusReport& report) {
  return std::ranges::any_of(report.waiting, [](const Waiting& push) {
    return push.swept && push.swept->within.has_value();
  });
}

// When anything of a bridge ran last; empty: nothing has yet, or something does.
std::optional<TimePoint> ended_at(const StatusReport& report) {
  const auto& paces = report.overview.paces;
  std::optional<TimePoint> last;
  const auto add = [&](TimePoint at) { last = std::max(last.value_or(at), at); };
  for (const auto& pace : paces)
    add(std::max(pace.seen_at, pace.live_until));
  for (const auto& walk : report.overview.walks)
    if (walk.finished_at) add(*walk.finished_at);
  return is_at_work(report.overview) ? std::nullopt : last;
}

}  // namespace

std::optional<Need> need_of_daemon(const StatusReport& report) {
  const auto last = ended_at(report);
  const Duration away = last ? report.overview.now - *last : Duration{0};
  if (away <= (had_daemon(report) ? kDaemonAway : kSyncAway)) return std::nullopt;
  return Need{fmt::format("nothing has been sent or read since {}, {} ago, and no daemon runs",
                          second_text(*last), length_text(away)),
              "surveybridge sync", "", AlertKind::daemon, "daemon"};
}

bool needs_person(const JobState& job) {
  const bool lasts = job.trouble_for.value_or(Duration{0}) > kLongTrouble;
  return !job.status.trouble.empty() && (lasts || !is_temporary(job.status.fault));
}

std::vector<Need> needs_of(const StatusReport* report, const std::vector<JobState>& jobs) {
  std::vector<Need> needs;
  if (report != nullptr) needs = needs_of(*report);
  const auto counts = [&](const JobState& job) {
    return needs_person(job) && !is_reported(report, job);
  };
  for (const auto& trouble : troubles_of(jobs, counts)) {
    const bool decision =
        !is_temporary(trouble.fault) && trouble.fault != JobStatus::Fault::configuration;
    // A service that is away says so in many words.
    const std::string cause = is_temporary(trouble.fault) ? "away" : cause_of(trouble.what);
    needs.push_back({trouble.jobs + ": " + trouble.what, decision ? "" : "surveybridge check", "",
                     AlertKind::jobs, trouble.jobs, cause, trouble.works});
  }
  return needs;
}

std::vector<Trouble> troubles_of(const std::vector<JobState>& jobs,
                                 const std::function<bool(const JobState&)>& counts) {
  std::vector<Trouble> troubles;
  for (const auto& job : jobs) {
    const auto& status = job.status;
    if (!counts(job)) continue;
    const auto same = std::ranges::find_if(troubles, [&](const Trouble& other) {
      return other.what == status.trouble && other.fault == status.fault;
    });
    if (same == troubles.end())
      troubles.push_back({status.trouble, status.fault, job.name, status.degraded});
    else
      same->jobs += ", " + job.name;
  }
  return troubles;
}

Verdict verdict_of(const std::vector<Need>& needs, const std::vector<JobState>& jobs,
                   bool database_answers) {
  if (!needs.empty()) return Verdict::needs_person;
  const bool waits =
      std::ranges::any_of(jobs, [](const JobState& job) { return !job.status.trouble.empty(); });
  return waits || !database_answers ? Verdict::waits : Verdict::well;
}

}  // namespace surveybridge::daemon
